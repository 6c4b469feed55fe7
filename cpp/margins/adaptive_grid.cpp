#include "margins/adaptive_grid.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/ordered_key.hpp"
#include "base/sort_points.hpp"

namespace boxwood {

namespace {

// The first table tells 16 bits apart (sign, exponent, 4 bits of the fraction), each further one 8.
constexpr int root_shift = 48;
constexpr std::size_t root_size = std::size_t{1} << 16;
constexpr int step_bits = 8;
constexpr std::size_t step_size = std::size_t{1} << step_bits;
// Measured on the marginals of five real tables: with cells of 1/4096 combs blur (0.009 nats), with 1/8192
// not.
constexpr std::int64_t cells_at_least = 8192;

}  // namespace

CellCounter::CellCounter() : tables_{{0, root_shift}}, cells_(root_size) {}

CellCounter::Cell& CellCounter::find(std::uint64_t key) {
    std::size_t at = static_cast<std::size_t>(key >> root_shift);
    while (cells_[at].child >= 0) {
        const Table& table = tables_[static_cast<std::size_t>(cells_[at].child)];
        at = table.first + ((key >> table.shift) & (step_size - 1));
    }
    return cells_[at];
}

void CellCounter::add(Strided values, const std::int64_t* weights) {
    if (done_) return;
    for (std::size_t i = 0; i < values.size; ++i) {
        const std::int64_t weight = weights == nullptr ? 1 : weights[i];
        if (weight == 0) continue;
        const double value = values[i];
        if (std::isnan(value)) {
            if (first_pass_) missing_ += weight;
            continue;
        }
        const std::uint64_t key = ordered_key(value);
        Cell& cell = find(key);
        if (first_pass_) total_ += weight;
        if (!cell.open) continue;
        cell.count += weight;
        cell.low = std::min(cell.low, key);
        cell.high = std::max(cell.high, key);
    }
}

bool CellCounter::is_refined_like(const CellCounter& other) const {
    const auto same = [](const Cell& a, const Cell& b) { return a.child == b.child && a.open == b.open; };
    return first_pass_ == other.first_pass_ &&
           std::equal(cells_.begin(), cells_.end(), other.cells_.begin(), other.cells_.end(), same);
}

void CellCounter::merge(const CellCounter& other) {
    if (!is_refined_like(other)) {
        throw std::invalid_argument("only counters that were refined alike can be merged");
    }
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        if (!cells_[i].open) continue;
        cells_[i].count += other.cells_[i].count;
        cells_[i].low = std::min(cells_[i].low, other.cells_[i].low);
        cells_[i].high = std::max(cells_[i].high, other.cells_[i].high);
    }
    if (first_pass_) {
        total_ += other.total_;
        missing_ += other.missing_;
    }
}

CellCounter CellCounter::empty_like() const {
    CellCounter empty = *this;
    for (Cell& cell : empty.cells_) {
        if (cell.open) cell = Cell{};
    }
    if (first_pass_) empty.total_ = empty.missing_ = 0;
    return empty;
}

bool CellCounter::refine() {
    if (done_) return false;
    first_pass_ = false;
    std::vector<std::size_t> crowded;
    std::vector<int> shifts;
    for (const Table& table : tables_) {
        const std::size_t size = table.shift == root_shift ? root_size : step_size;
        for (std::size_t i = table.first; i < table.first + size; ++i) {
            Cell& cell = cells_[i];
            if (!cell.open) continue;
            cell.open = false;
            if (cell.count > total_ / cells_at_least && cell.low != cell.high && table.shift > 0) {
                crowded.push_back(i);
                shifts.push_back(table.shift - step_bits);
            }
        }
    }
    cells_.reserve(cells_.size() + crowded.size() * step_size);
    for (std::size_t k = 0; k < crowded.size(); ++k) {
        cells_[crowded[k]].child = static_cast<std::int32_t>(tables_.size());
        tables_.push_back({cells_.size(), shifts[k]});
        cells_.resize(cells_.size() + step_size);
    }
    done_ = crowded.empty();
    return !done_;
}

void CellCounter::collect(const Table& table, AdaptiveGrid& out) const {
    const std::size_t size = table.shift == root_shift ? root_size : step_size;
    for (std::size_t i = table.first; i < table.first + size; ++i) {
        const Cell& cell = cells_[i];
        if (cell.child >= 0) {
            collect(tables_[static_cast<std::size_t>(cell.child)], out);
        } else if (cell.count > 0) {
            out.low.push_back(from_ordered_key(cell.low));
            out.high.push_back(from_ordered_key(cell.high));
            out.count.push_back(cell.count);
        }
    }
}

AdaptiveGrid CellCounter::cells() const {
    AdaptiveGrid out;
    collect(tables_.front(), out);
    return out;
}

namespace {

// The cells of a sorted column, by the rule of `CellCounter::refine`.
class SortedColumn {
  public:
    SortedColumn(std::vector<std::uint64_t> keys, const std::vector<std::int64_t>& weights)
        : keys_(std::move(keys)) {
        if (!weights.empty()) {
            below_.push_back(0);
            for (std::int64_t weight : weights) below_.push_back(below_.back() + weight);
        }
    }

    AdaptiveGrid cells() const {
        AdaptiveGrid out;
        collect(0, keys_.size(), root_shift, out);
        return out;
    }

  private:
    std::int64_t count(std::size_t begin, std::size_t end) const {
        return below_.empty() ? static_cast<std::int64_t>(end - begin) : below_[end] - below_[begin];
    }

    void collect(std::size_t begin, std::size_t end, int shift, AdaptiveGrid& out) const {
        for (std::size_t i = begin, next = begin; i < end; i = next) {
            while (next < end && keys_[next] >> shift == keys_[i] >> shift) ++next;
            const std::int64_t n = count(i, next);
            const bool crowded = n > count(0, keys_.size()) / cells_at_least;
            if (crowded && keys_[i] != keys_[next - 1] && shift > 0) {
                collect(i, next, shift - step_bits, out);
                continue;
            }
            out.low.push_back(from_ordered_key(keys_[i]));
            out.high.push_back(from_ordered_key(keys_[next - 1]));
            out.count.push_back(n);
        }
    }

    std::vector<std::uint64_t> keys_;
    std::vector<std::int64_t> below_;  // weight of the keys before each; empty where all count 1
};

}  // namespace

SortedCells cells_of_column(Strided values, const std::int64_t* weights) {
    SortedCells found;
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < values.size; ++i) {
        const std::int64_t weight = weights == nullptr ? 1 : weights[i];
        if (weight == 0) continue;
        if (std::isnan(values[i])) {
            found.missing += weight;
            continue;
        }
        keys.push_back(ordered_key(values[i]));
        if (weights != nullptr) rows.push_back(static_cast<std::uint32_t>(i));
    }
    std::vector<std::int64_t> sorted_weights;
    if (weights == nullptr) {
        sort_keys(keys);
    } else {
        sort_keys(keys, rows);
        for (std::uint32_t row : rows) sorted_weights.push_back(weights[row]);
    }
    found.cells = SortedColumn(std::move(keys), sorted_weights).cells();
    return found;
}

CellCounter count_cells(Strided values, const std::int64_t* weights) {
    CellCounter counter;
    do {
        counter.add(values, weights);
    } while (counter.refine());
    return counter;
}

}  // namespace boxwood
