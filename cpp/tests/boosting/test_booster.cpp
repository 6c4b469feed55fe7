#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "base/random.hpp"
#include "boosting/booster.hpp"
#include "tests/boosting/diagonal.hpp"
#include "tests/check.hpp"

using boxwood::Booster;
using boxwood::CubeRows;
using boxwood::Draws;
using boxwood::MapChain;
using boxwood::MapGrowOptions;
using boxwood::testing::diagonal;

namespace {

MapChain none() { return {2, {}, {}}; }

const auto nothing = [] {};

}  // namespace

CASE("boosting finds a diagonal and knows where to stop", {
    Booster booster(diagonal(2000, 1), diagonal(500, 2), {}, none());
    booster.run(300, 20, nothing);
    CHECK(booster.n_rounds() == booster.held_out_score().size());
    CHECK(booster.best_round() > 10);
    const auto& scores = booster.held_out_score();
    const double best = *std::max_element(scores.begin(), scores.end());
    CHECK(scores[booster.best_round() - 1] == best);
    CHECK(best > 1.5);  // of log 10 = 2.3, less what the edges cost
    double sum = 0.0;
    for (const double log_density : booster.held_out_log_density()) sum += log_density;
    CHECK(std::abs(sum / 500.0 - best) < 1e-12);
    for (const double gain : booster.importance()) CHECK(gain > 0.0);
});

CASE("in one go or in many, and begun again", {
    Booster one(diagonal(500, 1), diagonal(100, 2), {}, none());
    one.run(30, 0, nothing);
    Booster many(diagonal(500, 1), diagonal(100, 2), {}, none());
    for (std::size_t n = 1; n <= 30; n += 5) many.run(n, 0, nothing);
    many.run(30, 0, nothing);
    MapChain start = one.chain();
    start.cut_to(12);
    CHECK(start.n_trees() == 12);
    Booster again(diagonal(500, 1), diagonal(100, 2), {}, start);
    CHECK(again.best_round() == 12);
    again.run(30, 0, nothing);
    for (const Booster* other : {&many, &again}) {
        CHECK(other->held_out_score() == one.held_out_score());
        CHECK(other->chain().ends == one.chain().ends);
    }
});

CASE("weight 2 is the row twice", {
    CubeRows once = diagonal(300, 3);
    CubeRows twice = once;
    twice.points.insert(twice.points.end(), once.points.begin(), once.points.end());
    once.weights.assign(300, 2.0);
    Booster a(once, diagonal(50, 4), {}, none());
    Booster b(twice, diagonal(50, 4), {}, none());
    a.run(20, 0, nothing);
    b.run(20, 0, nothing);
    CHECK(a.held_out_score() == b.held_out_score());
});

CASE("without held-out rows all rounds count", {
    Booster booster(diagonal(200, 1), {2, {}, {}}, {}, none());
    booster.run(7, 3, nothing);
    CHECK(booster.n_rounds() == 7 && booster.best_round() == 7);
});

CASE("a check that throws stops it between rounds", {
    Booster booster(diagonal(200, 1), diagonal(50, 2), {}, none());
    int n_left = 3;
    bool thrown = false;
    try {
        booster.run(100, 0, [&] {
            if (n_left-- == 0) throw std::runtime_error("stop");
        });
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    CHECK(thrown);
    CHECK(booster.n_rounds() == 3);
});

CASE("a large node is cut by a part of its rows, and weighed by all", {
    CubeRows rows{1, {}, {}};
    Draws draws(7);
    for (int i = 0; i < 100'003; ++i) rows.points.push_back(std::pow(draws.uniform(), 3.0));
    MapGrowOptions options;
    options.max_depth = 1;
    Booster booster(rows, {1, {}, {}}, options, {1, {}, {}});
    booster.run(1, 0, nothing);
    const auto root = booster.chain().nodes.at(0);
    double left = 0.0;
    for (const double point : rows.points) left += point < static_cast<double>(root.cut) ? 1.0 : 0.0;
    const double cut = root.cut;
    CHECK(cut < 0.2);  // most mass is at the lower end
    CHECK(root.mass == static_cast<float>(cut + 0.1 * (left / 100'003.0 - cut)));
    const double right = 100'003.0 - left;
    const double gain =
        left * std::log(left / 100'003.0 / cut) + right * std::log(right / 100'003.0 / (1.0 - cut));
    CHECK(std::abs(booster.importance()[0] - gain) < 1e-6 * gain);
});

CASE("uniform points are left alone by the penalty", {
    CubeRows rows{2, {}, {}};
    Draws draws(5);
    for (int i = 0; i < 4000; ++i) rows.points.push_back(draws.uniform());
    MapGrowOptions options;
    options.split_penalty = 12.0;
    Booster booster(rows, {2, {}, {}}, options, none());
    booster.run(3, 0, nothing);
    CHECK(booster.chain().nodes.size() < 10);
});

CHECK_MAIN()
