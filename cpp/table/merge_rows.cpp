#include "table/merge_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "table/distinct_rows.hpp"

namespace boxwood {

namespace {

__extension__ typedef __int128 Wide;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double canonical(double number) { return std::isnan(number) ? missing : number + 0.0; }
double canonical(std::int32_t code) { return code == missing_code ? missing : code; }

// The rows one after another, so that equal ones have equal bytes. Blocks of rows stay in the cache while
// each column is written to them.
std::vector<double> canonical_rows(const TableView& table) {
    constexpr std::size_t block = 512;
    const std::size_t width = table.n_columns();
    std::vector<double> rows(table.n_rows * width);
    for (std::size_t first = 0; first < table.n_rows; first += block) {
        const std::size_t end = std::min(first + block, table.n_rows);
        for (std::size_t j = 0; j < width; ++j) {
            const auto write = [&](const auto& column) {
                for (std::size_t row = first; row < end; ++row)
                    rows[row * width + j] = canonical(column[row]);
            };
            std::visit(write, table.columns[j]);
        }
    }
    return rows;
}

// Sums of doubles depend on their order, sums of integers do not. A weight is kept to 2⁻⁹⁰ of the largest:
// without any loss down to 2⁻³⁷ of it, and 2³² rows do not overflow.
class ExactSums {
  public:
    ExactSums(const double* weights, std::size_t n_rows, std::size_t n_sums) : sums_(n_sums, 0) {
        if (n_rows > 0) largest_ = *std::max_element(weights, weights + n_rows);
        shift_ = 90 - std::ilogb(largest_);
    }
    double largest() const { return largest_; }
    void add(std::size_t k, double weight) { sums_[k] += static_cast<Wide>(std::rint(scaled(weight))); }
    double sum(std::size_t k) const {
        const int half = shift_ / 2;  // in two steps: 2^shift alone may overflow
        return std::ldexp(std::ldexp(static_cast<double>(sums_[k]), -half), half - shift_);
    }

  private:
    double scaled(double weight) const {
        const int half = shift_ / 2;
        return std::ldexp(std::ldexp(weight, half), shift_ - half);
    }
    double largest_ = 1.0;
    int shift_;
    std::vector<Wide> sums_;
};

}  // namespace

MergedRows merge_rows(const TableView& table, const double* weights) {
    const std::size_t n_rows = table.n_rows;
    std::vector<double> rows = canonical_rows(table);
    DistinctRows distinct =
        find_distinct_rows(rows.data(), table.n_columns() * sizeof(double), n_rows, nullptr);
    std::vector<double>().swap(rows);
    MergedRows merged{std::move(distinct.first),
                      std::move(distinct.number),
                      std::move(distinct.key),
                      std::move(distinct.weight),
                      {}};
    merged.kish = merged.weight;
    if (weights == nullptr) return merged;
    ExactSums sums(weights, n_rows, merged.first.size());
    std::vector<double> square(merged.first.size(), 0.0);
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double fraction = weights[row] / sums.largest();  // its square stays in range
        sums.add(merged.number[row], weights[row]);
        square[merged.number[row]] += fraction * fraction;
    }
    for (std::size_t k = 0; k < merged.weight.size(); ++k) {
        merged.weight[k] = sums.sum(k);
        const double fraction = merged.weight[k] / sums.largest();
        merged.kish[k] = square[k] > 0.0 ? std::max(1.0, fraction * fraction / square[k]) : 1.0;
    }
    return merged;
}

}  // namespace boxwood
