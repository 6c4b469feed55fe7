#include <stdexcept>

#include "boxwood/grow.hpp"
#include "boxwood/grower.hpp"
#include "boxwood/target_scanner.hpp"

namespace boxwood {

namespace {

template <class Sum>
GrownTree grow_with(const GrowData& data, const Targets& targets, const GrowOptions& options,
                    const std::function<void()>& interrupt) {
    return Grower<TargetScanner<Sum>>(data, options, TargetScanner<Sum>(data, targets), interrupt).grow();
}

}  // namespace

GrownTree grow_target_tree(const GrowData& data, const Targets& targets, Impurity impurity,
                           const GrowOptions& options, const std::function<void()>& interrupt) {
    switch (impurity) {
        case Impurity::gini:
            return grow_with<GiniSum>(data, targets, options, interrupt);
        case Impurity::entropy:
            return grow_with<EntropySum>(data, targets, options, interrupt);
        case Impurity::variance:
            return grow_with<VarianceSum>(data, targets, options, interrupt);
    }
    throw std::invalid_argument("unknown impurity");
}

std::vector<double> node_responses(const GrownTree& grown, const GrowData& data, const Targets& targets) {
    const std::size_t width = targets.values != nullptr ? 1 : targets.n_classes;
    const std::vector<TreeNode>& nodes = grown.tree.nodes;
    std::vector<double> sums(nodes.size() * width, 0.0);
    for (std::size_t i = nodes.size(); i-- > 0;) {
        double* sum = sums.data() + i * width;
        if (!nodes[i].is_leaf()) {  // children stand behind their parent: theirs are done
            for (std::size_t k = 0; k < 2 * width; ++k) sum[k % width] += sums[nodes[i].left * width + k];
            continue;
        }
        for (std::size_t at = grown.begin[i]; at < grown.end[i]; ++at) {
            const std::size_t row = grown.rows[at];
            const double w = data.weight(row);
            sum[width == 1 && targets.values != nullptr ? 0 : targets.classes[row]] +=
                targets.values != nullptr ? w * targets.values[row] : w;
        }
    }
    if (targets.values != nullptr) {
        for (std::size_t i = 0; i < nodes.size(); ++i) sums[i] /= nodes[i].count;
    }
    return sums;
}

}  // namespace boxwood
