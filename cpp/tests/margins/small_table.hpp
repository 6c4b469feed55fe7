// Three columns, one of each kind, with missing values in two of them.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "margins/margins.hpp"

struct MarginTable {
    std::vector<double> numbers;
    std::vector<double> integers;
    std::vector<std::int32_t> codes;

    explicit MarginTable(std::size_t n) {
        std::mt19937_64 random(7);
        std::normal_distribution<double> normal;
        for (std::size_t i = 0; i < n; ++i) {
            const double value = normal(random);
            numbers.push_back(i % 7 == 3 ? std::numeric_limits<double>::quiet_NaN() : value);
            integers.push_back(std::floor(20.0 * normal(random)));
            codes.push_back(static_cast<std::int32_t>(random() % 4) - 1);
        }
    }

    boxwood::TableView view() const {
        return {{boxwood::Strided{numbers.data(), numbers.size(), 1},
                 boxwood::Strided{integers.data(), integers.size(), 1},
                 boxwood::StridedCodes{codes.data(), codes.size(), 1}},
                numbers.size()};
    }

    static std::vector<boxwood::ColumnField> fields() {
        using Kind = boxwood::ColumnField::Kind;
        return {{"number", Kind::number, 0}, {"integer", Kind::integer, 0}, {"code", Kind::category, 3}};
    }

    boxwood::Margins margins(boxwood::MarginKind kind = boxwood::MarginKind::smooth,
                             std::size_t n_threads = 1) const {
        return boxwood::fit_margins(view(), fields(), {}, kind, {}, n_threads);
    }
};
