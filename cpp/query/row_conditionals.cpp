#include "query/row_conditionals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/row_blocks.hpp"
#include "mixture/leaf_density.hpp"
#include "query/leaf_event.hpp"

namespace boxwood {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t no_column = std::numeric_limits<std::size_t>::max();
constexpr std::uint32_t unknown_bin = std::numeric_limits<std::uint32_t>::max();
// Rows that go down a tree together: with their sums they stay in a cache.
constexpr std::size_t most_rows = 512;
constexpr double log_of_step = 0.6931471805599453 / steps_per_octave;

// A row on the bins; kept for a block of rows, so that a tree is read once for all of them.
struct RowBins {
    std::vector<std::uint32_t> bin;       // unknown_bin where the value is not known
    std::vector<std::uint32_t> leaf_bin;  // of categorical columns
};

// Finds the leaves of one tree that a row would fall into whatever its value of one column.
class LeafSearch {
  public:
    LeafSearch(const LeafTable& leaves, const std::vector<double>& scale)
        : leaves_(leaves),
          scale_(scale),
          mixture_(leaves.mixture()),
          d_(leaves.n_columns()),
          factors_(mixture_.leaf_bin_factors().data()),
          has_factors_(!mixture_.leaf_bin_factors().empty()),
          low_(d_),
          high_(d_) {
        for (std::size_t j = 0; j < d_; ++j) {
            categorical_.push_back(mixture_.columns()[j].categorical ? 1 : 0);
            high_[j] = static_cast<std::uint32_t>(mixture_.columns()[j].n_bins());
        }
    }

    RowBins bins_of(const double* point) const {
        RowBins row{std::vector<std::uint32_t>(d_), std::vector<std::uint32_t>(d_, 0)};
        for (std::size_t j = 0; j < d_; ++j) {
            row.bin[j] = std::isnan(point[j]) ? unknown_bin : mixture_.columns()[j].bin_of(point[j]);
            if (!leaves_.column(j).leaf_bin.empty() && row.bin[j] != unknown_bin)
                row.leaf_bin[j] = leaves_.column(j).leaf_bin[row.bin[j]];
        }
        return row;
    }

    // Calls visit(leaf, free column or no_column, log of mass times the density of all other known columns
    // over the scales of what is summed out). With `only` that column is free; without it every one in turn:
    // a leaf that holds the whole row is visited once, with no free column.
    template <class Visit>
    void for_each_leaf(std::size_t tree, const RowBins& row, const double* point, std::size_t only,
                       Visit&& visit) {
        tree_ = tree;
        nodes_ = mixture_.trees()[tree].tree.nodes.data();
        leaves_of_tree_ = &mixture_.trees()[tree].leaves;
        bin_ = row.bin.data();
        leaf_bin_ = row.leaf_bin.data();
        point_ = point;
        fixed_ = only != no_column;
        go_down(0, only, visit);
    }

    // Of a leaf that holds the whole row, the weight of one column.
    double weight_of(std::size_t number, std::size_t leaf, std::size_t j) const {
        const ColumnLeaves& column = leaves_.column(j);
        if (column.gaussian()) return std::exp(log_gaussian(column, leaf, j));
        if (column.kind != LeafKind::histogram) return 1.0;
        return quantised_weights()[leaves_of_tree_->quantised_of(number, j, d_)[leaf_bin(j)]];
    }

  private:
    template <class Visit>
    void go_down(std::uint32_t at, std::size_t free, Visit& visit) {
        const Tree& tree = mixture_.trees()[tree_].tree;
        const TreeNode& node = nodes_[at];
        if (node.is_leaf()) {
            if (node.mass > 0.0) add_leaf(node.leaf, free, visit);
            return;
        }
        const auto s = static_cast<std::size_t>(node.feature);
        const bool categorical = categorical_[s] != 0;
        const bool anywhere = s == free || bin_[s] == unknown_bin;
        const bool own = anywhere || tree.goes_left(node, bin_[s], categorical);
        for (const bool left : {true, false}) {
            std::size_t child_free = free;
            if (!anywhere && left != own) {
                if (free != no_column || fixed_) continue;
                child_free = s;
            }
            const std::uint32_t child = node.left + (left ? 0 : 1);
            if (categorical) {
                go_down(child, child_free, visit);
                continue;
            }
            std::uint32_t& bound = left ? high_[s] : low_[s];
            const std::uint32_t before = bound;
            bound = node.threshold;
            go_down(child, child_free, visit);
            bound = before;
        }
    }

    std::uint32_t leaf_bin(std::size_t j) const {
        if (categorical_[j] != 0) return leaf_bin_[j];
        if (has_factors_) return FastLeafBins::leaf_bin_of(bin_[j] - low_[j], factors_[high_[j] - low_[j]]);
        return leaf_bins_between(low_[j], high_[j], leaves_of_tree_->n_leaf_bins).leaf_bin_of(bin_[j]);
    }

    double log_gaussian(const ColumnLeaves& column, std::size_t leaf, std::size_t j) const {
        return gaussian_log_weight(point_[j], column.mean[leaf], column.deviation[leaf]);
    }

    template <class Visit>
    void add_leaf(std::uint32_t number, std::size_t free, Visit& visit) const {
        const Leaves& payload = *leaves_of_tree_;
        const std::size_t leaf = leaves_.first_leaf()[tree_] + number;
        double log = payload.log_scale[number];
        std::int64_t steps = 0;
        const std::uint8_t* bytes = payload.quantised.data() + number * d_ * payload.n_leaf_bins;
        for (std::size_t j = 0; j < d_; ++j, bytes += payload.n_leaf_bins) {
            if (j == free) continue;
            if (bin_[j] == unknown_bin) {
                log -= std::log(scale_[leaf * d_ + j]);
            } else if (payload.kind == LeafKind::histogram) {
                steps += bytes[leaf_bin(j)] - 255;
            } else if (payload.kind == LeafKind::gaussian && categorical_[j] == 0) {
                log += log_gaussian(leaves_.column(j), leaf, j);
            }
        }
        visit(number, leaf, free, log + log_of_step * static_cast<double>(steps));
    }

    const LeafTable& leaves_;
    const std::vector<double>& scale_;
    const Mixture& mixture_;
    std::size_t d_;
    const std::uint64_t* factors_;
    bool has_factors_;
    std::vector<char> categorical_;
    std::vector<std::uint32_t> low_;
    std::vector<std::uint32_t> high_;
    std::size_t tree_ = 0;
    const TreeNode* nodes_ = nullptr;
    const Leaves* leaves_of_tree_ = nullptr;
    const std::uint32_t* bin_ = nullptr;
    const std::uint32_t* leaf_bin_ = nullptr;
    const double* point_ = nullptr;
    bool fixed_ = false;
};

// Sums of exponentials, kept as sum·exp(shift) so that nothing overflows.
class ShiftedSums {
  public:
    explicit ShiftedSums(std::size_t n) : sums_(n, 0.0) {}
    // exp(log) as a number that may be added to a sum.
    double scaled(double log) {
        if (log > shift_ + 300.0) {
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

// A block of rows, each with sums that all trees add to.
class RowBlock {
  public:
    RowBlock(const LeafTable& leaves, const std::vector<double>& scale, const double* points, std::size_t n,
             std::size_t n_sums)
        : leaves_(leaves), search_(leaves, scale), points_(points), sums_(n, ShiftedSums(n_sums)) {
        for (std::size_t i = 0; i < n; ++i) rows_.push_back(search_.bins_of(point(i)));
    }

    bool known(std::size_t i, std::size_t j) const { return rows_[i].bin[j] != unknown_bin; }
    ShiftedSums& sums(std::size_t i) { return sums_[i]; }
    const LeafSearch& search() const { return search_; }

    // Calls visit(row, number in its tree, leaf, free column, log + log of the tree's weight).
    template <class Visit>
    void for_each_leaf(std::size_t only, Visit&& visit) {
        const Mixture& mixture = leaves_.mixture();
        for (std::size_t t = 0; t < mixture.n_trees(); ++t) {
            if (!(mixture.weights()[t] > 0.0)) continue;
            const double log_weight = std::log(mixture.weights()[t]);
            for (std::size_t i = 0; i < rows_.size(); ++i) {
                search_.for_each_leaf(t, rows_[i], point(i), only,
                                      [&](std::size_t number, std::size_t leaf, std::size_t free, double log) {
                                          visit(i, number, leaf, free, log + log_weight);
                                      });
            }
        }
    }

  private:
    const double* point(std::size_t i) const { return points_ + i * leaves_.n_columns(); }

    const LeafTable& leaves_;
    LeafSearch search_;
    const double* points_;
    std::vector<ShiftedSums> sums_;
    std::vector<RowBins> rows_;
};

}  // namespace

RowConditionals::RowConditionals(const LeafTable& leaves)
    : leaves_(leaves), scale_(leaves.n_leaves() * leaves.n_columns()) {
    const std::size_t d = leaves.n_columns();
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t leaf = 0; leaf < leaves.n_leaves(); ++leaf)
            scale_[leaf * d + j] = leaves.column(j).scale[leaf];
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

void RowConditionals::log_density(const RowPoints& rows, double* out, const Watch& watch) const {
    const std::size_t d = leaves_.n_columns();
    in_blocks(rows, watch, [&](std::size_t first, std::size_t n) {
        RowBlock block(leaves_, scale_, rows.points + first * d, n, d + 1);
        block.for_each_leaf(no_column, [&](std::size_t i, std::size_t number, std::size_t leaf,
                                           std::size_t free, double log) {
            ShiftedSums& sums = block.sums(i);
            const double* scale = scale_.data() + leaf * d;
            const double density = sums.scaled(log);
            if (free != no_column) {
                sums[free] += density / scale[free];
                return;
            }
            sums[d] += density;
            for (std::size_t j = 0; j < d; ++j) {
                if (block.known(i, j))
                    sums[j] += density / (block.search().weight_of(number, leaf, j) * scale[j]);
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
        RowBlock block(leaves_, scale_, rows.points + first * d, n, pieces.n_bins() + 1);
        block.for_each_leaf(column, [&](std::size_t i, std::size_t, std::size_t leaf, std::size_t, double log) {
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

}  // namespace boxwood
