// The nearest rows found so far: by distance, then by row number, so that ties have one answer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace boxwood {

struct Neighbor {
    double distance;
    std::int64_t row;
};

inline bool operator<(const Neighbor& a, const Neighbor& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.row < b.row);
}

class NeighborList {
  public:
    explicit NeighborList(std::size_t k) : k_(k) { kept_.reserve(k); }

    void clear() { kept_.clear(); }
    bool is_full() const { return kept_.size() == k_; }

    // What is farther can be left out. Finite at first, so that padding at infinity never comes in.
    double bound() const {
        if (!is_full()) return std::numeric_limits<double>::max();
        return is_heap() ? kept_.front().distance : kept_.back().distance;
    }

    void offer(double distance, std::int64_t row) {
        const Neighbor candidate{distance, row};
        if (is_heap()) {
            offer_to_heap(candidate);
        } else {
            offer_to_sorted(candidate);
        }
    }

    // Sorted, nearest first; only `clear` may follow.
    const std::vector<Neighbor>& sorted() {
        if (is_heap()) std::sort(kept_.begin(), kept_.end());
        return kept_;
    }

  private:
    // Moving a few entries up is faster than a heap until there are about fifty.
    static constexpr std::size_t kLargestSorted = 48;
    bool is_heap() const { return k_ > kLargestSorted; }

    void offer_to_sorted(const Neighbor& candidate) {
        if (is_full()) {
            if (!(candidate < kept_.back())) return;
        } else {
            kept_.push_back(candidate);
        }
        std::size_t i = kept_.size() - 1;
        for (; i > 0 && candidate < kept_[i - 1]; --i) kept_[i] = kept_[i - 1];
        kept_[i] = candidate;
    }

    void offer_to_heap(const Neighbor& candidate) {
        if (is_full()) {
            if (!(candidate < kept_.front())) return;
            std::pop_heap(kept_.begin(), kept_.end());
            kept_.back() = candidate;
        } else {
            kept_.push_back(candidate);
        }
        std::push_heap(kept_.begin(), kept_.end());
    }

    std::size_t k_;
    std::vector<Neighbor> kept_;
};

// Writes what a search has found. Fewer than k can only be where distances overflow: rows are finite.
template <class ToDistance>
void write_found(const std::vector<Neighbor>& found, std::size_t k, double* distances, std::int64_t* rows,
                 ToDistance&& to_distance) {
    if (found.size() < k) throw std::overflow_error("distances overflow; rescale the columns");
    for (std::size_t j = 0; j < k; ++j) {
        distances[j] = to_distance(found[j].distance);
        rows[j] = found[j].row;
    }
}

}  // namespace boxwood
