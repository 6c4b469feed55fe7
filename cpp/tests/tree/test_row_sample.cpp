#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "tests/check.hpp"
#include "tree/row_sample.hpp"

using boxwood::draw_sample;
using boxwood::InBag;
using boxwood::n_drawn;
using boxwood::RowsToSample;
using boxwood::SampleOptions;

namespace {

struct Moments {
    double mean = 0.0;
    double variance = 0.0;
    double none = 0.0;
};

Moments moments_of(const SampleOptions& options, double weight, int n) {
    Moments m;
    double squares = 0.0;
    for (int i = 0; i < n; ++i) {
        const double w = n_drawn(options, static_cast<std::size_t>(i % 100),
                                 boxwood::mix_bits(static_cast<std::uint64_t>(i / 100)), weight);
        m.mean += w / n;
        squares += w * w / n;
        m.none += (w == 0.0 ? 1.0 : 0.0) / n;
    }
    m.variance = squares - m.mean * m.mean;
    return m;
}

struct Rows {
    std::vector<std::uint64_t> keys;
    std::vector<double> weights;

    explicit Rows(std::vector<double> of_rows) : weights(std::move(of_rows)) {
        for (std::size_t i = 0; i < weights.size(); ++i) keys.push_back(boxwood::mix_bits(i));
    }
    RowsToSample rows() const { return {weights.size(), keys.data(), weights.data()}; }
};

}  // namespace

CASE("without replacement: binomial counts", {
    SampleOptions options;
    options.max_samples = 0.7;
    for (double weight : {1.0, 2.0, 10.0, 200.0, 1000.0}) {
        const int n = 40000;
        const Moments m = moments_of(options, weight, n);
        const double variance = weight * 0.7 * 0.3;
        CHECK(std::abs(m.mean - 0.7 * weight) < 5.0 * std::sqrt(variance / n));
        CHECK(std::abs(m.variance / variance - 1.0) < 0.06);
        if (weight < 3.0) CHECK(std::abs(m.none - std::pow(0.3, weight)) < 0.012);
    }
    options.max_samples = 1.0;
    for (double observations : {1.0, 7.0, 1000.0})
        CHECK(n_drawn(options, 0, 3, observations) == observations);
});

CASE("with replacement: Poisson counts", {
    SampleOptions options;
    options.bootstrap = true;
    for (double fraction : {1.0, 0.5}) {
        options.max_samples = fraction;
        for (double weight : {1.0, 3.0, 150.0, 1000.0}) {
            const int n = 40000;
            const Moments m = moments_of(options, weight, n);
            const double mean = fraction * weight;
            CHECK(std::abs(m.mean - mean) < 5.0 * std::sqrt(mean / n));
            CHECK(std::abs(m.variance / mean - 1.0) < 0.06);
            if (weight < 4.0) CHECK(std::abs(m.none - std::exp(-mean)) < 0.012);
        }
    }
});

CASE("samples of trees and of rows are independent", {
    SampleOptions options;
    options.max_samples = 0.5;
    double trees = 0.0;
    double rows = 0.0;
    for (std::uint64_t key = 0; key < 10000; ++key) {
        const double a = n_drawn(options, 0, boxwood::mix_bits(key), 1.0) - 0.5;
        trees += 4.0 * a * (n_drawn(options, 1, boxwood::mix_bits(key), 1.0) - 0.5);
        rows += 4.0 * a * (n_drawn(options, 0, boxwood::mix_bits(key + 1), 1.0) - 0.5);
    }
    CHECK(std::abs(trees) < 500.0 && std::abs(rows) < 500.0);
    SampleOptions other = options;
    other.seed = 1;
    int equal = 0;
    for (std::uint64_t key = 0; key < 1000; ++key) {
        equal += n_drawn(options, 0, key, 1.0) == n_drawn(other, 0, key, 1.0) ? 1 : 0;
    }
    CHECK(equal > 400 && equal < 600);
});

CASE("a row of some weight is as many equal observations as are given, or as it weighs", {
    const std::vector<std::uint64_t> keys(4, 7);
    const std::vector<double> weights = {2.5, 0.3, 2.5, 4.0};
    const std::vector<double> observations = {1.0, 1.0, 5.0, 4.0};
    RowsToSample rows{4, keys.data(), weights.data()};
    CHECK(rows.n_observations(0) == 2.0 && rows.n_observations(1) == 1.0 && rows.n_observations(3) == 4.0);
    CHECK(rows.weight_of(0, 1.0) == 1.25 && rows.weight_of(0, 2.0) == 2.5 && rows.weight_of(3, 3.0) == 3.0);
    rows.observations = observations.data();
    CHECK(rows.n_observations(0) == 1.0 && rows.weight_of(2, 3.0) == 1.5 && rows.weight_of(1, 1.0) == 0.3);
    const std::vector<double> third = {1.0};
    const std::vector<double> three = {3.0};
    rows = {1, keys.data(), third.data(), three.data()};
    CHECK(rows.weight_of(0, 1.0) == std::rint(0x1p20 / 3.0) * 0x1p-20);  // whole multiples of 2⁻²⁰
});

CASE("the fraction of a row that a tree has not seen", {
    const std::vector<std::uint64_t> keys = {3, 11, 29};
    const std::vector<double> weights = {1.0, 5.0, 1000.0};
    const std::vector<std::uint32_t> distinct = {0, 1, 2};
    for (bool bootstrap : {false, true}) {
        SampleOptions options;
        options.bootstrap = bootstrap;
        options.max_samples = bootstrap ? 1.0 : 0.8;
        const InBag in_bag(options, 3, 400, {3, keys.data(), weights.data(), weights.data()}, distinct, 2);
        std::vector<double> mean(3, 0.0);
        for (std::size_t tree = 0; tree < 400; ++tree) {
            for (std::size_t row = 0; row < 3; ++row) {
                const double drawn = n_drawn(options, 3 + tree, keys[row], weights[row]);
                const double left = in_bag.left_out(tree, row);
                mean[row] += left / 400.0;
                if (!bootstrap) CHECK(std::abs(left - (1.0 - drawn / weights[row])) < 1e-12);
                if (row == 0) CHECK(left == (drawn == 0.0 ? 1.0 : 0.0) && in_bag(tree, row) == (drawn > 0.0));
            }
        }
        // A bootstrap of n observations misses each with probability 1/e, whatever n is.
        for (double of_row : mean) CHECK(std::abs(of_row - (bootstrap ? std::exp(-1.0) : 0.2)) < 0.1);
    }
});

CASE("a sample has the weights of its rows", {
    const Rows table({1.0, 2.0, 0.5, 3.0, 0.0, 1.0});
    for (bool bootstrap : {false, true}) {
        SampleOptions options;
        options.bootstrap = bootstrap;
        options.max_samples = 0.9;
        for (std::size_t tree = 0; tree < 20; ++tree) {
            const auto sample = draw_sample(options, tree, table.rows());
            for (std::size_t i = 0; i < sample.size(); ++i) {
                const double drawn = n_drawn(options, tree, table.keys[i], table.rows().n_observations(i));
                CHECK(sample[i] == table.rows().weight_of(i, drawn));
            }
        }
    }
});

CASE("a sample without rows takes one in proportion to its weight", {
    const Rows table({1.0, 3.0, 0.5});
    SampleOptions options;
    options.bootstrap = true;
    options.max_samples = 1e-9;
    std::vector<double> n(3, 0.0);
    for (std::size_t tree = 0; tree < 4500; ++tree) {
        const auto sample = draw_sample(options, tree, table.rows());
        std::size_t n_drawn = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            if (sample[i] == 0.0) continue;
            ++n_drawn;
            n[i] += 1.0;
            CHECK(sample[i] == table.weights[i] / std::max(1.0, std::floor(table.weights[i])));
        }
        CHECK(n_drawn == 1);
    }
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(n[i] - 1000.0 * table.weights[i]) < 160.0);
    CHECK(draw_sample(options, 0, {}).empty());
});

CASE("rows in the bag are those that the samples hold, for any number of threads", {
    const Rows table({1.0, 2.0, 1.0, 3.0});
    const std::vector<std::uint32_t> distinct = {3, 0, 0, 2, 1};
    for (bool bootstrap : {false, true}) {
        SampleOptions options;
        options.bootstrap = bootstrap;
        options.max_samples = 0.6;
        const InBag one(options, 0, 12, table.rows(), distinct, 1);
        const InBag two(options, 4, 8, table.rows(), distinct, 2);
        for (std::size_t tree = 0; tree < 12; ++tree) {
            const auto sample = draw_sample(options, tree, table.rows());
            for (std::size_t i = 0; i < distinct.size(); ++i) {
                const std::uint32_t row = distinct[i];
                CHECK(one(tree, i) == (bootstrap ? sample[row] > 0.0 : sample[row] >= table.weights[row]));
                if (tree >= 4) CHECK(one(tree, i) == two(tree - 4, i));
            }
        }
    }
});

CASE("a tree that took one row for want of others has seen it", {
    const Rows table({1.0, 1.0});
    SampleOptions options;
    options.max_samples = 1e-9;
    const std::vector<std::uint32_t> distinct = {0, 1};
    const InBag in_bag(options, 0, 1, table.rows(), distinct, 1);
    CHECK(in_bag(0, 0) != in_bag(0, 1));
    CHECK(in_bag.left_out(0, 0) + in_bag.left_out(0, 1) == 1.0);
});

CHECK_MAIN()
