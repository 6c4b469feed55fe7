#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "tests/check.hpp"
#include "tree/row_sample.hpp"

using boxwood::draw_sample;
using boxwood::InBag;
using boxwood::is_out_of_bag;
using boxwood::RowsToSample;
using boxwood::SampleOptions;
using boxwood::weight_in_sample;
using boxwood::WeightKind;

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
        const double w = weight_in_sample(options, static_cast<std::size_t>(i % 100),
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

double sum_of(const std::vector<double>& values) {
    double sum = 0.0;
    for (double value : values) sum += value;
    return sum;
}

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
    for (int i = 0; i < 100; ++i) {
        const auto key = static_cast<std::uint64_t>(i);
        const double w = weight_in_sample(options, 1, key, 2.5);
        CHECK(w == 0.0 || w == 0.5 || w == 1.0 || w == 1.5 || w == 2.0 || w == 2.5);
        CHECK(weight_in_sample(options, 1, key, 0.0) == 0.0);
    }
    options.max_samples = 1.0;
    for (double weight : {0.5, 1.0, 7.25, 1000.0}) CHECK(weight_in_sample(options, 0, 3, weight) == weight);
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
        const double a = weight_in_sample(options, 0, boxwood::mix_bits(key), 1.0) - 0.5;
        trees += 4.0 * a * (weight_in_sample(options, 1, boxwood::mix_bits(key), 1.0) - 0.5);
        rows += 4.0 * a * (weight_in_sample(options, 0, boxwood::mix_bits(key + 1), 1.0) - 0.5);
    }
    CHECK(std::abs(trees) < 500.0 && std::abs(rows) < 500.0);
    SampleOptions other = options;
    other.seed = 1;
    int equal = 0;
    for (std::uint64_t key = 0; key < 1000; ++key) {
        equal += weight_in_sample(options, 0, key, 1.0) == weight_in_sample(other, 0, key, 1.0) ? 1 : 0;
    }
    CHECK(equal > 400 && equal < 600);
});

CASE("which rows a tree has not seen", {
    SampleOptions options;
    CHECK(is_out_of_bag(options, 0.0, 1.0) && is_out_of_bag(options, 1.0, 2.0) &&
          !is_out_of_bag(options, 2.0, 2.0));
    options.bootstrap = true;
    CHECK(is_out_of_bag(options, 0.0, 1.0) && !is_out_of_bag(options, 1.0, 2.0));
});

CASE("a fraction of an importance weight scales the copies of its row", {
    SampleOptions options;
    options.bootstrap = true;
    options.weights = WeightKind::importance;
    for (double weight : {0.3, 1.0, 2.5, 7.0}) {
        const double copies = std::max(1.0, std::floor(weight));
        double mean = 0.0;
        for (std::uint64_t key = 0; key < 20000; ++key) {
            const double w = weight_in_sample(options, 3, boxwood::mix_bits(key), weight);
            const double n = w / (weight / copies);
            CHECK(std::abs(n - std::round(n)) < 1e-9);
            mean += w / 20000.0;
        }
        CHECK(std::abs(mean - weight) < 5.0 * weight / std::sqrt(20000.0 * copies));
    }
    // Of integer weights both kinds are one.
    SampleOptions frequency = options;
    frequency.weights = WeightKind::frequency;
    for (std::uint64_t key = 0; key < 100; ++key) {
        for (double weight : {1.0, 2.0, 30.0})
            CHECK(weight_in_sample(options, 1, key, weight) == weight_in_sample(frequency, 1, key, weight));
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
            if (sum_of(sample) == sum_of(table.weights)) continue;
            for (std::size_t i = 0; i < sample.size(); ++i)
                CHECK(sample[i] == weight_in_sample(options, tree, table.keys[i], table.weights[i]));
        }
    }
});

CASE("a sample without rows takes all of them, or one in proportion to its weight", {
    const Rows table({1.0, 3.0, 0.5});
    SampleOptions options;
    options.bootstrap = true;
    options.max_samples = 1e-9;
    CHECK(draw_sample(options, 5, table.rows()) == table.weights);
    options.weights = WeightKind::importance;
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
                CHECK(one(tree, i) == !is_out_of_bag(options, sample[row], table.weights[row]));
                if (tree >= 4) CHECK(one(tree, i) == two(tree - 4, i));
            }
        }
    }
});

CASE("a tree that took all rows has seen them", {
    const Rows table({1.0, 1.0});
    SampleOptions options;
    options.max_samples = 1e-9;
    const std::vector<std::uint32_t> distinct = {0, 1};
    const InBag in_bag(options, 0, 1, table.rows(), distinct, 1);
    CHECK(in_bag(0, 0) && in_bag(0, 1));
});

CHECK_MAIN()
