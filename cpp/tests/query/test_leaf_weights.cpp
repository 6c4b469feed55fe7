#include <stdexcept>

#include "query/conditioned.hpp"
#include "tests/check.hpp"
#include "tests/query/random_mixture.hpp"

using namespace boxwood;

namespace {

QueryBox random_box(const Mixture& mixture, Draws& draws, std::size_t first, std::size_t end) {
    QueryBox box;
    for (std::size_t j = first; j < end; ++j) {
        if (draws.uniform() < 0.3) continue;
        box.columns.push_back(j);
        box.events.push_back(random_event(mixture.columns()[j], draws));
    }
    box.factor = 0.5 + draws.uniform();
    return box;
}

}  // namespace

CASE("weights of leaves are their masses times probabilities bin by bin", {
    for (const bool histograms : {true, false}) {
        const Mixture mixture = random_mixture(1, histograms);
        const LeafTable leaves(mixture, 1, {});
        Draws draws(2);
        for (int i = 0; i < 60; ++i) {
            const QueryBox box = random_box(mixture, draws, 0, 4);
            CHECK(is_close(weigh_leaves(leaves, box).total(), slow_probability(leaves, box)));
        }
    }
});

CASE("a joint question from the evidence's leaves is that of both at once", {
    const Mixture mixture = random_mixture(3, true);
    const LeafTable leaves(mixture, 1, {});
    const RulePointer rule = small_rule(mixture.columns());
    Draws draws(4);
    for (int i = 0; i < 60; ++i) {
        const QueryBox evidence = random_box(mixture, draws, 0, 2);
        QueryBox more = random_box(mixture, draws, 2, 4);
        QueryBox both = evidence;
        both.factor *= more.factor;
        both.columns.insert(both.columns.end(), more.columns.begin(), more.columns.end());
        both.events.insert(both.events.end(), more.events.begin(), more.events.end());
        const Conditioned conditioned(leaves, {evidence}, 1, {});
        CHECK(is_close(conditioned.probability(0, more), weigh_leaves(leaves, both).total()));
        // Rules of which the evidence asks nothing, and the question something.
        QueryBox kept = evidence;
        kept.kept_rules = {rule};
        QueryBox asked{{}, {}, {rule}, {}, 1.0};
        QueryBox ruled = evidence;
        ruled.rules = {rule};
        const Conditioned under(leaves, {kept}, 1, {});
        CHECK(is_close(under.probability(0, asked), weigh_leaves(leaves, ruled).total()));
    }
});

CASE("a column is not asked twice", {
    const Mixture mixture = random_mixture(5, true);
    const LeafTable leaves(mixture, 1, {});
    Draws draws(6);
    QueryBox box{{0}, {random_event(mixture.columns()[0], draws)}, {}, {}, 1.0};
    const Conditioned conditioned(leaves, {box}, 1, {});
    bool refused = false;
    try {
        conditioned.probability(0, box);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
});

CASE("one entry of a rule is a product of densities", {
    const Mixture mixture = random_mixture(7, true);
    const LeafTable leaves(mixture, 1, {});
    const RulePointer all = small_rule(mixture.columns());
    std::vector<double> factor{1.3, 0.0, 0.0};
    const auto single =
        std::make_shared<RuleEvent>(mixture.columns(), all->component(), factor,
                                    std::make_shared<const CubeEvent>(all->others()), all->parts());
    CHECK(single->single_entry() == 0);
    CHECK(all->single_entry() == RuleEvent::no_bin);
    RuleTerms terms(leaves, *single);
    double expected = 0.0;
    for (std::size_t leaf = 0; leaf < leaves.n_leaves(); ++leaf)
        expected += leaves.mass()[leaf] * terms.factor(leaf);
    CHECK(expected > 0.0);
    CHECK(is_close(weigh_leaves(leaves, {{}, {}, {single}, {}, 1.0}).total(), expected));
});

CHECK_MAIN()
