// Sums over the rows of a node that choose its split, where the rows are in several places.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace boxwood {

// What a split finder counts, one table after another, in the order in which it needs them: this depends on
// the node's box alone. Sums of parts of the rows add up to those of all, and whole weights do so exactly.
class ProductSums {
  public:
    // To be written: of the rows that are here.
    ProductSums() = default;
    // To be read: of all rows, wherever they are.
    explicit ProductSums(std::span<const double> sums) : given_(sums), reads_(true) {}

    bool reads() const { return reads_; }
    void write(const std::vector<double>& table) {
        written_.insert(written_.end(), table.begin(), table.end());
    }
    // Throws std::invalid_argument where there are too few.
    void read(std::vector<double>& table) {
        if (table.size() > given_.size()) throw std::invalid_argument("there are too few sums of a node");
        std::copy_n(given_.begin(), table.size(), table.begin());
        given_ = given_.subspan(table.size());
    }
    std::vector<double> take() { return std::move(written_); }
    std::span<const double> rest() const { return given_; }

  private:
    std::vector<double> written_;
    std::span<const double> given_;
    bool reads_ = false;
};

}  // namespace boxwood
