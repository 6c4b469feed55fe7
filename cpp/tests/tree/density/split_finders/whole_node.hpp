// A node that holds all rows of a table, as split finders are told of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/tree/small_table.hpp"
#include "tree/density/node_context.hpp"

struct WholeNode {
    std::vector<std::uint32_t> rows;
    boxwood::GrowBox box;
    boxwood::RowPartition partition;
    double weight = 0.0;

    WholeNode(const SmallTable& table, const boxwood::BinnedRows& data, double volume = 1.0)
        : rows(table.all_rows()), box(boxwood::GrowBox::whole(data)) {
        box.volume = volume;
        partition.start(data, rows, data.points != nullptr);
        for (std::size_t row = 0; row < data.n_rows; ++row) weight += data.weight(row);
    }

    boxwood::NodeContext context(std::size_t step = 1) const {
        return {partition, 0, rows, weight, box, step, {}};
    }
};
