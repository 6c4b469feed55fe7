#include <cmath>

#include "mixture/leaf_density.hpp"
#include "tests/check.hpp"
#include "tests/tree/small_tree.hpp"

using boxwood::Box;
using boxwood::ColumnEvent;
using boxwood::LeafColumn;
using boxwood::LeafKind;
using boxwood::Leaves;

namespace {

Leaves small_leaves(LeafKind kind) {
    Leaves leaves;
    leaves.kind = kind;
    if (kind == LeafKind::histogram) {
        leaves.n_leaf_bins = 3;
        for (int i = 0; i < 4 * 3 * 3; ++i)
            leaves.quantised.push_back(static_cast<std::uint8_t>(255 - 16 * (i * 5 % 7)));
    } else if (kind == LeafKind::gaussian) {
        for (int i = 0; i < 4 * 3; ++i) {
            leaves.mean.push_back(0.1f * static_cast<float>(i % 8));
            leaves.deviation.push_back(0.05f + 0.1f * static_cast<float>(i % 3));
        }
    }
    return leaves;
}

ColumnEvent interval(double low, double high) { return {ColumnEvent::Kind::interval, low, high, {}}; }

}  // namespace

CASE("bins, intervals and draws of every piece agree", {
    const auto columns = small_columns();
    const auto tree = small_tree();
    const Box left = Box(columns).child(tree, tree.nodes[0], true);
    const Box boxes[] = {Box(columns), left, left.child(tree, tree.nodes[1], true),
                         left.child(tree, tree.nodes[1], false)};
    for (LeafKind kind : {LeafKind::uniform, LeafKind::histogram, LeafKind::gaussian}) {
        const Leaves leaves = small_leaves(kind);
        for (std::size_t leaf = 0; leaf < 4; ++leaf) {
            for (std::size_t j = 0; j < 3; ++j) {
                const LeafColumn piece{&leaves, leaf, &boxes[leaf], j};
                const auto& u = columns[j].u;
                std::vector<double> mass(u.size() - 1, 0.0);
                boxwood::add_bin_masses(piece, 1.0, mass.data());
                double sum = 0.0;
                for (std::size_t bin = 0; bin < mass.size(); ++bin) {
                    sum += mass[bin];
                    CHECK(std::abs(mass[bin] - boxwood::probability_of(piece, interval(u[bin], u[bin + 1]))) <
                          1e-14);
                    ColumnEvent event{ColumnEvent::Kind::bins, 0.0, 1.0, std::vector<char>(mass.size(), 0)};
                    event.bins[bin] = 1;
                    CHECK(std::abs(mass[bin] - boxwood::probability_of(piece, event)) < 1e-14);
                }
                CHECK(std::abs(sum - 1.0) < 1e-13);
                CHECK(boxwood::probability_of(piece, {}) == 1.0);
                CHECK(boxwood::probability_of(piece, interval(0.7, 0.2)) == 0.0);
                std::vector<double> drawn(mass.size(), 0.0);
                boxwood::Draws draws(leaf * 3 + j);
                const int n = 20000;
                for (int i = 0; i < n; ++i)
                    drawn[columns[j].bin_of(boxwood::draw_from(piece, draws))] += 1.0 / n;
                for (std::size_t bin = 0; bin < mass.size(); ++bin) {
                    CHECK(mass[bin] == 0.0
                              ? drawn[bin] == 0.0
                              : std::abs(drawn[bin] - mass[bin]) < 5.0 * std::sqrt(mass[bin] / n));
                }
            }
        }
    }
});

CASE("a Gaussian far out in the tail keeps its mass", {
    const std::vector<boxwood::BinEdges> columns = {{{0.0, 0.5, 0.50001, 1.0}}};
    Leaves leaves;
    leaves.kind = LeafKind::gaussian;
    leaves.mean = {0.0f};
    leaves.deviation = {0.02f};
    const Box box(columns);
    const LeafColumn piece{&leaves, 0, &box, 0};
    // Φ(−25): cancellation in 1 − Φ(25) would leave nothing.
    const double tail = boxwood::probability_of(piece, interval(0.5, 1.0));
    CHECK(tail > 5e-138 && tail < 7e-138);
    CHECK(std::abs(boxwood::gaussian_log_weight(0.3, 0.1, 0.1) + 2.0) < 1e-12);
});

CHECK_MAIN()
