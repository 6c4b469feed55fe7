#include "table/chow_liu.hpp"

#include <algorithm>
#include <cmath>

namespace boxwood {

namespace {

using Counts = std::vector<std::int64_t>;

// Pairs × rows that are counted in search of the tree: half a second. Rows beyond it are left to the last
// step.
constexpr double most_steps = 5e8;
constexpr std::size_t fewest_rows = 1024;

double sum_n_log_n(const Counts& counts) {
    double sum = 0.0;
    for (std::int64_t count : counts)
        if (count > 0) sum += static_cast<double>(count) * std::log(static_cast<double>(count));
    return sum;
}

class Gains {
  public:
    explicit Gains(const CodedTable& table) : table_(table) {
        const auto d = static_cast<double>(table.n_columns);
        const auto affordable = static_cast<std::size_t>(most_steps / std::max(1.0, d * d / 2.0));
        n_rows_ = std::min(table.n_rows, std::max(fewest_rows, affordable));
        double all = 0.0;
        for (std::size_t i = 0; i < table.n_rows; ++i) {
            if (i < n_rows_) total_ += static_cast<double>(table.weights[i]);
            all += static_cast<double>(table.weights[i]);
        }
        n_observations_ = table.n_observations * total_ / all;
        for (std::size_t j = 0; j < table.n_columns; ++j) {
            Counts counts(static_cast<std::size_t>(table.n_levels[j]), 0);
            const std::int32_t* codes = table.codes + j * table.n_rows;
            for (std::size_t i = 0; i < n_rows_; ++i)
                counts[static_cast<std::size_t>(codes[i])] += table.weights[i];
            single_.push_back(sum_n_log_n(counts));
        }
    }

    // Nats that the pair tells over all observations, less what its table costs; never below 0.
    double operator()(std::size_t a, std::size_t b) {
        const double whole = total_ * std::log(total_);
        const double n = n_observations_;
        const double free_a = table_.n_levels[a] - 1.0;
        const double free_b = table_.n_levels[b] - 1.0;
        const double cost = 0.5 * std::log(std::max(2.0, n)) * free_a * free_b;
        const double most = (whole - std::max(single_[a], single_[b])) / total_ * n;
        if (!(most > cost)) return 0.0;
        count(a, b);
        const double known = (sum_n_log_n(pair_) - single_[a] - single_[b] + whole) / total_ * n;
        return std::max(0.0, known - cost);
    }

  private:
    void count(std::size_t a, std::size_t b) {
        const auto width = static_cast<std::size_t>(table_.n_levels[b]);
        pair_.assign(static_cast<std::size_t>(table_.n_levels[a]) * width, 0);
        const std::int32_t* codes_a = table_.codes + a * table_.n_rows;
        const std::int32_t* codes_b = table_.codes + b * table_.n_rows;
        for (std::size_t i = 0; i < n_rows_; ++i)
            pair_[static_cast<std::size_t>(codes_a[i]) * width + static_cast<std::size_t>(codes_b[i])] +=
                table_.weights[i];
    }

    const CodedTable& table_;
    std::size_t n_rows_ = 0;
    double total_ = 0.0;
    double n_observations_ = 0.0;
    std::vector<double> single_;
    Counts pair_;
};

// Prim's algorithm; of equal gains the first column counts.
std::vector<std::int32_t> find_parents(const CodedTable& table) {
    const std::size_t d = table.n_columns;
    Gains gain(table);
    std::vector<std::int32_t> parent(d, -1);
    std::vector<double> best(d, 0.0);
    std::vector<bool> done(d, false);
    for (std::size_t step = 0; step < d; ++step) {
        std::size_t next = d;
        for (std::size_t j = 0; j < d; ++j)
            if (!done[j] && (next == d || best[j] > best[next])) next = j;
        done[next] = true;
        for (std::size_t j = 0; j < d; ++j) {
            if (done[j]) continue;
            const double known = gain(next, j);
            if (known <= best[j]) continue;
            best[j] = known;
            parent[j] = static_cast<std::int32_t>(next);
        }
    }
    return parent;
}

// Adds log P(column | parent) of every row.
void add_log_fraction(const CodedTable& table, std::size_t j, std::int32_t parent, std::vector<double>& sum) {
    const auto width = static_cast<std::size_t>(table.n_levels[j]);
    const std::size_t n_given = parent < 0 ? 1 : static_cast<std::size_t>(table.n_levels[parent]);
    const std::int32_t* codes = table.codes + j * table.n_rows;
    const std::int32_t* given =
        parent < 0 ? nullptr : table.codes + static_cast<std::size_t>(parent) * table.n_rows;
    const auto condition = [&](std::size_t i) {
        return given == nullptr ? 0 : static_cast<std::size_t>(given[i]);
    };
    Counts pair(n_given * width, 0);
    Counts single(n_given, 0);
    for (std::size_t i = 0; i < table.n_rows; ++i) {
        pair[condition(i) * width + static_cast<std::size_t>(codes[i])] += table.weights[i];
        single[condition(i)] += table.weights[i];
    }
    for (std::size_t i = 0; i < table.n_rows; ++i) {
        const auto fraction =
            static_cast<double>(pair[condition(i) * width + static_cast<std::size_t>(codes[i])]);
        sum[i] += std::log(fraction / static_cast<double>(single[condition(i)]));
    }
}

}  // namespace

ChowLiuTree fit_chow_liu(const CodedTable& table) {
    ChowLiuTree tree{find_parents(table), std::vector<double>(table.n_rows, 0.0)};
    for (std::size_t j = 0; j < table.n_columns; ++j)
        add_log_fraction(table, j, tree.parent[j], tree.log_probability);
    return tree;
}

}  // namespace boxwood
