// How a tree is grown, whatever it is to predict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace boxwood {

// What the splits of density trees gain; decision and regression trees have an Impurity instead.
enum class CriterionKind {
    log_likelihood,
    loo,
    squared_error,
    nonuniformity,
    gaussian_entropy,
    product_likelihood
};

struct GrowOptions {
    CriterionKind criterion = CriterionKind::log_likelihood;
    bool best_first = false;
    std::size_t max_depth = std::numeric_limits<std::size_t>::max();
    std::size_t max_leaf_nodes = std::numeric_limits<std::size_t>::max();
    double min_samples_split = 2.0;
    double min_samples_leaf = 1.0;
    double min_gain = -std::numeric_limits<double>::infinity();
    double max_aspect = std::numeric_limits<double>::infinity();
    double uniformity_level = 0.0;      // 0: no test
    std::size_t max_features = 0;       // columns tried a node; 0: all
    std::size_t max_candidates = 1024;  // candidate splits tried a column, binned
    std::size_t random_splits = 0;      // that many random candidates a column instead of even ones; 0: none
    std::size_t scan_rows = 512;        // product likelihood: so many rows of a node, or twice, choose its
                                        // split; 0: all
    std::uint64_t seed = 0;             // of this tree
    std::size_t n_directions = 0;       // oblique splits tried a node, decision and regression trees only,
    std::size_t direction_columns = 2;  // and the columns that each may mix
};

}  // namespace boxwood
