#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/check.hpp"
#include "tests/tree/small_table.hpp"
#include "tree/box.hpp"
#include "tree/density/grow_density_tree.hpp"

using boxwood::BinnedRows;
using boxwood::Box;
using boxwood::CriterionKind;
using boxwood::grow_density_tree;
using boxwood::GrownDensityTree;
using boxwood::GrowOptions;

namespace {

const CriterionKind criteria[] = {CriterionKind::log_likelihood,   CriterionKind::loo,
                                  CriterionKind::squared_error,    CriterionKind::nonuniformity,
                                  CriterionKind::gaussian_entropy, CriterionKind::product_likelihood};

bool holds(const GrownDensityTree& grown, const BinnedRows& data, const Box& box, std::uint32_t row) {
    for (std::size_t j = 0; j < data.n_columns(); ++j) {
        const std::uint32_t bin =
            data.exact(j) ? grown.columns[j].bin_of(data.place(row, j)) : data.bin(row, j);
        bool inside = false;
        for (std::size_t k = 0; k < box.n_bins(j); ++k) inside = inside || box.bin(j, k) == bin;
        if (!inside) return false;
    }
    return true;
}

// Rows of every node are those in its box, once each; volumes and counts are the box's.
void check_grown(const GrownDensityTree& grown, const BinnedRows& data) {
    std::vector<Box> boxes(1, Box(grown.columns));
    const auto& nodes = grown.tree.nodes;
    boxes.resize(nodes.size(), boxes[0]);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        double weight = 0.0;
        for (std::size_t k = grown.begin[i]; k < grown.end[i]; ++k) {
            CHECK(holds(grown, data, boxes[i], grown.rows[k]));
            weight += data.weight(grown.rows[k]);
        }
        CHECK(weight == nodes[i].count);
        CHECK(std::abs(grown.log_volume[i] - boxes[i].log_volume()) < 1e-9);
        if (nodes[i].is_leaf()) continue;
        const std::size_t left = nodes[i].left;
        CHECK(grown.begin[left] == grown.begin[i] && grown.end[left] == grown.begin[left + 1] &&
              grown.end[left + 1] == grown.end[i]);
        for (bool is_left : {true, false})
            boxes[left + (is_left ? 0 : 1)] = boxes[i].child(grown.tree, nodes[i], is_left);
        CHECK(std::abs(grown.left_fraction[i] - std::exp(boxes[left].log_volume() - boxes[i].log_volume())) <
              1e-9);
    }
}

bool same_trees(const GrownDensityTree& a, const GrownDensityTree& b) {
    if (a.tree.nodes.size() != b.tree.nodes.size() || a.tree.sets != b.tree.sets) return false;
    for (std::size_t i = 0; i < a.tree.nodes.size(); ++i) {
        const auto& m = a.tree.nodes[i];
        const auto& n = b.tree.nodes[i];
        if (m.feature != n.feature || m.left != n.left || m.threshold != n.threshold || m.count != n.count)
            return false;
    }
    return a.gain == b.gain;
}

}  // namespace

CASE("rows of a node lie in its box", {
    for (CriterionKind criterion : criteria) {
        for (bool exact : {false, true}) {
            for (bool best_first : {false, true}) {
                const SmallTable table(120, 2, 2, 3, exact);
                GrowOptions options;
                options.criterion = criterion;
                options.best_first = best_first;
                options.max_leaf_nodes = best_first ? 20 : std::numeric_limits<std::size_t>::max();
                const auto data = table.data();
                const GrownDensityTree grown = grow_density_tree(data, options);
                CHECK(grown.tree.n_leaves > 3);
                check_grown(grown, data);
                CHECK(grown.tree.n_leaves <= options.max_leaf_nodes);
            }
        }
    }
});

CASE("limits hold", {
    const SmallTable table(200, 3, 1, 4);
    const auto data = table.data();
    GrowOptions options;
    options.max_depth = 3;
    CHECK(grow_density_tree(data, options).tree.n_leaves <= 8);
    options.max_depth = 0;
    CHECK(grow_density_tree(data, options).tree.n_leaves == 1);
    options = {};
    options.min_samples_leaf = 10.0;
    for (const auto& node : grow_density_tree(data, options).tree.nodes)
        CHECK(node.count >= 10.0 || node.count == 0.0);
    options = {};
    options.min_samples_split = 50.0;
    for (const auto& node : grow_density_tree(data, options).tree.nodes)
        CHECK(node.is_leaf() || node.count >= 50.0);
    options = {};
    options.max_leaf_nodes = 7;
    CHECK(grow_density_tree(data, options).tree.n_leaves == 7);
    options = {};
    options.min_gain = 3.0;
    const GrownDensityTree grown = grow_density_tree(data, options);
    for (std::size_t i = 0; i < grown.gain.size(); ++i)
        CHECK(grown.tree.nodes[i].is_leaf() || grown.gain[i] > 3.0);
});

CASE("best-first growth takes gains in descending order where they cannot grow", {
    const SmallTable table(300, 2, 0, 5);
    const auto data = table.data();
    GrowOptions options;
    options.best_first = true;
    const GrownDensityTree all = grow_density_tree(data, options);
    options.max_leaf_nodes = 10;
    const GrownDensityTree some = grow_density_tree(data, options);
    for (std::size_t i = 0; i < some.tree.nodes.size(); ++i) {  // a prefix of the same growth
        CHECK(some.tree.nodes[i].count == all.tree.nodes[i].count);
        CHECK(some.tree.nodes[i].is_leaf() || some.tree.nodes[i].left == all.tree.nodes[i].left);
    }
});

CASE("depth-first and best-first growth to the end give the same leaves", {
    const SmallTable table(150, 2, 1, 6);
    const auto data = table.data();
    GrowOptions options;
    options.max_features = 1;  // draws depend on the path, not on the order of growth
    options.seed = 11;
    const GrownDensityTree depth_first = grow_density_tree(data, options);
    options.best_first = true;
    const GrownDensityTree best_first = grow_density_tree(data, options);
    auto sizes = [](const GrownDensityTree& grown) {
        std::vector<double> volumes;
        for (std::size_t i = 0; i < grown.tree.nodes.size(); ++i) {
            if (grown.tree.nodes[i].is_leaf()) volumes.push_back(grown.log_volume[i]);
        }
        std::sort(volumes.begin(), volumes.end());
        return volumes;
    };
    CHECK(sizes(depth_first) == sizes(best_first));
});

CASE("seeds matter where something is drawn, and there alone", {
    const SmallTable table(150, 3, 0, 6);
    const auto data = table.data();
    GrowOptions options;
    const GrownDensityTree plain = grow_density_tree(data, options);
    options.seed = 5;
    CHECK(same_trees(plain, grow_density_tree(data, options)));
    options.max_features = 1;
    const GrownDensityTree five = grow_density_tree(data, options);
    CHECK(same_trees(five, grow_density_tree(data, options)));
    options.seed = 6;
    CHECK(!same_trees(five, grow_density_tree(data, options)));
});

CASE("bootstrap copies: with plain copies leave-one-out overfits uniform data, leaving all out it does not", {
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> uniform;
    double plain_leaves = 0.0;
    double proper_leaves = 0.0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        SmallTable table(400, 2, 0, seed, true);
        for (double& point : table.points) point = uniform(random);
        std::poisson_distribution<int> poisson(1.0);
        for (double& w : table.weights) w = poisson(random);
        BinnedRows data = table.data();
        GrowOptions options;
        options.criterion = CriterionKind::loo;
        options.min_gain = 0.0;
        plain_leaves += static_cast<double>(grow_density_tree(data, options).tree.n_leaves);
        data.leave_out = table.weights.data();
        proper_leaves += static_cast<double>(grow_density_tree(data, options).tree.n_leaves);
    }
    CHECK(proper_leaves < 0.6 * plain_leaves);
});

CASE("an interrupt is called at every node that may be split and stops growth", {
    const SmallTable table(200, 2, 0, 7);
    const auto data = table.data();
    std::size_t calls = 0;
    const GrownDensityTree grown = grow_density_tree(data, {}, [&] { ++calls; });
    std::size_t n_large = 0;
    for (const auto& node : grown.tree.nodes) n_large += node.count >= 2.0 ? 1 : 0;
    CHECK(calls == n_large);
    bool stopped = false;
    calls = 0;
    try {
        grow_density_tree(data, {}, [&] {
            if (++calls == 5) throw std::runtime_error("Ctrl-C");
        });
    } catch (const std::runtime_error&) {
        stopped = true;
    }
    CHECK(stopped && calls == 5);
});

CASE("rows without weight, no rows at all, nodes without rows", {
    SmallTable table(60, 2, 1, 8);
    for (std::size_t i = 0; i < 60; i += 2) table.weights[i] = 0.0;
    auto data = table.data();
    CHECK(grow_density_tree(data, {}).rows.size() == 30);
    for (CriterionKind criterion : criteria) {
        GrowOptions options;
        options.criterion = criterion;
        options.min_samples_leaf = 0.0;
        options.min_samples_split = 0.0;
        options.max_depth = 30;
        const GrownDensityTree grown = grow_density_tree(data, options);
        for (std::size_t i = 0; i < grown.tree.nodes.size(); ++i) {
            CHECK(grown.tree.nodes[i].is_leaf() || grown.begin[i] < grown.end[i]);
        }
        auto none = data;
        none.n_rows = 0;
        CHECK(grow_density_tree(none, options).tree.n_leaves == 1);
    }
});

CASE("where rows are held-out, a tree grows as ever on their ways and nowhere else", {
    for (bool exact : {false, true}) {
        for (bool best_first : {false, true}) {
            const SmallTable table(200, 2, 1, 4, exact, 64);
            auto data = table.data();
            std::vector<double> weights = table.weights;
            const std::vector<std::uint32_t> held_out = {3, 50, 51};
            for (std::uint32_t row : held_out) weights[row] = 0.0;
            data.weights = weights.data();
            GrowOptions options;
            options.criterion = CriterionKind::product_likelihood;
            options.best_first = best_first;
            options.max_features = 2;
            const GrownDensityTree whole = grow_density_tree(data, options);
            data.held_out = &held_out;
            const GrownDensityTree part = grow_density_tree(data, options);
            CHECK(part.tree.nodes.size() < whole.tree.nodes.size());
            std::vector<char> passed(part.tree.nodes.size(), 0);
            for (std::uint32_t row : held_out) {
                std::uint32_t at = 0;
                std::uint32_t other = 0;
                while (!part.tree.nodes[at].is_leaf()) {
                    const auto& node = part.tree.nodes[at];
                    const auto& counterpart = whole.tree.nodes[other];
                    passed[at] = 1;
                    CHECK(node.feature == counterpart.feature && node.count == counterpart.count);
                    const auto j = static_cast<std::size_t>(node.feature);
                    const auto goes_left = [&](const GrownDensityTree& grown, const boxwood::TreeNode& here) {
                        const std::uint32_t bin =
                            data.exact(j) ? grown.columns[j].bin_of(data.place(row, j)) : data.bin(row, j);
                        return grown.tree.goes_left(here, bin, (*data.columns)[j].categorical);
                    };
                    CHECK(goes_left(part, node) == goes_left(whole, counterpart));
                    at = node.left + (goes_left(part, node) ? 0 : 1);
                    other = counterpart.left + (goes_left(whole, counterpart) ? 0 : 1);
                }
                CHECK(whole.tree.nodes[other].is_leaf());
            }
            for (std::size_t i = 0; i < passed.size(); ++i) CHECK(part.tree.nodes[i].is_leaf() || passed[i]);
        }
    }
});

CASE("exact thresholds become bin edges", {
    const SmallTable table(80, 2, 0, 9, true);
    const auto data = table.data();
    const GrownDensityTree grown = grow_density_tree(data, {});
    for (std::size_t j = 0; j < 2; ++j) {
        boxwood::check_bin_edges(grown.columns[j]);
        std::vector<char> used(grown.columns[j].n_bins(), 0);
        for (const auto& node : grown.tree.nodes) {
            if (node.feature == static_cast<std::int32_t>(j)) used[node.threshold] = 1;
        }
        for (std::size_t k = 1; k < used.size(); ++k) CHECK(used[k]);
    }
});

CHECK_MAIN()
