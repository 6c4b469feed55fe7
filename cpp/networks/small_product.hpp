// Products of small matrices, in tiles that stay in registers.
#pragma once

#include <algorithm>
#include <cstddef>

#include "networks/lanes.hpp"

namespace boxwood {

namespace {  // a version a file

// Accumulators, a row of the other factor and a broadcast element fill the registers.
constexpr std::size_t kTileRows = 6;
constexpr std::size_t kTileVectors = kLanes == 16 ? 4 : 2;

// The left factor, whose element (i, k) lies at data[i·row + k·step].
struct LeftFactor {
    const float* data;
    std::size_t row, step;
};

// target[i][j] = start + Σ_k left(i, k)·right[k][j] for a tile, where start is `bias`, what was there, or 0.
enum class Start { zero, bias, target };

template <std::size_t kRows, std::size_t kVectors>
BOXWOOD_INLINE void tile_product(LeftFactor left, const float* right, std::size_t right_row,
                                 std::size_t n_terms, Start start, const float* bias, float* target,
                                 std::size_t target_row) {
    Lanes sums[kRows][kVectors];
    for (std::size_t i = 0; i < kRows; ++i) {
        for (std::size_t v = 0; v < kVectors; ++v) {
            sums[i][v] = start == Start::zero   ? Lanes{}
                         : start == Start::bias ? load(bias + v * kLanes)
                                                : load(target + i * target_row + v * kLanes);
        }
    }
    for (std::size_t k = 0; k < n_terms; ++k) {
        Lanes row[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v) row[v] = load(right + k * right_row + v * kLanes);
        for (std::size_t i = 0; i < kRows; ++i) {
            const Lanes element = all(left.data[i * left.row + k * left.step]);
            for (std::size_t v = 0; v < kVectors; ++v) sums[i][v] = fused(element, row[v], sums[i][v]);
        }
    }
    for (std::size_t i = 0; i < kRows; ++i)
        for (std::size_t v = 0; v < kVectors; ++v) store(sums[i][v], target + i * target_row + v * kLanes);
}

template <std::size_t kVectors>
void strip_product(LeftFactor left, std::size_t n_rows, const float* right, std::size_t right_row,
                   std::size_t n_terms, Start start, const float* bias, float* target,
                   std::size_t target_row) {
    std::size_t i = 0;
    for (; i + kTileRows <= n_rows; i += kTileRows) {
        tile_product<kTileRows, kVectors>({left.data + i * left.row, left.row, left.step}, right, right_row,
                                          n_terms, start, bias, target + i * target_row, target_row);
    }
    const LeftFactor rest{left.data + i * left.row, left.row, left.step};
    const auto rest_product = [&]<std::size_t kRows>() {
        tile_product<kRows, kVectors>(rest, right, right_row, n_terms, start, bias, target + i * target_row,
                                      target_row);
    };
    // One tile again: of single rows each would wait for its own sums (batches of 64 leave four).
    switch (n_rows - i) {
        case 5:
            return rest_product.template operator()<5>();
        case 4:
            return rest_product.template operator()<4>();
        case 3:
            return rest_product.template operator()<3>();
        case 2:
            return rest_product.template operator()<2>();
        case 1:
            return rest_product.template operator()<1>();
        default:
            return;
    }
}

// Of n_rows × n_terms by n_terms × n_columns, the latter a multiple of 16.
inline void product(LeftFactor left, std::size_t n_rows, const float* right, std::size_t right_row,
                    std::size_t n_terms, Start start, const float* bias, float* target,
                    std::size_t target_row, std::size_t n_columns) {
    std::size_t j = 0;
    const auto strips_product = [&]<std::size_t kVectors>() {
        for (; j + kVectors * kLanes <= n_columns; j += kVectors * kLanes) {
            strip_product<kVectors>(left, n_rows, right + j, right_row, n_terms, start,
                                    bias ? bias + j : nullptr, target + j, target_row);
        }
    };
    strips_product.template operator()<kTileVectors>();
    if (kTileVectors > 2) strips_product.template operator()<2>();
    strips_product.template operator()<1>();
}

}  // namespace

}  // namespace boxwood
