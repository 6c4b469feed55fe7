#include "query/leaf_weights.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "query/leaf_event.hpp"

namespace boxwood {

double LeafWeights::total() const { return std::accumulate(weight.begin(), weight.end(), 0.0); }

void check_box(const LeafTable& leaves, const QueryBox& box) {
    if (!(box.factor >= 0.0 && box.factor < std::numeric_limits<double>::infinity()))
        throw std::invalid_argument("a box has a finite factor");
    if (box.columns.size() != box.events.size()) throw std::invalid_argument("a box has an event a column");
    for (std::size_t k = 0; k < box.columns.size(); ++k) {
        if (box.columns[k] >= leaves.n_columns()) throw std::invalid_argument("there is no such column");
        if (box.events[k]->cover().size() != leaves.column(box.columns[k]).n_bins())
            throw std::invalid_argument("an event is about another column's bins");
    }
}

namespace {

bool is_sure(const CubeEvent& event, const ColumnLeaves& column) {
    return !event.is_point() && event.low().size() == 1 && event.low()[0] <= 0.0 && event.high()[0] >= 1.0 &&
           column.n_bins() > 0;
}

// Multiplies the weights of leaves and drops those without any. All leaves are taken at first: they are not
// listed before one event has been asked.
class Filter {
  public:
    Filter(const LeafTable& leaves, double factor) : leaves_(leaves), factor_(factor) {
        kept_.leaf.resize(leaves.n_leaves());
        kept_.weight.resize(leaves.n_leaves());
    }
    Filter(const LeafTable& leaves, double factor, LeafWeights kept)
        : leaves_(leaves), factor_(1.0), all_(false), kept_(std::move(kept)) {
        for (double& weight : kept_.weight) weight *= factor;
    }

    template <class Probability>
    void multiply(const Probability& probability) {
        std::size_t n = 0;
        const auto keep = [&](std::uint32_t leaf, double weight) {
            kept_.leaf[n] = leaf;
            kept_.weight[n] = weight;
            n += weight > 0.0 ? 1 : 0;
        };
        if (all_) {
            const double* mass = leaves_.mass().data();
            for (std::uint32_t leaf = 0; leaf < leaves_.n_leaves(); ++leaf)
                keep(leaf, factor_ * mass[leaf] * probability(leaf));
        } else {
            for (std::size_t i = 0; i < kept_.leaf.size(); ++i)
                keep(kept_.leaf[i], kept_.weight[i] * probability(kept_.leaf[i]));
        }
        all_ = false;
        kept_.leaf.resize(n);
        kept_.weight.resize(n);
    }

    void ask(const ColumnLeaves& column, const CubeEvent& event) {
        multiply([&](std::uint32_t leaf) { return probability_of(column, leaf, event); });
    }

    void ask(const RuleEvent& rule) {
        if (rule.single_entry() != RuleEvent::no_bin) return ask_entry(rule, rule.single_entry());
        RuleTerms terms(leaves_, rule);
        multiply([&](std::uint32_t leaf) { return terms.factor(leaf); });
    }

    LeafWeights take() {
        if (all_) multiply([](std::uint32_t) { return 1.0; });
        return std::move(kept_);
    }

  private:
    // One entry of which values follow: a product of densities, for which leaves without the root's bin need
    // not be looked at.
    void ask_entry(const RuleEvent& rule, std::uint32_t entry) {
        const RuleComponent& component = rule.component();
        const ColumnLeaves& root = leaves_.column(component.root);
        const std::uint32_t bin = root.bin_edges->bin_of(component.point[entry]);
        const double width = rule.factor()[entry] * component.width[entry];
        multiply([&](std::uint32_t leaf) {
            double product = width * density_in_bin(root, leaf, bin);
            for (std::size_t k = 0; k < component.columns.size() && product > 0.0; ++k)
                product *=
                    density_in_bin(leaves_.column(component.columns[k].column), leaf, rule.bin_of(k, entry));
            return product;
        });
    }

    const LeafTable& leaves_;
    double factor_;
    bool all_ = true;
    LeafWeights kept_;
};

// What is asked of one column, or of a component of rules, and which part of everything it leaves.
struct Condition {
    std::size_t column = 0;
    const CubeEvent* event = nullptr;
    const RuleEvent* rule = nullptr;
    double part = 1.0;
};

void ask_all(Filter& filter, const LeafTable& leaves, const QueryBox& box) {
    std::vector<Condition> conditions;
    for (std::size_t k = 0; k < box.columns.size(); ++k) {
        if (is_sure(*box.events[k], leaves.column(box.columns[k]))) continue;
        conditions.push_back({box.columns[k], box.events[k].get(), nullptr, box.events[k]->below().back()});
    }
    for (const RulePointer& rule : box.rules)
        conditions.push_back(
            {0, nullptr, rule.get(), rule->width_of_entries() + rule->others().below().back()});
    std::stable_sort(conditions.begin(), conditions.end(),
                     [](const Condition& a, const Condition& b) { return a.part < b.part; });
    for (const Condition& condition : conditions) {
        if (condition.event != nullptr) {
            filter.ask(leaves.column(condition.column), *condition.event);
        } else {
            filter.ask(*condition.rule);
        }
    }
}

}  // namespace

LeafWeights weigh_leaves(const LeafTable& leaves, const QueryBox& box) {
    Filter filter(leaves, box.factor);
    ask_all(filter, leaves, box);
    for (const RulePointer& rule : box.kept_rules) {
        const std::vector<double>& factors = rule->factors(leaves);
        filter.multiply([&](std::uint32_t leaf) { return factors[leaf]; });
    }
    return filter.take();
}

LeafWeights weigh_further(const LeafTable& leaves, const LeafWeights& weights, const QueryBox& before,
                          const QueryBox& more) {
    Filter filter(leaves, more.factor, weights);
    ask_all(filter, leaves, more);
    for (const RulePointer& rule : before.kept_rules) {
        if (!more.asks(*rule)) continue;
        const std::vector<double>& factors = rule->factors(leaves);
        filter.multiply([&](std::uint32_t leaf) { return 1.0 / factors[leaf]; });
    }
    return filter.take();
}

}  // namespace boxwood
