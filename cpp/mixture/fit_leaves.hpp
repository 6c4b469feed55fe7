// From a grown tree to a density: masses of its nodes and the payload of its leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "mixture/leaves.hpp"
#include "tree/density/grow_density_tree.hpp"

namespace boxwood {

struct LeafOptions {
    LeafKind kind = LeafKind::uniform;
    double mass_prior = 1.0;       // strength of the Beta prior of a node's left fraction
    std::size_t n_leaf_bins = 16;  // histograms
    double histogram_prior = 4.0;  // rows that a parent's histogram counts for in its child's
    std::vector<std::size_t>
        constant_columns;  // along these a Gaussian is constant: they hold atoms, integers
    // Bins (column, bin) of categories that no row of the table has. Histograms keep for them what the
    // margins do, who know that already: shrunk at every level, they had a hundred-thousandth of it.
    std::vector<std::pair<std::size_t, std::uint32_t>> unseen_bins;
    double deviation_floor =
        1e-3;  // Gaussians: smallest deviation, as a fraction of the uniform one on the cube
};

// A node of a tree whose leaves are fitted elsewhere, for those who fit the leaves below it.
struct LeafOrigin {
    std::vector<Box::Part> box;     // along every column
    std::vector<double> fractions;  // the masses of its histograms' bins
    double mass = 1.0;
    double parent_count = std::numeric_limits<double>::infinity();
};

// Throws std::invalid_argument where leaves cannot be fitted like that.
void check_leaf_options(const LeafOptions& options, std::size_t n_columns);

// Sets the masses of all nodes and returns the leaves.
//
// The mass of a left child is (n_left + c·f)/(n + c), f the fraction that its parent's leaf would have given
// it: the fraction of the volume, or of the parent's histogram. A histogram is shrunk towards that of its
// parent in the same box, the root's is uniform (the margins are exactly that).
Leaves fit_leaves(GrownDensityTree& grown, const BinnedRows& data, const LeafOptions& options,
                  const LeafOrigin* origin = nullptr);

}  // namespace boxwood
