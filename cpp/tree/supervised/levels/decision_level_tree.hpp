// The upper part of a decision tree that is grown level by level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "binning/supervised_data.hpp"
#include "tree/levels/upper_part.hpp"
#include "tree/supervised/supervised_split.hpp"

namespace boxwood {

// `counts` are the weights of the classes of each node.
struct DecisionLevelTree : UpperPart {
    // Of each node.
    std::vector<std::uint8_t> missing_left;
    std::vector<ResponseBounds> bounds;
    std::vector<std::uint32_t> sets;  // of categories, as in CategorySets
    // Of each open node that is split by sums: which columns are tried.
    std::vector<std::uint8_t> tried;

    static DecisionLevelTree root(std::size_t number, double unit);

    // Adds the halves of a node, in the next level.
    void split(std::uint32_t node, const SupervisedSplit& found, const ResponseBounds& left,
               const ResponseBounds& right, bool categorical);

    // What those need who route rows: all but the counts.
    DecisionLevelTree skeleton() const;

    bool goes_left(std::uint32_t node, const SupervisedData& part, std::uint32_t row) const;
};

}  // namespace boxwood
