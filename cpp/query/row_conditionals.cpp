#include "query/row_conditionals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/row_blocks.hpp"
#include "query/leaf_event.hpp"

namespace boxwood {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t no_column = std::numeric_limits<std::size_t>::max();
constexpr std::uint32_t unknown_bin = std::numeric_limits<std::uint32_t>::max();
constexpr double log_of_step = 0.6931471805599453 / steps_per_octave;

// Finds the leaves that a row would fall into whatever its value of one column.
class LeafSearch {
  public:
    LeafSearch(const LeafTable& leaves, const std::vector<double>& scale, const std::vector<double>& weight)
        : leaves_(leaves),
          scale_(scale),
          log_weight_(weight),
          mixture_(leaves.mixture()),
          d_(leaves.n_columns()),
          factors_(mixture_.leaf_bin_factors().data()),
          has_factors_(!mixture_.leaf_bin_factors().empty()),
          bins_(d_),
          low_(d_),
          high_(d_),
          leaf_bin_(d_) {
        for (std::size_t j = 0; j < d_; ++j) categorical_.push_back(mixture_.columns()[j].categorical);
    }

    void start(const double* point) {
        point_ = point;
        for (std::size_t j = 0; j < d_; ++j) {
            bins_[j] = std::isnan(point[j]) ? unknown_bin : mixture_.columns()[j].bin_of(point[j]);
            const bool coded = categorical_[j] && bins_[j] != unknown_bin &&
                               leaves_.column(j).kind == LeafKind::histogram;
            leaf_bin_[j] = coded ? leaves_.column(j).leaf_bin[bins_[j]] : 0;
        }
    }
    bool known(std::size_t j) const { return bins_[j] != unknown_bin; }

    // Calls visit(leaf, free column or no_column, log of mass times the density of all other known columns
    // over the scales of what is summed out). With `only` that column is free; without it every one in turn:
    // a leaf that holds the whole row is visited once, with no free column.
    template <class Visit>
    void for_each_leaf(std::size_t only, Visit&& visit) {
        for (tree_ = 0; tree_ < mixture_.n_trees(); ++tree_) {
            if (!(mixture_.weights()[tree_] > 0.0)) continue;
            for (std::size_t j = 0; j < d_; ++j) {
                low_[j] = 0;
                high_[j] = static_cast<std::uint32_t>(mixture_.columns()[j].n_bins());
            }
            go_down(0, only, only != no_column, visit);
        }
    }

    // Of a leaf that holds the whole row, the weight of one column.
    double weight_of(std::size_t leaf, std::size_t j) const {
        const ColumnLeaves& column = leaves_.column(j);
        if (column.gaussian()) return std::exp(log_gaussian(column, leaf, j));
        if (column.kind != LeafKind::histogram) return 1.0;
        return quantised_weights()[bytes_of(leaf, j)[leaf_bin(j)]];
    }

  private:
    template <class Visit>
    void go_down(std::uint32_t at, std::size_t free, bool fixed, Visit& visit) {
        const Tree& tree = mixture_.trees()[tree_].tree;
        const TreeNode& node = tree.nodes[at];
        if (node.is_leaf()) {
            if (node.mass > 0.0) add_leaf(node.leaf, free, visit);
            return;
        }
        const auto s = static_cast<std::size_t>(node.feature);
        const bool anywhere = s == free || bins_[s] == unknown_bin;
        const bool own = anywhere || tree.goes_left(node, bins_[s], categorical_[s]);
        for (const bool left : {true, false}) {
            std::size_t child_free = free;
            if (!anywhere && left != own) {
                if (free != no_column || fixed) continue;
                child_free = s;
            }
            if (categorical_[s]) {
                go_down(node.left + (left ? 0 : 1), child_free, fixed, visit);
                continue;
            }
            std::uint32_t& bound = left ? high_[s] : low_[s];
            const std::uint32_t before = bound;
            bound = node.threshold;
            go_down(node.left + (left ? 0 : 1), child_free, fixed, visit);
            bound = before;
        }
    }

    const std::uint8_t* bytes_of(std::size_t leaf, std::size_t j) const {
        return mixture_.trees()[tree_].leaves.quantised_of(leaf - leaves_.first_leaf()[tree_], j, d_);
    }

    std::uint32_t leaf_bin(std::size_t j) const {
        if (categorical_[j]) return leaf_bin_[j];
        if (has_factors_) return FastLeafBins::leaf_bin_of(bins_[j] - low_[j], factors_[high_[j] - low_[j]]);
        return leaf_bins_between(low_[j], high_[j], mixture_.trees()[tree_].leaves.n_leaf_bins)
            .leaf_bin_of(bins_[j]);
    }

    double log_gaussian(const ColumnLeaves& column, std::size_t leaf, std::size_t j) const {
        const double z = (point_[j] - column.mean[leaf]) / column.deviation[leaf];
        return -0.5 * z * z;
    }

    template <class Visit>
    void add_leaf(std::uint32_t number, std::size_t free, Visit& visit) const {
        const Leaves& payload = mixture_.trees()[tree_].leaves;
        const std::size_t leaf = leaves_.first_leaf()[tree_] + number;
        double log = payload.log_scale[number] + log_weight_[tree_];
        std::int64_t steps = 0;
        for (std::size_t j = 0; j < d_; ++j) {
            if (j == free) continue;
            if (bins_[j] == unknown_bin) {
                log -= std::log(scale_[leaf * d_ + j]);
            } else if (payload.kind == LeafKind::histogram) {
                steps += payload.quantised_of(number, j, d_)[leaf_bin(j)] - 255;
            } else if (payload.kind == LeafKind::gaussian && !categorical_[j]) {
                log += log_gaussian(leaves_.column(j), leaf, j);
            }
        }
        visit(leaf, free, log + log_of_step * static_cast<double>(steps));
    }

    const LeafTable& leaves_;
    const std::vector<double>& scale_;
    const std::vector<double>& log_weight_;
    const Mixture& mixture_;
    std::size_t d_;
    const std::uint64_t* factors_;
    bool has_factors_;
    const double* point_ = nullptr;
    std::vector<char> categorical_;
    std::vector<std::uint32_t> bins_;
    std::vector<std::uint32_t> low_;
    std::vector<std::uint32_t> high_;
    std::vector<std::uint32_t> leaf_bin_;
    std::size_t tree_ = 0;
};

// Sums of exponentials, kept as sum·exp(shift) so that nothing overflows.
class ShiftedSums {
  public:
    explicit ShiftedSums(std::size_t n) : sums_(n) {}
    void start() {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        shift_ = -infinity;
    }
    // exp(log) as a number that may be added to a sum.
    double scaled(double log) {
        if (log > shift_ + 300.0 || shift_ == -infinity) {
            for (double& sum : sums_) sum *= sum == 0.0 ? 0.0 : std::exp(shift_ - log);
            shift_ = log;
        }
        return std::exp(log - shift_);
    }
    double& operator[](std::size_t i) { return sums_[i]; }
    double* data() { return sums_.data(); }

  private:
    std::vector<double> sums_;
    double shift_ = -infinity;
};

}  // namespace

RowConditionals::RowConditionals(const LeafTable& leaves)
    : leaves_(leaves), scale_(leaves.n_leaves() * leaves.n_columns()) {
    const std::size_t d = leaves.n_columns();
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t leaf = 0; leaf < leaves.n_leaves(); ++leaf)
            scale_[leaf * d + j] = leaves.column(j).scale[leaf];
    }
    for (double weight : leaves.mixture().weights()) log_weight_.push_back(std::log(weight));
}

void RowConditionals::log_density(const RowPoints& rows, double* out, const Watch& watch) const {
    const std::size_t d = leaves_.n_columns();
    in_row_blocks(rows.n_rows, d * leaves_.mixture().n_trees(), rows.n_threads, watch, [&](std::size_t first, std::size_t n) {
        LeafSearch search(leaves_, scale_, log_weight_);
        ShiftedSums sums(d + 1);
        for (std::size_t i = first; i < first + n; ++i) {
            search.start(rows.points + i * d);
            sums.start();
            search.for_each_leaf(no_column, [&](std::size_t leaf, std::size_t free, double log) {
                const double* scale = scale_.data() + leaf * d;
                if (free != no_column) {
                    sums[free] += sums.scaled(log) / scale[free];
                    return;
                }
                const double density = sums.scaled(log);
                sums[d] += density;
                for (std::size_t j = 0; j < d; ++j) {
                    if (search.known(j))
                        sums[j] += density / (search.weight_of(leaf, j) * scale[j]);
                }
            });
            for (std::size_t j = 0; j < d; ++j)
                out[i * d + j] = search.known(j) ? std::log(sums[d]) - std::log(sums[j]) : nan;
        }
    });
}

namespace {

// Density of each bin of a column given the others of a row, on a scale of its own.
class ColumnDensity {
  public:
    ColumnDensity(LeafSearch& search, const ColumnLeaves& pieces, std::size_t column)
        : search_(search), pieces_(pieces), column_(column), sums_(pieces.n_bins() + 1) {}

    const double* of_row(const double* point) {
        search_.start(point);
        sums_.start();
        search_.for_each_leaf(column_, [&](std::size_t leaf, std::size_t, double log) {
            const double mass = sums_.scaled(log) / pieces_.scale[leaf];
            add_density(pieces_, leaf, mass, sums_.data());
        });
        sum_differences(sums_.data(), pieces_.n_bins());
        return sums_.data();
    }

  private:
    LeafSearch& search_;
    const ColumnLeaves& pieces_;
    std::size_t column_;
    ShiftedSums sums_;
};

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
    const std::size_t d = leaves_.n_columns();
    if (column >= d) throw std::invalid_argument("there is no such column");
    const ColumnLeaves& pieces = leaves_.column(column);
    const std::vector<double>& u = pieces.bin_edges->u;
    const std::size_t n_bins = pieces.n_bins();
    in_row_blocks(rows.n_rows, d * leaves_.mixture().n_trees(), rows.n_threads, watch,
                  [&](std::size_t first, std::size_t n) {
                      LeafSearch search(leaves_, scale_, log_weight_);
                      ColumnDensity found(search, pieces, column);
                      for (std::size_t i = first; i < first + n; ++i) {
                          const double* density = found.of_row(rows.points + i * d);
                          double total = 0.0;
                          for (std::size_t bin = 0; bin < n_bins; ++bin)
                              total += density[bin] * (u[bin + 1] - u[bin]);
                          for (std::size_t f = 0; f < n_functions; ++f) {
                              double sum = 0.0;
                              const double* integral = integrals + f * n_bins;
                              for (std::size_t bin = 0; bin < n_bins; ++bin) {
                                  if (density[bin] > 0.0) sum += density[bin] * integral[bin];
                              }
                              out[i * n_functions + f] = total > 0.0 ? sum / total : nan;
                          }
                      }
                  });
}

void RowConditionals::quantiles(const RowPoints& rows, std::size_t column, const double* p,
                                std::size_t n_fractions, double end, double* out, const Watch& watch) const {
    const std::size_t d = leaves_.n_columns();
    if (column >= d) throw std::invalid_argument("there is no such column");
    const ColumnLeaves& pieces = leaves_.column(column);
    const std::vector<double>& u = pieces.bin_edges->u;
    in_row_blocks(rows.n_rows, d * leaves_.mixture().n_trees(), rows.n_threads, watch,
                  [&](std::size_t first, std::size_t n) {
                      LeafSearch search(leaves_, scale_, log_weight_);
                      ColumnDensity found(search, pieces, column);
                      for (std::size_t i = first; i < first + n; ++i) {
                          const double* density = found.of_row(rows.points + i * d);
                          double total = 0.0;
                          for (std::size_t bin = 0; bin < pieces.n_bins() && u[bin] < end; ++bin)
                              total += density[bin] * (std::min(u[bin + 1], end) - u[bin]);
                          for (std::size_t k = 0; k < n_fractions; ++k) {
                              const double fraction = p[i * n_fractions + k];
                              out[i * n_fractions + k] =
                                  total > 0.0 ? point_at(density, u, fraction * total, end) : nan;
                          }
                      }
                  });
}

}  // namespace boxwood
