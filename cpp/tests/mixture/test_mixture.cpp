#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>

#include "mixture/leaf_density.hpp"
#include "mixture/mixture.hpp"
#include "tests/check.hpp"
#include "tests/tree/small_tree.hpp"

using boxwood::ColumnEvent;
using boxwood::LeafKind;
using boxwood::Leaves;
using boxwood::Mixture;

namespace {

Leaves leaves_of(LeafKind kind) {
    Leaves leaves;
    leaves.kind = kind;
    leaves.n_leaf_bins = kind == LeafKind::histogram ? 2 : 0;
    for (int i = 0; kind == LeafKind::histogram && i < 4 * 3 * 2; ++i)
        leaves.quantised.push_back(static_cast<std::uint8_t>(100 + 50 * (i % 4)));
    for (int i = 0; kind == LeafKind::gaussian && i < 4 * 3; ++i) {
        leaves.mean.push_back(0.2f + 0.1f * static_cast<float>(i % 5));
        leaves.deviation.push_back(0.2f);
    }
    return leaves;
}

Mixture small_mixture(LeafKind kind) {
    return Mixture(small_columns(), {{small_tree(), leaves_of(kind)}, {small_tree(), leaves_of(kind)}},
                   {0.25, 0.75});
}

double log_density(const Mixture& mixture, std::vector<double> point) {
    double out = 0.0;
    mixture.log_density(point.data(), 1, &out, 1, {});
    return out;
}

bool is_refused(const std::function<Mixture()>& make) {
    try {
        make();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

CASE("densities of uniform leaves by hand", {
    const Mixture mixture = small_mixture(LeafKind::uniform);
    CHECK(std::abs(log_density(mixture, {0.5, 0.9, 0.1}) - std::log(0.25 / 0.6)) < 1e-12);
    CHECK(std::abs(log_density(mixture, {0.1, 0.9, 0.25}) - std::log(0.25 / (0.4 * 0.2))) < 1e-12);
    CHECK(std::abs(log_density(mixture, {0.1, 0.2, 0.1}) - std::log(0.125 / (0.4 * 0.8 * 0.5))) < 1e-12);
    CHECK(std::abs(log_density(mixture, {0.1, 0.5, 0.1}) - std::log(0.375 / (0.4 * 0.8 * 0.5))) < 1e-12);
    // With the category unknown: both ways at the node that asks for it.
    const double expected = 0.25 / 0.4 + 0.125 / (0.4 * 0.5);
    CHECK(std::abs(log_density(mixture, {0.1, 0.2, std::nan("")}) - std::log(expected)) < 1e-12);
});

CASE("densities integrate to probabilities", {
    for (LeafKind kind : {LeafKind::uniform, LeafKind::histogram, LeafKind::gaussian}) {
        const Mixture mixture = small_mixture(kind);
        const int n = 40;
        double sum = 0.0;
        for (int a = 0; a < n; ++a) {
            for (int b = 0; b < n; ++b) {
                for (int c = 0; c < n; ++c) {
                    const auto at = [&](int k) { return (k + 0.5) / n; };
                    if (at(a) > 0.6 || at(b) < 0.5) continue;
                    sum += std::exp(log_density(mixture, {at(a), at(b), at(c)})) / (n * n * n);
                }
            }
        }
        std::vector<ColumnEvent> events(3);
        events[0] = {ColumnEvent::Kind::interval, 0.0, 0.6, {}};
        events[1] = {ColumnEvent::Kind::interval, 0.5, 1.0, {}};
        CHECK(std::abs(sum / mixture.probability(events) - 1.0) < 2e-3);
        for (std::size_t j = 0; j < 3; ++j) {
            double total = 0.0;
            for (double mass : mixture.marginal(j)) total += mass;
            CHECK(std::abs(total - 1.0) < 1e-12);
        }
    }
});

CASE("blocks of rows and threads leave no trace", {
    for (LeafKind kind : {LeafKind::uniform, LeafKind::histogram, LeafKind::gaussian}) {
        const Mixture mixture = small_mixture(kind);
        const std::size_t n = 2000;
        std::vector<double> points(3 * n);
        mixture.sample(n, 1, points.data());
        for (std::size_t i = 0; i < n; i += 5) points[3 * i + i % 3] = std::nan("");
        std::vector<double> one(n);
        mixture.log_density(points.data(), n, one.data(), 1, {});
        for (std::size_t n_threads : {2u, 3u}) {
            std::vector<double> more(n);
            mixture.log_density(points.data(), n, more.data(), n_threads, [](std::size_t) {});
            CHECK(one == more);
        }
        for (std::size_t i = 0; i < n; i += 37) {
            double alone = 0.0;
            mixture.log_density(points.data() + 3 * i, 1, &alone, 1, {});
            CHECK(alone == one[i]);
        }
    }
});

CASE("out of bag: only the trees that did not see a row", {
    auto other = small_tree();
    other.nodes[1].mass = 0.25;  // twice the mass on the right half
    other.nodes[2].mass = 0.75;
    other.nodes[3].mass = 0.125;
    other.nodes[4].mass = 0.125;
    other.nodes[5].mass = 0.0625;
    other.nodes[6].mass = 0.0625;
    const Mixture mixture(small_columns(), {{small_tree(), {}}, {other, {}}}, {0.5, 0.5});
    const std::vector<double> points = {0.9, 0.5, 0.5, 0.9, 0.5, 0.5, 0.9, 0.5, 0.5, 0.9, 0.5, 0.5};
    std::vector<boxwood::UnseenScore> out(4);
    const auto left_out = [](std::size_t tree, std::size_t row) {
        return row == 3 || (row == 1 && tree == 1) ? 0.0 : (row == 0 && tree == 0 ? 0.25 : 1.0);
    };
    std::vector<double> all(4);
    mixture.log_density_with_out_of_bag(points.data(), 4, left_out, all.data(), out.data(), 1, {});
    CHECK(std::abs(out[0].all - std::log((0.25 * 0.25 + 0.75) / 1.25 / 0.6)) < 1e-12);
    CHECK(std::abs(out[1].all - std::log(0.25 / 0.6)) < 1e-12);
    CHECK(std::abs(out[2].all - std::log(0.5 / 0.6)) < 1e-12);
    CHECK(std::isnan(out[3].all));
    CHECK(std::abs(out[0].n_trees - 1.25 * 1.25 / 1.0625) < 1e-12 && out[2].n_trees == 2.0);
    CHECK(std::isnan(out[2].of_quarters) && out[3].n_trees == 0.0);  // two trees make no four quarters
});

CASE("leaves without mass have no density, and are never drawn", {
    auto tree = small_tree();
    tree.nodes[1].mass = 1.0;
    tree.nodes[2].mass = 0.0;
    tree.nodes[4].mass = 0.75;
    tree.nodes[6].mass = 0.625;
    const Mixture mixture(small_columns(), {{tree, {}}}, {1.0});
    CHECK(log_density(mixture, {0.9, 0.5, 0.5}) == -INFINITY);
    CHECK(log_density(mixture, {0.9, std::nan(""), 0.5}) == -INFINITY);
    std::vector<double> points(3 * 1000);
    mixture.sample(1000, 1, points.data());
    for (std::size_t i = 0; i < 1000; ++i) CHECK(points[3 * i] < 0.4);
});

CASE("draws depend on the seed and the number of the row", {
    const Mixture mixture = small_mixture(LeafKind::histogram);
    std::vector<double> few(3 * 10);
    std::vector<double> many(3 * 100);
    mixture.sample(10, 3, few.data());
    mixture.sample(100, 3, many.data());
    for (std::size_t i = 0; i < few.size(); ++i) CHECK(few[i] == many[i]);
});

CASE("even draws have the mass of every leaf, to one draw", {
    auto other = small_tree();
    other.nodes[1].mass = 0.25;
    other.nodes[2].mass = 0.75;
    other.nodes[3].mass = 0.125;
    other.nodes[4].mass = 0.125;
    other.nodes[5].mass = 0.0625;
    other.nodes[6].mass = 0.0625;
    const std::size_t n = 1000;
    for (const std::vector<double>& weights : {std::vector<double>{0.3, 0.7}, {1.0, 0.0}, {0.0, 1.0}}) {
        const Mixture mixture(small_columns(), {{small_tree(), {}}, {other, {}}}, weights);
        std::vector<double> points(3 * n);
        mixture.sample_evenly(n, 5, points.data());
        double left = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            left += points[3 * i] < 0.4 ? 1.0 : 0.0;
            for (std::size_t j = 0; j < 3; ++j) CHECK(points[3 * i + j] >= 0.0 && points[3 * i + j] <= 1.0);
        }
        const double expected = weights[0] * small_tree().nodes[1].mass + weights[1] * other.nodes[1].mass;
        CHECK(std::abs(left - expected * n) <= 2.0);  // a boundary in either tree
        std::vector<double> again(3 * n);
        mixture.sample_evenly(n, 5, again.data());
        CHECK(points == again);
    }
});

CASE("even draws spare leaves without mass", {
    auto tree = small_tree();
    tree.nodes[1].mass = 1.0;
    tree.nodes[2].mass = 0.0;
    tree.nodes[4].mass = 0.75;
    tree.nodes[6].mass = 0.625;
    const Mixture mixture(small_columns(), {{tree, {}}}, {1.0});
    std::vector<double> points(3 * 1000);
    mixture.sample_evenly(1000, 1, points.data());
    for (std::size_t i = 0; i < 1000; ++i) CHECK(points[3 * i] < 0.4);
});

CASE("what is no mixture is refused", {
    const auto columns = small_columns();
    const auto tree = small_tree();
    const Leaves uniform;
    CHECK(!is_refused([&] { return Mixture(columns, {{tree, uniform}}, {1.0}); }));
    CHECK(is_refused([&] { return Mixture(columns, {}, {}); }));
    CHECK(is_refused([&] { return Mixture(columns, {{tree, uniform}}, {0.5, 0.5}); }));
    CHECK(is_refused([&] { return Mixture(columns, {{tree, uniform}}, {0.9}); }));
    CHECK(is_refused([&] { return Mixture(columns, {{tree, uniform}}, {std::nan("")}); }));
    CHECK(is_refused([&] { return Mixture(columns, {{tree, uniform}, {tree, uniform}}, {2.0, -1.0}); }));
    CHECK(is_refused([&] { return Mixture({columns[0]}, {{tree, uniform}}, {1.0}); }));
    for (LeafKind kind : {LeafKind::histogram, LeafKind::gaussian}) {
        const auto refuses = [&](const std::function<void(Leaves&)>& change) {
            Leaves leaves = leaves_of(kind);
            change(leaves);
            return is_refused([&] { return Mixture(columns, {{tree, leaves}}, {1.0}); });
        };
        CHECK(!refuses([](Leaves&) {}));
        if (kind == LeafKind::histogram) {
            CHECK(refuses([](Leaves& l) { l.quantised.pop_back(); }));
            CHECK(refuses([](Leaves& l) { l.n_leaf_bins = 0; }));
            CHECK(refuses([](Leaves& l) { l.n_leaf_bins = std::size_t{1} << 60; }));
        } else {
            CHECK(refuses([](Leaves& l) { l.mean.pop_back(); }));
            CHECK(refuses([](Leaves& l) { l.mean[0] = NAN; }));
            CHECK(refuses([](Leaves& l) { l.deviation[0] = 0.0f; }));
            CHECK(refuses([](Leaves& l) { l.mean[0] = 1e30f; }));
        }
    }
});

CASE("events need a flag a bin and ends that are numbers", {
    const Mixture mixture = small_mixture(LeafKind::uniform);
    for (int wrong = 0; wrong < 3; ++wrong) {
        std::vector<ColumnEvent> events(wrong == 0 ? 2 : 3);
        if (wrong == 1) events[0] = {ColumnEvent::Kind::bins, 0.0, 1.0, {1, 0}};
        if (wrong == 2) events[0] = {ColumnEvent::Kind::interval, std::nan(""), 1.0, {}};
        bool refused = false;
        try {
            mixture.probability(events);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
    }
});

CHECK_MAIN()
