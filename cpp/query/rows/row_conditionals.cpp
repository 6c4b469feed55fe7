#include "query/rows/row_conditionals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

#include "base/row_blocks.hpp"
#include "query/leaf_event.hpp"
#include "query/rows/row_search.hpp"
#include "query/rows/row_sums.hpp"

namespace boxwood {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// Laying out a tree takes as long as some ten rows going down it.
constexpr std::size_t least_rows_to_lay_out = 64;
// Trees that are laid out at once, some megabytes each at most, and rows that read them.
constexpr std::size_t trees_a_batch = 8;
constexpr std::size_t rows_a_batch = std::size_t{1} << 16;

}  // namespace

RowConditionals::RowConditionals(const LeafTable& leaves)
    : leaves_(leaves), normalizer_(leaves.n_leaves() * leaves.n_columns()) {
    const std::size_t d = leaves.n_columns();
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t leaf = 0; leaf < leaves.n_leaves(); ++leaf)
            normalizer_[leaf * d + j] = 1.0 / leaves.column(j).scale[leaf];
    }
}

template <class Work>
void RowConditionals::in_blocks(const RowPoints& rows, const Watch& watch, const Work& work) const {
    in_row_blocks(rows.n_rows, leaves_.n_columns() * leaves_.mixture().n_trees(), rows.n_threads, watch,
                  [&](std::size_t first, std::size_t n) {
                      for (std::size_t i = 0; i < n; i += most_rows)
                          work(first + i, std::min(most_rows, n - i));
                  });
}

void RowConditionals::log_density_by_search(const RowPoints& rows, double* out, const Watch& watch) const {
    const std::size_t d = leaves_.n_columns();
    in_blocks(rows, watch, [&](std::size_t first, std::size_t n) {
        RowBlock block(leaves_, normalizer_, rows.points + first * d, n, d + 1);
        block.for_each_leaf(no_column, [&](std::size_t i, std::size_t number, std::size_t leaf,
                                           std::size_t free, double log) {
            ShiftedSums& sums = block.sums(i);
            const double* normalizer = normalizer_.data() + leaf * d;
            const double density = sums.scaled(log);
            if (free != no_column) {
                sums[free] += density * normalizer[free];
                return;
            }
            sums[d] += density;
            for (std::size_t j = 0; j < d; ++j) {
                if (!block.known(i, j)) continue;
                const ColumnLeaves& column = leaves_.column(j);
                if (column.kind != LeafKind::gaussian) {
                    sums[j] += density * normalizer[j] / block.search().weight_of(number, j);
                    continue;
                }
                // The weight of a Gaussian may be too small for a number, and the leaf's density with it.
                const double own = column.gaussian() ? block.search().log_gaussian(column, leaf, j) : 0.0;
                sums[j] += sums.scaled(log - own) * normalizer[j];
            }
        });
        for (std::size_t i = 0; i < n; ++i) {
            ShiftedSums& sums = block.sums(i);
            for (std::size_t j = 0; j < d; ++j)
                out[(first + i) * d + j] = block.known(i, j) ? std::log(sums[d]) - std::log(sums[j]) : nan;
        }
    });
}

// Calls work(row, density of each bin of a column given the others of the row, on a scale of its own).
template <class Work>
void RowConditionals::for_each_density(const RowPoints& rows, std::size_t column, const Watch& watch,
                                       const Work& work) const {
    const std::size_t d = leaves_.n_columns();
    if (column >= d) throw std::invalid_argument("there is no such column");
    const ColumnLeaves& pieces = leaves_.column(column);
    in_blocks(rows, watch, [&](std::size_t first, std::size_t n) {
        RowBlock block(leaves_, normalizer_, rows.points + first * d, n, pieces.n_bins() + 1);
        block.for_each_leaf(column,
                            [&](std::size_t i, std::size_t, std::size_t leaf, std::size_t, double log) {
                                const double mass = block.sums(i).scaled(log) / pieces.scale[leaf];
                                add_density(pieces, leaf, mass, block.sums(i).data());
                            });
        for (std::size_t i = 0; i < n; ++i) {
            sum_differences(block.sums(i).data(), pieces.n_bins());
            work(first + i, block.sums(i).data());
        }
    });
}

namespace {

double integral_below(const double* density, const std::vector<double>& u, double end) {
    double sum = 0.0;
    for (std::size_t bin = 0; bin + 1 < u.size() && u[bin] < end; ++bin)
        sum += density[bin] * (std::min(u[bin + 1], end) - u[bin]);
    return sum;
}

// Where the integral of a density reaches `target`, which is at most its integral up to `end`.
double point_at(const double* density, const std::vector<double>& u, double target, double end) {
    std::size_t last = 0;
    for (std::size_t bin = 0; bin + 1 < u.size() && u[bin] < end; ++bin) {
        const double width = std::min(u[bin + 1], end) - u[bin];
        const double mass = density[bin] * width;
        if (mass > 0.0 && target < mass) return std::min(u[bin] + target / density[bin], u[bin] + width);
        if (mass > 0.0) last = bin;
        target -= mass;
    }
    return std::nextafter(std::min(u[last + 1], end), 0.0);
}

}  // namespace

void RowConditionals::expectations(const RowPoints& rows, std::size_t column, const double* integrals,
                                   std::size_t n_functions, double* out, const Watch& watch) const {
    for_each_density(rows, column, watch, [&](std::size_t i, const double* density) {
        const std::size_t n_bins = leaves_.column(column).n_bins();
        const double total = integral_below(density, leaves_.column(column).bin_edges->u, 1.0);
        for (std::size_t f = 0; f < n_functions; ++f) {
            double sum = 0.0;
            const double* integral = integrals + f * n_bins;
            for (std::size_t bin = 0; bin < n_bins; ++bin) {
                if (density[bin] > 0.0) sum += density[bin] * integral[bin];
            }
            out[i * n_functions + f] = total > 0.0 ? sum / total : nan;
        }
    });
}

void RowConditionals::quantiles(const RowPoints& rows, std::size_t column, const double* p,
                                std::size_t n_fractions, double end, double* out, const Watch& watch) const {
    for_each_density(rows, column, watch, [&](std::size_t i, const double* density) {
        const std::vector<double>& u = leaves_.column(column).bin_edges->u;
        const double total = integral_below(density, u, end);
        for (std::size_t k = 0; k < n_fractions; ++k) {
            const std::size_t at = i * n_fractions + k;
            out[at] = total > 0.0 ? point_at(density, u, p[at] * total, end) : nan;
        }
    });
}

namespace {

// The terms of one component in a leaf, an entry each, with what a row has where no value follows.
class EntryTerms {
  public:
    EntryTerms(const LeafTable& leaves, const RuleEvent& rule)
        : rule_(rule), root_(leaves.column(rule.component().root)) {
        for (const RuledColumn& ruled : rule.component().columns)
            columns_.push_back(&leaves.column(ruled.column));
    }

    void add(std::size_t leaf, double weight, const double* known, double* sums) {
        const RuleComponent& component = rule_.component();
        const std::size_t n = columns_.size();
        own_.assign(n, -1.0);
        const auto add_entry = [&](std::uint32_t e, double density) {
            double term = weight * density;
            for (std::size_t k = 0; k < n && term > 0.0; ++k) {
                const std::uint32_t asked = rule_.bin_of(k, e);
                if (asked != RuleEvent::no_bin) {
                    term *= density_in_bin(*columns_[k], leaf, asked);
                    continue;
                }
                if (own_[k] < 0.0) {
                    const double there = known[component.columns[k].column];
                    own_[k] = std::isnan(there)
                                  ? 1.0  // summed out
                                  : density_in_bin(*columns_[k], leaf, columns_[k]->bin_edges->bin_of(there));
                }
                term *= own_[k];
            }
            sums[e] += term;
        };
        const auto visit = [&](std::uint32_t bin) {
            const auto& entries = rule_.entries_of_bin(bin);
            if (entries.empty()) return;
            const double density = density_in_bin(root_, leaf, bin);
            for (std::uint32_t e : entries) add_entry(e, density * component.width[e]);
        };
        if (root_.categorical()) {
            root_.for_each_member(leaf, visit);
        } else {
            for (std::uint32_t bin = root_.low[leaf]; bin < root_.high[leaf]; ++bin) visit(bin);
        }
        add_entry(static_cast<std::uint32_t>(component.other()), probability_of(root_, leaf, rule_.others()));
    }

  private:
    const RuleEvent& rule_;
    const ColumnLeaves& root_;
    std::vector<const ColumnLeaves*> columns_;
    std::vector<double> own_;  // of each column the density at the row's value; below 0 where not yet found
};

}  // namespace

void RowConditionals::rule_masses(const RowPoints& rows, const double* known, const RuleEvent& rule,
                                  double* out, const Watch& watch) const {
    const std::size_t d = leaves_.n_columns();
    const std::size_t n_entries = rule.component().n_entries();
    in_blocks(rows, watch, [&](std::size_t first, std::size_t n) {
        std::vector<double> rest(rows.points + first * d, rows.points + (first + n) * d);
        for (std::size_t i = 0; i < n; ++i) {
            rest[i * d + rule.component().root] = nan;
            for (const RuledColumn& ruled : rule.component().columns) rest[i * d + ruled.column] = nan;
        }
        EntryTerms terms(leaves_, rule);
        RowBlock block(leaves_, normalizer_, rest.data(), n, n_entries);
        block.for_each_leaf(nothing_free,
                            [&](std::size_t i, std::size_t, std::size_t leaf, std::size_t, double log) {
                                const double weight = block.sums(i).scaled(log);
                                terms.add(leaf, weight, known + (first + i) * d, block.sums(i).data());
                            });
        for (std::size_t i = 0; i < n; ++i)
            std::copy_n(block.sums(i).data(), n_entries, out + (first + i) * n_entries);
    });
}

bool RowConditionals::can_lay_out(const RuleMasses& ruled) const {
    return TreeLayout::fits(leaves_) &&
           std::all_of(ruled.rules.begin(), ruled.rules.end(),
                       [&](const RulePointer& rule) { return EntryTable::fits(leaves_, *rule); });
}

void RowConditionals::log_density(const RowPoints& rows, const RuleMasses& ruled, double* out,
                                  const Watch& watch) const {
    const std::size_t d = leaves_.n_columns();
    if (rows.n_rows < least_rows_to_lay_out || !can_lay_out(ruled)) {
        log_density_by_search(rows, out, watch);
        for (std::size_t c = 0; c < ruled.rules.size(); ++c)
            rule_masses(rows, ruled.known, *ruled.rules[c], ruled.out[c], watch);
        return;
    }
    for (std::size_t first = 0; first < rows.n_rows; first += rows_a_batch) {
        const std::size_t n = std::min(rows_a_batch, rows.n_rows - first);
        RuleMasses part{ruled.known == nullptr ? nullptr : ruled.known + first * d, ruled.rules, {}};
        for (std::size_t c = 0; c < ruled.rules.size(); ++c)
            part.out.push_back(ruled.out[c] + first * ruled.rules[c]->component().n_entries());
        log_density_of_batch({rows.points + first * d, n, rows.n_threads}, part, out + first * d, watch);
    }
}

void RowConditionals::log_density_of_batch(const RowPoints& rows, const RuleMasses& ruled, double* out,
                                           const Watch& watch) const {
    const std::size_t d = leaves_.n_columns();
    const Mixture& mixture = leaves_.mixture();
    std::vector<EntryOrder> orders;
    for (const RulePointer& rule : ruled.rules) orders.emplace_back(*rule);
    RowSums sums(leaves_, normalizer_, ruled.rules, rows.points, ruled.known, rows.n_rows);
    for (std::size_t first = 0; first < mixture.n_trees(); first += trees_a_batch) {
        const std::size_t n = std::min(trees_a_batch, mixture.n_trees() - first);
        std::vector<std::unique_ptr<LaidTree>> trees(n);
        run_tasks(
            n, rows.n_threads,
            [&](std::size_t t) {
                if (!(mixture.weights()[first + t] > 0.0)) return;
                trees[t].reset(new LaidTree{TreeLayout(leaves_, first + t), {}});
                for (const EntryOrder& order : orders)
                    trees[t]->entries.emplace_back(leaves_, order, first + t);
            },
            watch);
        run_tasks((rows.n_rows + most_rows - 1) / most_rows, rows.n_threads,
                  [&](std::size_t task) {
                      const std::size_t row = task * most_rows;
                      for (const auto& tree : trees) {
                          if (tree) sums.add(*tree, row, std::min(most_rows, rows.n_rows - row));
                      }
                  },
                  watch);
    }
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
        const double* found = sums.sums(i);
        for (std::size_t j = 0; j < d; ++j)
            out[i * d + j] = sums.is_known(i, j) ? std::log(found[d]) - std::log(found[j]) : nan;
        found += d + 1;
        for (std::size_t c = 0; c < ruled.rules.size(); ++c) {
            const std::size_t n_entries = ruled.rules[c]->component().n_entries();
            orders[c].restore(found, ruled.out[c] + i * n_entries);
            found += n_entries;
        }
    }
}

}  // namespace boxwood
