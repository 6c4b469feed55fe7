#include <cmath>
#include <random>
#include <vector>

#include "tests/check.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/density/split_finders/density_criteria.hpp"

using boxwood::BinnedRows;

namespace {

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); }

template <class Criterion>
typename Criterion::Stats sum_of(const Criterion& criterion, const std::vector<std::size_t>& rows) {
    typename Criterion::Stats stats{};
    for (std::size_t row : rows) stats += criterion.of_row(row);
    return stats;
}

struct Halves {
    std::vector<std::size_t> node;
    std::vector<std::size_t> left;
    std::vector<std::size_t> right;
};

Halves random_halves(std::size_t n, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Halves halves;
    for (std::size_t row = 0; row < n; ++row) {
        if (random() % 4 == 0) continue;  // outside the node
        halves.node.push_back(row);
        (random() % 3 == 0 ? halves.left : halves.right).push_back(row);
    }
    return halves;
}

// ∫p² − 2/N·Σ p₋ᵢ(xᵢ) of a box, each row's copies left out by brute force: the density is counted anew.
double brute_loo_error(const BinnedRows& data, const std::vector<std::size_t>& rows, double volume) {
    double total = 0.0;
    for (std::size_t row = 0; row < data.n_rows; ++row) total += data.weight(row);
    double n = 0.0;
    for (std::size_t row : rows) n += data.weight(row);
    double sum = 0.0;
    for (std::size_t i : rows) {
        const double out = data.leave_out == nullptr ? 1.0 : data.leave_out[i];
        double inside = 0.0;
        for (std::size_t k : rows) inside += k == i ? data.weight(k) - out : data.weight(k);
        sum += data.weight(i) * inside / ((total - out) * volume);
    }
    return n * n / (total * total * volume) - 2.0 / total * sum;
}

}  // namespace

CASE("log-likelihood: the difference of direct sums", {
    const SmallTable table(40, 1, 0, 1);
    const auto data = table.data();
    const boxwood::LogLikelihoodCriterion criterion(data, 80.0);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Halves halves = random_halves(40, seed);
        const auto node = sum_of(criterion, halves.node);
        const auto left = sum_of(criterion, halves.left);
        const double fraction = 0.05 + 0.04 * static_cast<double>(seed);
        const double volume = 0.3;
        const double right = node.n - left.n;
        const double expected = left.n * std::log(left.n / (80.0 * volume * fraction)) +
                                right * std::log(right / (80.0 * volume * (1.0 - fraction))) -
                                node.n * std::log(node.n / (80.0 * volume));
        CHECK(close(criterion.gain(node, left, fraction, volume), expected));
    }
    CHECK(close(criterion.gain({5.0}, {0.0}, 0.25, 1.0), -5.0 * std::log(0.75)));
    CHECK(criterion.gain({0.0}, {0.0}, 0.25, 1.0) == 0.0);
});

CASE("squared error and nonuniformity by their formulas", {
    const SmallTable table(10, 1, 0, 1);
    const auto data = table.data();
    const boxwood::SquaredErrorCriterion squared(data, 50.0);
    const auto term = [](double n, double v) { return n * n / (50.0 * 50.0 * v); };
    CHECK(close(squared.gain({20.0}, {5.0}, 0.6, 0.2), term(5.0, 0.12) + term(15.0, 0.08) - term(20.0, 0.2)));
    CHECK(std::abs(squared.gain({20.0}, {5.0}, 0.25, 0.2)) < 1e-15);
    const boxwood::NonuniformityCriterion nonuniformity(data, 50.0);
    CHECK(close(nonuniformity.gain({20.0}, {5.0}, 0.6, 0.2), 0.35));
    CHECK(boxwood::NonuniformityCriterion::per_node && !boxwood::SquaredErrorCriterion::per_node);
});

CASE("leave-one-out: the error by brute force, rows and bootstrap copies alike", {
    SmallTable table(30, 1, 0, 1);
    std::vector<double> copies(30);
    for (std::size_t i = 0; i < 30; ++i) copies[i] = table.weights[i];  // all copies of a row leave together
    for (int mode = 0; mode < 3; ++mode) {
        BinnedRows data = table.data(mode != 0);
        if (mode == 2) data.leave_out = copies.data();
        double total = 0.0;
        for (std::size_t row = 0; row < 30; ++row) total += data.weight(row);
        const boxwood::LooCriterion criterion(data, total);
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Halves halves = random_halves(30, seed);
            const auto node = sum_of(criterion, halves.node);
            const auto left = sum_of(criterion, halves.left);
            const double fraction = 0.3;
            const double volume = 0.4;
            CHECK(close(criterion.error(node) / volume, brute_loo_error(data, halves.node, volume)));
            const double expected = brute_loo_error(data, halves.node, volume) -
                                    brute_loo_error(data, halves.left, volume * fraction) -
                                    brute_loo_error(data, halves.right, volume * (1.0 - fraction));
            CHECK(close(criterion.gain(node, left, fraction, volume), expected));
        }
    }
});

CASE("leave-one-out: METHODS' formula, and a table of one row", {
    const SmallTable table(10, 1, 0, 1);
    const auto data = table.data(false);
    const boxwood::LooCriterion criterion(data, 10.0);
    const auto stats = sum_of(criterion, {1, 3, 5, 7});
    CHECK(close(criterion.error(stats) / 0.5, -2.0 * 4.0 * 3.0 / (10.0 * 9.0 * 0.5) + 16.0 / (100.0 * 0.5)));
    const boxwood::LooCriterion alone(data, 1.0);
    CHECK(std::isfinite(alone.error(alone.of_row(0))));
});

CHECK_MAIN()
