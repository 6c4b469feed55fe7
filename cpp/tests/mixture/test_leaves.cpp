#include <algorithm>
#include <cmath>

#include "mixture/leaves.hpp"
#include "tests/check.hpp"
#include "tests/tree/small_tree.hpp"

using boxwood::Box;
using boxwood::LeafBinRange;

CASE("a ratio is quantised to the step next to it", {
    CHECK(boxwood::quantise(0.0) == 0 && boxwood::quantise(1.0) == 255 && boxwood::quantise(1.5) == 255);
    CHECK(boxwood::quantise(std::nan("")) == 0 && boxwood::quantise(1e-300) == 0);
    for (int i = 0; i <= 20000; ++i) {
        const double ratio = std::exp2(-17.0 * i / 20000.0);
        const double wanted = std::clamp(255.0 + 16.0 * std::log2(ratio), 0.0, 255.0);
        CHECK(std::abs(boxwood::quantise(ratio) - wanted) <= 0.5 + 1e-9);
    }
    for (int q = 1; q <= 255; ++q) {
        const double edge = std::exp2((q - 255.5) / 16.0);
        CHECK(boxwood::quantise(edge) == q && boxwood::quantise(std::nextafter(edge, 0.0)) == q - 1);
    }
});

CASE("weights of quantised values are sixteenths of an octave", {
    const auto& weights = boxwood::quantised_weights();
    CHECK(weights[255] == 1.0 && weights[239] == 0.5);
    for (std::size_t q = 1; q < 256; ++q) {
        CHECK(std::abs(weights[q] / weights[q - 1] - std::exp2(1.0 / 16.0)) < 1e-14);
    }
});

CASE("bins of a range part its bins evenly, and begin where bin_of says", {
    for (std::uint32_t n_bins : {1u, 2u, 3u, 7u, 16u, 100u, 1024u}) {
        for (std::size_t most : {1u, 2u, 3u, 16u, 256u, 1024u}) {
            const LeafBinRange leaf_bins = boxwood::leaf_bins_between(5, 5 + n_bins, most);
            const boxwood::FastLeafBins fast(leaf_bins);
            CHECK(leaf_bins.n_leaf_bins == std::min<std::size_t>(most, n_bins));
            CHECK(leaf_bins.begin(0) == 5 && leaf_bins.begin(leaf_bins.n_leaf_bins) == 5 + n_bins);
            for (std::uint32_t bin = 5; bin < 5 + n_bins; ++bin) {
                const std::uint32_t b = leaf_bins.leaf_bin_of(bin);
                CHECK(b < leaf_bins.n_leaf_bins && leaf_bins.begin(b) <= bin && bin < leaf_bins.begin(b + 1));
                CHECK(fast.leaf_bin_of(bin) == b);
            }
        }
    }
});

CASE("bins by a multiplication are exact up to 2²⁰ bins", {
    for (std::uint32_t n_bins : {1u << 20, (1u << 20) - 1, 999983u, 65537u}) {
        for (std::size_t most : {1024u, 1023u, 777u, 3u}) {
            const LeafBinRange leaf_bins = boxwood::leaf_bins_between(0, n_bins, most);
            const boxwood::FastLeafBins fast(leaf_bins);
            bool good = true;
            for (std::uint32_t b = 0; b < leaf_bins.n_leaf_bins; ++b) {  // wrong there first, if anywhere
                good = good && fast.leaf_bin_of(leaf_bins.begin(b)) == b &&
                       fast.leaf_bin_of(leaf_bins.begin(b + 1) - 1) == b;
                good = good && leaf_bins.leaf_bin_of(leaf_bins.begin(b)) == b &&
                       leaf_bins.leaf_bin_of(leaf_bins.begin(b + 1) - 1) == b;
            }
            CHECK(good);
        }
    }
});

CASE("bins of an ordered column depend on the box, those of a categorical one do not", {
    const auto columns = small_columns();
    const auto tree = small_tree();
    const Box left = Box(columns).child(tree, tree.nodes[0], true).child(tree, tree.nodes[1], true);
    const LeafBinRange ordered = boxwood::leaf_bins_of_column(left, 0, 16);
    CHECK(ordered.n_leaf_bins == 2 && ordered.first_bin == 0 && ordered.n_bins == 2);
    const LeafBinRange categorical = boxwood::leaf_bins_of_column(left, 2, 3);
    CHECK(categorical.n_leaf_bins == 3 && categorical.n_bins == 5);
    double widths[3];
    boxwood::leaf_bin_widths(left, 2, categorical, widths);
    CHECK(std::abs(widths[0] - 0.1) < 1e-15 && widths[1] == 0.0 && std::abs(widths[2] - 0.1) < 1e-15);
    boxwood::leaf_bin_widths(left, 0, ordered, widths);
    CHECK(std::abs(widths[0] - 0.1) < 1e-15 && std::abs(widths[1] - 0.3) < 1e-15);
});

CHECK_MAIN()
