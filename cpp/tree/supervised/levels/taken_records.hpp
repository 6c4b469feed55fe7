// Rows of a node that parts of a table have given, as trees are grown on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "tree/supervised/levels/decision_level_rows.hpp"

namespace boxwood {

class TakenRecords {
  public:
    // Those of the k-th node of a level, in the parts' order.
    TakenRecords(const SupervisedData& columns, std::span<const TakenRows> parts, std::size_t k)
        : data_(columns) {
        for (const TakenRows& part : parts) add(part, first_taken(part, k), part.n_rows[k]);
        for (CodeColumn& column : data_.columns) lay_column(column);
        data_.n_rows = weights_.size();
        data_.records = records_.data();
        data_.by_column = by_column_.data();
        data_.weights = weights_.data();
        data_.targets.classes = classes_.data();
    }
    TakenRecords(const TakenRecords&) = delete;
    TakenRecords& operator=(const TakenRecords&) = delete;

    const SupervisedData& data() const { return data_; }

  private:
    void add(const TakenRows& part, std::uint64_t first, std::uint64_t n) {
        const std::size_t width = words_of_row(data_.stride) * sizeof(std::uint16_t);
        for (std::uint64_t i = first; i < first + n; ++i) {
            const auto* row = reinterpret_cast<const unsigned char*>(part.bins.data()) + i * width;
            records_.insert(records_.end(), row, row + data_.stride);
            std::uint32_t of_row = 0;
            std::memcpy(&of_row, row + data_.stride, sizeof of_row);
            classes_.push_back(of_row);
            weights_.push_back(part.weights.empty() ? 1.0 : part.weights[i]);
        }
    }

    void lay_column(CodeColumn& column) {
        column.by_column = by_column_.size();
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            const unsigned char* code = records_.data() + i * data_.stride + column.offset;
            by_column_.insert(by_column_.end(), code, code + column.width);
        }
    }

    std::vector<unsigned char> records_;
    std::vector<unsigned char> by_column_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> classes_;
    SupervisedData data_;
};

}  // namespace boxwood
