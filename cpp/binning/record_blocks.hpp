// Records of the rows of a node, copied close together.
//
// Deep in a tree the rows of a node are few and far apart in the table, and each would cost a cache miss for
// every column that is looked at. A node of a sixteenth of the rows among which its own lie gets a copy of
// their records, and its rows are numbered anew. Growth is depth first: a copy is needed until its node's
// subtree is done, so that one copy for each such step down is all there is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "binning/supervised_data.hpp"

namespace boxwood {

class RecordBlocks {
  public:
    // Without copies rows keep their numbers: growth that is not depth first, or needs more than codes.
    RecordBlocks(const SupervisedData& data, bool copies) : data_(data), copies_(copies) {}

    // To be called with the rows of a node, which begin at `begin` among all, before its codes are read.
    template <class Row>
    void enter(std::span<Row> rows, std::size_t begin) {
        while (depth_ > 0 && begin >= blocks_[depth_ - 1].end) --depth_;
        const std::size_t among = depth_ > 0 ? blocks_[depth_ - 1].n_rows : data_.n_rows;
        is_dense_ = depth_ == 0 && step * rows.size() > among;
        if (!copies_ || step * rows.size() > among || among <= smallest) return;
        const unsigned char* from = records();
        if (depth_ == blocks_.size()) blocks_.emplace_back();
        Block& block = blocks_[depth_++];
        block.end = begin + rows.size();
        block.n_rows = rows.size();
        block.records.resize(std::max(block.records.size(), rows.size() * data_.stride));
        unsigned char* to = block.records.data();
        for (std::uint32_t i = 0; i < rows.size(); ++i, to += data_.stride) {
            std::copy_n(from + rows[i].row * data_.stride, data_.stride, to);
            rows[i].row = i;
        }
    }

    // The codes of a column for the rows of the node last entered.
    CodesView codes(const CodeColumn& column) const {
        if (is_dense_) return {data_.by_column + column.by_column, column.width};
        return {records() + column.offset, data_.stride};
    }

  private:
    static constexpr std::size_t step = 16;
    static constexpr std::size_t smallest = 1024;  // so many records fit the first cache

    struct Block {
        std::size_t end = 0;  // of its node's rows
        std::size_t n_rows = 0;
        std::vector<unsigned char> records;
    };

    const unsigned char* records() const {
        return depth_ > 0 ? blocks_[depth_ - 1].records.data() : data_.records;
    }

    const SupervisedData& data_;
    bool copies_;
    bool is_dense_ = true;  // the node has most of the rows, and finds their codes column by column
    std::size_t depth_ = 0;
    std::vector<Block> blocks_;
};

}  // namespace boxwood
