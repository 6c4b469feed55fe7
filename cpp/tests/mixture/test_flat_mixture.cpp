#include <functional>
#include <stdexcept>

#include "mixture/flat_mixture.hpp"
#include "tests/check.hpp"
#include "tests/tree/small_tree.hpp"

using boxwood::FlatMixture;
using boxwood::FlatMixtureView;
using boxwood::LeafKind;
using boxwood::MixtureTree;

namespace {

MixtureTree small_component(LeafKind kind, int first) {
    MixtureTree made{small_tree(), {}};
    made.leaves.kind = kind;
    const std::size_t pieces = made.tree.n_leaves * 3;
    if (kind == LeafKind::histogram) {
        made.leaves.n_leaf_bins = 2;
        for (std::size_t i = 0; i < pieces * 2; ++i)
            made.leaves.quantised.push_back(static_cast<std::uint8_t>(static_cast<std::size_t>(first) + i));
    }
    for (std::size_t i = 0; kind == LeafKind::gaussian && i < pieces; ++i) {
        made.leaves.mean.push_back(static_cast<float>(first) + static_cast<float>(i));
        made.leaves.deviation.push_back(0.5f);
    }
    return made;
}

FlatMixtureView view_of(const FlatMixture& flat) {
    return {flat.nodes.start,        flat.set_start,
            flat.nodes.feature,      flat.nodes.left,
            flat.nodes.threshold,    flat.mass,
            flat.nodes.count,        flat.sets,
            flat.words_per_set,      flat.leaves.kind,
            flat.leaves.n_leaf_bins, flat.leaves.quantised,
            flat.leaves.mean,        flat.leaves.deviation};
}

bool same(const MixtureTree& a, const MixtureTree& b) {
    bool good = a.tree.nodes.size() == b.tree.nodes.size() && a.tree.sets == b.tree.sets &&
                a.tree.words_per_set == b.tree.words_per_set && a.tree.n_leaves == b.tree.n_leaves &&
                a.leaves.kind == b.leaves.kind && a.leaves.n_leaf_bins == b.leaves.n_leaf_bins &&
                a.leaves.quantised == b.leaves.quantised && a.leaves.mean == b.leaves.mean &&
                a.leaves.deviation == b.leaves.deviation;
    for (std::size_t i = 0; good && i < a.tree.nodes.size(); ++i) {
        const auto& m = a.tree.nodes[i];
        const auto& n = b.tree.nodes[i];
        good = m.feature == n.feature && m.left == n.left && m.threshold == n.threshold && m.leaf == n.leaf &&
               m.mass == n.mass && m.count == n.count;
    }
    return good;
}

bool refused(FlatMixture flat, const std::function<void(FlatMixture&)>& spoil) {
    spoil(flat);
    try {
        boxwood::unflatten(view_of(flat));
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

CASE("trees and leaves come back from flat arrays", {
    for (LeafKind kind : {LeafKind::uniform, LeafKind::histogram, LeafKind::gaussian}) {
        const std::vector<MixtureTree> trees = {small_component(kind, 1), small_component(kind, 50)};
        const FlatMixture flat = boxwood::flatten(trees);
        const std::vector<MixtureTree> made = boxwood::unflatten(view_of(flat));
        CHECK(made.size() == 2 && same(made[0], trees[0]) && same(made[1], trees[1]));
        const auto second = boxwood::unflatten(view_of(boxwood::flatten(std::span(trees).subspan(1))));
        CHECK(second.size() == 1 && same(second[0], trees[1]));
    }
});

CASE("arrays that do not fit are refused", {
    const FlatMixture flat = boxwood::flatten(
        std::vector{small_component(LeafKind::histogram, 1), small_component(LeafKind::histogram, 2)});
    CHECK(!refused(flat, [](FlatMixture&) {}));
    CHECK(refused(flat, [](FlatMixture& f) { f.nodes.left.pop_back(); }));
    CHECK(refused(flat, [](FlatMixture& f) { f.mass.push_back(0.0); }));
    CHECK(refused(flat, [](FlatMixture& f) { f.nodes.start.back() = 13; }));
    CHECK(refused(flat, [](FlatMixture& f) { f.nodes.start = {0, 20, 14}; }));
    CHECK(refused(flat, [](FlatMixture& f) { f.nodes.start = {}; }));
    CHECK(refused(flat, [](FlatMixture& f) { f.set_start = {0, 2}; }));
    CHECK(refused(flat, [](FlatMixture& f) { f.sets.pop_back(); }));
    CHECK(refused(flat, [](FlatMixture& f) { f.words_per_set = 2000; }));
    CHECK(refused(flat, [](FlatMixture& f) { f.leaves.quantised.pop_back(); }));
    CHECK(refused(flat, [](FlatMixture& f) { f.leaves.mean.push_back(0.5f); }));
    bool none = false;
    try {
        boxwood::flatten({});
    } catch (const std::invalid_argument&) {
        none = true;
    }
    CHECK(none);
});

CASE("kinds of leaves have names", {
    for (LeafKind kind : {LeafKind::uniform, LeafKind::histogram, LeafKind::gaussian})
        CHECK(boxwood::leaf_kind_of(boxwood::name_of(kind)) == kind);
    bool unknown = false;
    try {
        boxwood::leaf_kind_of("cubic");
    } catch (const std::invalid_argument&) {
        unknown = true;
    }
    CHECK(unknown);
});

CHECK_MAIN()
