#include "query/conditioned.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/row_blocks.hpp"
#include "query/density_sum.hpp"
#include "query/leaf_event.hpp"

namespace boxwood {

Conditioned::Conditioned(const LeafTable& leaves, std::vector<QueryBox> boxes, std::size_t n_threads,
                         const Watch& watch)
    : leaves_(leaves), boxes_(std::move(boxes)), weights_(boxes_.size()), totals_(boxes_.size()) {
    for (const QueryBox& box : boxes_) check_box(leaves, box);
    in_tasks(boxes_.size(), n_threads, boxes_.size() * leaves.n_leaves(), watch, [&](std::size_t i) {
        weights_[i] = weigh_leaves(leaves_, boxes_[i]);
        weights_[i].leaf.shrink_to_fit();
        weights_[i].weight.shrink_to_fit();
        totals_[i] = weights_[i].total();
    });
}

void Conditioned::tie(std::vector<std::vector<std::shared_ptr<const PairEvent>>> pairs) {
    if (pairs.size() != n_boxes()) throw std::invalid_argument("every box has its pairs");
    pairs_ = std::move(pairs);
    common_terms_.clear();
    for (std::size_t i = 0; i < n_boxes(); ++i) {
        LeafWeights& of_box = weights_[i];
        for (const auto& pair : pairs_[i]) {
            std::size_t n = 0;
            for (std::size_t k = 0; k < of_box.leaf.size(); ++k) {
                const double part = of_box.weight[k] * pair->probability(leaves_, of_box.leaf[k]);
                of_box.leaf[n] = of_box.leaf[k];
                of_box.weight[n] = part;
                n += part > 0.0 ? 1 : 0;
            }
            of_box.leaf.resize(n);
            of_box.weight.resize(n);
        }
        totals_[i] = of_box.total();
    }
}

std::vector<double> Conditioned::pair_density(std::size_t box, std::size_t a, std::size_t b) const {
    const ColumnLeaves& of_a = leaves_.column(a);
    const ColumnLeaves& of_b = leaves_.column(b);
    const std::size_t n_a = of_a.n_bins();
    const std::size_t n_b = of_b.n_bins();
    std::vector<double> sums((n_a + 1) * (n_b + 1), 0.0);
    for (std::size_t k = 0; k < weights_[box].leaf.size(); ++k)
        add_pair_density(of_a, of_b, weights_[box].leaf[k], weights_[box].weight[k], sums.data());
    std::vector<double> found(n_a * n_b);
    std::vector<double> above(n_b, 0.0);
    for (std::size_t i = 0; i < n_a; ++i) {
        double row = 0.0;
        for (std::size_t j = 0; j < n_b; ++j) {
            row += sums[i * (n_b + 1) + j];
            above[j] += row;
            found[i * n_b + j] = std::max(above[j], 0.0);
        }
    }
    return found;
}

double Conditioned::probability(std::size_t box, const QueryBox& more) const {
    if (box >= n_boxes()) throw std::invalid_argument("there is no such box");
    const QueryBox& before = boxes_[box];
    for (const std::size_t j : more.columns) {
        if (before.event_of(j) != nullptr) throw std::invalid_argument("a column is asked twice");
    }
    for (const RulePointer& rule : more.rules) {
        if (before.asks(*rule)) throw std::invalid_argument("rules are asked twice");
    }
    return weigh_further(leaves_, weights_[box], before, more).total();
}

namespace {

void check_groups(const std::vector<std::size_t>& groups, std::size_t n_boxes, std::size_t n_groups) {
    if (groups.size() != n_boxes) throw std::invalid_argument("every box belongs to a group");
    for (std::size_t group : groups) {
        if (group >= n_groups) throw std::invalid_argument("there is no such group");
    }
}

}  // namespace

std::vector<double> Conditioned::densities(std::size_t column, const std::vector<std::size_t>& group_of_box,
                                           std::size_t n_groups) const {
    check_groups(group_of_box, n_boxes(), n_groups);
    const ColumnLeaves& pieces = leaves_.column(column);
    std::vector<DensitySum> sums(n_groups, DensitySum(pieces));
    for (std::size_t i = 0; i < n_boxes(); ++i) {
        const CubeEvent* own = boxes_[i].event_of(column);
        DensitySum& sum = sums[group_of_box[i]];
        const auto& [leaves, weights] = weights_[i];
        if (own == nullptr) {
            sum.add_all(leaves, weights.data());
            continue;
        }
        std::vector<double> others = weights;  // without what the column itself is asked
        for (std::size_t k = 0; k < leaves.size(); ++k) others[k] /= probability_of(pieces, leaves[k], *own);
        sum.add_all(leaves, others.data());
    }
    return written_densities(sums);
}

RuleLaw Conditioned::rule_law(std::size_t column, const std::vector<std::size_t>& group_of_box,
                              std::size_t n_groups) const {
    check_groups(group_of_box, n_boxes(), n_groups);
    const BoxGroups groups{leaves_, boxes_, weights_, group_of_box, n_groups};
    return boxwood::rule_law(groups, column, common_terms_.of(groups, column));
}

namespace {

// ∫ of a function of the column under a leaf's piece.
double integral_of(const ColumnLeaves& pieces, std::size_t leaf, const double* below) {
    double sum = 0.0;
    if (pieces.gaussian()) {
        const std::vector<double>& u = pieces.bin_edges->u;
        for (std::uint32_t bin = pieces.low[leaf]; bin < pieces.high[leaf]; ++bin) {
            sum += gaussian_integral(pieces, leaf, u[bin], u[bin + 1]) * (below[bin + 1] - below[bin]) /
                   (u[bin + 1] - u[bin]);
        }
    } else {
        pieces.for_each_stretch(leaf, [&](std::uint32_t first, std::uint32_t end, double weight) {
            sum += weight * (below[end] - below[first]);
        });
    }
    return sum * pieces.scale[leaf];
}

}  // namespace

double Conditioned::cross_moment(BinSums a, const std::vector<std::size_t>& group_a, BinSums b,
                                 const std::vector<std::size_t>& group_b) const {
    const ColumnLeaves& pieces_a = leaves_.column(a.column);
    const ColumnLeaves& pieces_b = leaves_.column(b.column);
    double sum = 0.0;
    for (std::size_t i = 0; i < n_boxes(); ++i) {
        const CubeEvent* own_a = boxes_[i].event_of(a.column);
        const CubeEvent* own_b = boxes_[i].event_of(b.column);
        const double* below_a = a.below + group_a[i] * (pieces_a.n_bins() + 1);
        const double* below_b = b.below + group_b[i] * (pieces_b.n_bins() + 1);
        for (std::size_t k = 0; k < weights_[i].leaf.size(); ++k) {
            const std::size_t leaf = weights_[i].leaf[k];
            double part = own_a == nullptr ? 1.0 : probability_of(pieces_a, leaf, *own_a);
            if (own_b != nullptr) part *= probability_of(pieces_b, leaf, *own_b);
            sum += weights_[i].weight[k] / part * integral_of(pieces_a, leaf, below_a) *
                   integral_of(pieces_b, leaf, below_b);
        }
    }
    return sum;
}

void Conditioned::draw_rule(const RuleEvent& rule, std::size_t leaf, Draws& draws, double* point) const {
    const RuleComponent& component = rule.component();
    RuleTerms terms(leaves_, rule);
    double left = draws.uniform() * terms.factor(leaf);
    auto entry = static_cast<std::uint32_t>(component.other());
    bool found = false;
    terms.for_each_term(leaf, component.columns.size(), [&](std::uint32_t e, double term) {
        if (found) return;
        entry = e;
        found = left < term;
        left -= term;
    });
    point[component.root] = entry == component.other()
                                ? draw_from(leaves_.column(component.root), leaf, rule.others(), draws)
                                : component.point[entry];
    for (std::size_t k = 0; k < component.columns.size(); ++k) {
        const RuledColumn& ruled = component.columns[k];
        if (rule.bin_of(k, entry) != RuleEvent::no_bin) {
            point[ruled.column] = ruled.low[entry];
            continue;
        }
        const ColumnLeaves& pieces = leaves_.column(ruled.column);
        const RuledPart& part = rule.parts()[k];
        const double present = probability_of(pieces, leaf, *part.present);
        const double gaps = probability_of(pieces, leaf, *part.gaps);
        // A rule that asks for a value is kept to wherever the evidence lets it.
        const double fraction =
            rule.asks_presence(k, entry) ? (present > 0.0 ? 1.0 : 0.0) : present / (present + gaps);
        const CubeEvent& event = draws.uniform() < fraction ? *part.present : *part.gaps;
        point[ruled.column] = draw_from(pieces, leaf, event, draws);
    }
}

// Boxes and leaves to draw from, by their cumulative weights.
struct Conditioned::Places {
    std::vector<double> upper;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> place;  // box, leaf

    std::pair<std::uint32_t, std::uint32_t> draw(Draws& draws) const {
        const auto found = std::upper_bound(upper.begin(), upper.end() - 1, draws.uniform() * upper.back());
        return place[static_cast<std::size_t>(found - upper.begin())];
    }
};

Conditioned::Places Conditioned::places() const {
    Places found;
    double sum = 0.0;
    for (std::size_t i = 0; i < n_boxes(); ++i) {
        for (std::size_t k = 0; k < weights_[i].leaf.size(); ++k) {
            found.upper.push_back(sum += weights_[i].weight[k]);
            found.place.emplace_back(static_cast<std::uint32_t>(i), weights_[i].leaf[k]);
        }
    }
    if (!(sum > 0.0)) throw std::invalid_argument("nothing can be drawn: no leaf is left");
    return found;
}

std::vector<std::uint32_t> Conditioned::drawn_boxes(std::size_t n_rows, std::uint64_t seed) const {
    const Places all = places();
    std::vector<std::uint32_t> boxes(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) {
        Draws draws(combine_keys(mix_bits(seed), i));
        boxes[i] = all.draw(draws).first;
    }
    return boxes;
}

void Conditioned::sample(std::size_t n_rows, std::uint64_t seed, double* out, std::size_t n_threads,
                         const Watch& watch) const {
    const Places all = places();
    std::vector<EventPointer> anything;
    for (std::size_t j = 0; j < n_columns(); ++j) {
        anything.push_back(std::make_shared<CubeEvent>(*leaves_.column(j).bin_edges, std::vector<double>{0.0},
                                                       std::vector<double>{1.0}, 0.0));
    }
    constexpr std::size_t block = 256;
    run_tasks((n_rows + block - 1) / block, n_threads,
              [&](std::size_t task) {
                  for (std::size_t i = task * block; i < std::min(n_rows, (task + 1) * block); ++i) {
                      Draws draws(combine_keys(mix_bits(seed), i));
                      const auto [b, leaf] = all.draw(draws);
                      const QueryBox& box = boxes_[b];
                      double* const point = out + i * n_columns();
                      for (std::size_t j = 0; j < n_columns(); ++j) {
                          const CubeEvent* own = box.event_of(j);
                          point[j] =
                              draw_from(leaves_.column(j), leaf, own == nullptr ? *anything[j] : *own, draws);
                      }
                      for (const auto* rules : {&box.rules, &box.kept_rules}) {
                          for (const RulePointer& rule : *rules) draw_rule(*rule, leaf, draws, point);
                      }
                      if (pairs_.empty()) continue;
                      for (const auto& pair : pairs_[b]) pair->draw(leaves_, leaf, draws, point);
                  }
              },
              watch);
}

}  // namespace boxwood
