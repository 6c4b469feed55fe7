// Ranks among sorted values: the counts of any bins, without going through the values again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood {

// An index of sorted finite values, which it does not own. Cells of equal width tell at once where a value
// can be; there a short search finds its rank.
class Ranks {
  public:
    // Throws std::invalid_argument unless the values ascend and are finite.
    Ranks(const double* sorted, std::size_t n);

    std::size_t size() const { return size_; }

    // How many values lie below x.
    std::size_t below(double x) const;

    // The number of values in each of n_bins bins of equal width from low to high (which should span the
    // values), the last one closed. Edges are low + m·step, as numpy.linspace has them.
    std::vector<double> uniform_counts(double low, double high, std::size_t n_bins) const;

    // The same with weights: cumulative[i] is the weight of the first i values (size() + 1 entries).
    std::vector<double> uniform_weights(double low, double high, std::size_t n_bins,
                                        const double* cumulative) const;

  private:
    template <class Weight>
    std::vector<double> uniform(double low, double high, std::size_t n_bins, Weight weight) const;

    const double* sorted_;
    std::size_t size_;
    double scale_ = 0.0;
    std::vector<std::uint32_t> first_;  // rank of the first value of each cell
};

}  // namespace boxwood
