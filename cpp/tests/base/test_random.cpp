#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include "base/random.hpp"
#include "tests/check.hpp"

using boxwood::combine_keys;
using boxwood::Draws;
using boxwood::mix_bits;

namespace {

// Pearson's statistic, as a number of standard deviations above its mean.
double chi_square_z(const std::vector<double>& counts, double expected) {
    double sum = 0.0;
    for (double count : counts) sum += (count - expected) * (count - expected) / expected;
    const double degrees = static_cast<double>(counts.size()) - 1.0;
    return (sum - degrees) / std::sqrt(2.0 * degrees);
}

double correlation(Draws a, Draws b, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += (a.uniform() - 0.5) * (b.uniform() - 0.5) * 12.0;
    return sum / std::sqrt(n);  // about standard normal
}

}  // namespace

CASE("draws below n are uniform", {
    for (std::uint64_t n : {2u, 3u, 7u, 100u}) {
        Draws draws(n);
        std::vector<double> counts(n, 0.0);
        for (int i = 0; i < 100000; ++i) {
            const std::uint64_t k = draws.below(n);
            CHECK(k < n);
            counts[k] += 1.0;
        }
        CHECK(std::abs(chi_square_z(counts, 100000.0 / static_cast<double>(n))) < 5.0);
    }
    Draws one(1);
    CHECK(one.below(1) == 0);
    Draws most(2);
    for (int i = 0; i < 1000; ++i) CHECK(most.below(std::uint64_t{1} << 32) < std::uint64_t{1} << 32);
});

CASE("uniform draws lie in [0, 1) and are uniform", {
    Draws draws(5);
    std::vector<double> counts(64, 0.0);
    double sum = 0.0;
    for (int i = 0; i < 100000; ++i) {
        const double x = draws.uniform();
        CHECK(x >= 0.0 && x < 1.0);
        sum += x;
        counts[static_cast<std::size_t>(x * 64.0)] += 1.0;
    }
    CHECK(std::abs(chi_square_z(counts, 100000.0 / 64.0)) < 5.0);
    CHECK(std::abs(sum / 100000.0 - 0.5) < 5.0 * std::sqrt(1.0 / 12.0 / 100000.0));
});

CASE("successive draws and neighbouring streams are independent", {
    for (std::uint64_t key = 0; key < 20; ++key) {
        CHECK(std::abs(correlation(Draws(key), Draws(key + 1), 10000)) < 5.0);
        Draws later(key);
        later.next();
        CHECK(std::abs(correlation(Draws(key), later, 10000)) < 5.0);
        CHECK(std::abs(correlation(Draws(combine_keys(1, key)), Draws(combine_keys(2, key)), 10000)) < 5.0);
    }
});

CASE("what is drawn depends on the key alone", {
    Draws a(42);
    Draws b(42);
    for (int i = 0; i < 10; ++i) CHECK(a.next() == b.next());
    std::set<std::uint64_t> firsts;
    for (std::uint64_t key = 0; key < 10000; ++key) firsts.insert(Draws(key).next());
    CHECK(firsts.size() == 10000);
    CHECK(combine_keys(1, 2) != combine_keys(2, 1));
});

CASE("every bit of the key changes about half of the bits", {
    for (int bit = 0; bit < 64; ++bit) {
        int changed = 0;
        for (std::uint64_t key = 0; key < 100; ++key) {
            changed += std::popcount(mix_bits(key) ^ mix_bits(key ^ (std::uint64_t{1} << bit)));
        }
        CHECK(changed > 2900 && changed < 3500);
    }
});

CASE("known answers: models depend on them", {
    CHECK(mix_bits(0) == 0xe220a8397b1dcdafu);
    CHECK(mix_bits(1) == 0x910a2dec89025cc1u);
    CHECK(combine_keys(0, 0) == mix_bits(mix_bits(0)));
});

CHECK_MAIN()
