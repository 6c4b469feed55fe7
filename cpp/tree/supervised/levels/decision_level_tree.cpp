#include "tree/supervised/levels/decision_level_tree.hpp"

#include <algorithm>
#include <utility>

#include "tree/category_sets.hpp"

namespace boxwood {

DecisionLevelTree DecisionLevelTree::root(std::size_t number, double unit) {
    DecisionLevelTree made;
    made.plant(number, unit);
    made.missing_left = {0};
    made.bounds = {{}};
    return made;
}

void DecisionLevelTree::split(std::uint32_t node, const SupervisedSplit& found, const ResponseBounds& left,
                              const ResponseBounds& right, bool categorical) {
    add_halves(node, found.feature);
    TreeNode& inner = tree.nodes[node];
    inner.threshold = found.threshold_code;
    if (categorical) {
        std::vector<std::uint32_t> codes = found.left_codes;
        std::sort(codes.begin(), codes.end());
        inner.threshold = add_category_set(sets, codes);
    }
    missing_left[node] = found.missing_left ? 1 : 0;
    missing_left.resize(tree.nodes.size(), 0);
    bounds.push_back(left);
    bounds.push_back(right);
}

DecisionLevelTree DecisionLevelTree::skeleton() const {
    DecisionLevelTree bare = *this;
    bare.counts.clear();
    return bare;
}

bool DecisionLevelTree::goes_left(std::uint32_t node, const SupervisedData& part, std::uint32_t row) const {
    const TreeNode& inner = tree.nodes[node];
    const CodeColumn& column = part.columns[static_cast<std::size_t>(inner.feature)];
    const std::uint32_t code = code_of(part, column, row);
    if (column.categorical) return in_category_set(sets.data() + inner.threshold, code);
    return code < inner.threshold || (missing_left[node] != 0 && code == column.missing());
}

}  // namespace boxwood
