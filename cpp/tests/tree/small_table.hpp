// Small random tables on the unit cube, for the tests of growth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "base/random.hpp"
#include "binning/binned_rows.hpp"
#include "tree/density/make_candidates.hpp"

// Columns depend on each other; the last ones are categorical. Keys are those of the rows' numbers.
struct SmallTable {
    std::vector<boxwood::BinEdges> columns;
    std::vector<std::uint16_t> bins;
    std::vector<double> points;
    std::vector<double> weights;
    std::vector<std::uint64_t> keys;
    std::size_t n_rows;
    bool exact;

    SmallTable(std::size_t n, std::size_t n_ordered, std::size_t n_categorical, std::uint64_t seed,
               bool is_exact = false, std::size_t n_bins = 16)
        : n_rows(n), exact(is_exact) {
        std::mt19937_64 random(seed);
        std::uniform_real_distribution<double> uniform;
        const std::size_t d = n_ordered + n_categorical;
        for (std::size_t j = 0; j < d; ++j) {
            boxwood::BinEdges bin_edges{{0.0}, j >= n_ordered};
            const std::size_t bins_here = bin_edges.categorical ? 5 : is_exact ? 1 : n_bins;
            for (std::size_t k = 1; k < bins_here; ++k) {
                const double even = static_cast<double>(k) / static_cast<double>(bins_here);
                bin_edges.u.push_back(even * (0.5 + 0.5 * even));
            }
            bin_edges.u.push_back(1.0);
            columns.push_back(bin_edges);
        }
        for (std::size_t i = 0; i < n; ++i) {
            const double common = uniform(random);
            for (std::size_t j = 0; j < d; ++j) {
                const double own = uniform(random);
                points.push_back(j % 2 == 0 ? common * common : 0.7 * common + 0.3 * own * own);
                bins.push_back(static_cast<std::uint16_t>(columns[j].bin_of(points.back())));
            }
            weights.push_back(static_cast<double>(1 + random() % 3));
            keys.push_back(boxwood::mix_bits(i));
        }
    }

    boxwood::BinnedRows data(bool weighted = true) const {
        return {&columns,
                n_rows,
                bins.data(),
                exact ? points.data() : nullptr,
                weighted ? weights.data() : nullptr,
                keys.data(),
                nullptr};
    }

    boxwood::NodeColumn column(std::size_t j) const { return {bins.data() + j, columns.size(), n_rows}; }

    std::vector<std::uint32_t> all_rows() const {
        std::vector<std::uint32_t> rows(n_rows);
        for (std::uint32_t i = 0; i < n_rows; ++i) rows[i] = i;
        return rows;
    }
};
