#include "binning/supervised_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace boxwood {

namespace {

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

void check_codes(const ColumnCodes& column, std::size_t n_rows) {
    require(column.width == 1 || column.width == 2 || column.width == 4, "codes have 1, 2 or 4 bytes");
    const auto* bytes = static_cast<const unsigned char*>(column.codes);
    CodeColumn typed;
    typed.width = column.width;
    with_code_type(typed, [&]<class Code>(Code) {
        std::uint32_t largest = 0;
        for (std::size_t i = 0; i < n_rows; ++i)
            largest = std::max(largest, read_code<Code>(bytes + i * sizeof(Code)));
        require(n_rows == 0 || largest < column.n_bins, "a bin is not there");
    });
}

// A record must not straddle cache lines for nothing.
std::size_t padded(std::size_t bytes) {
    return bytes <= 64 ? std::bit_ceil(std::max<std::size_t>(bytes, 4)) : (bytes + 63) / 64 * 64;
}

}  // namespace

// The widest codes come first, so that all are aligned.
RecordLayout lay_out_records(std::span<const ColumnCodes> columns) {
    RecordLayout layout;
    std::uint32_t offset = 0;
    layout.columns.resize(columns.size());
    for (std::uint32_t width : {4u, 2u, 1u}) {
        for (std::size_t j = 0; j < columns.size(); ++j) {
            if (columns[j].width != width) continue;
            layout.columns[j] = {
                offset, width, columns[j].n_bins, columns[j].categorical, columns[j].monotone, 0};
            offset += width;
        }
    }
    layout.stride = padded(offset);
    return layout;
}

SupervisedTable::SupervisedTable(std::span<const ColumnCodes> columns, std::size_t n_rows,
                                 const Targets& targets, const double* weights, const double* numbers) {
    require((targets.classes == nullptr) != (targets.values == nullptr), "classes or values are needed");
    for (const ColumnCodes& column : columns) check_codes(column, n_rows);
    for (std::size_t i = 0; targets.classes != nullptr && i < n_rows; ++i) {
        require(targets.classes[i] < targets.n_classes, "a class is not there");
    }
    for (std::size_t i = 0; weights != nullptr && i < n_rows; ++i) {
        require(weights[i] >= 0.0 && std::isfinite(weights[i]), "weights must be finite and not negative");
    }
    data_.targets = targets;
    RecordLayout layout = lay_out_records(columns);
    data_.columns = std::move(layout.columns);
    data_.stride = layout.stride;
    pack(columns, n_rows, weights, numbers);
    if (numbers != nullptr) average_numbers();
}

void SupervisedTable::average_numbers() {
    const std::size_t d = data_.n_columns();
    fill_.assign(d, 0.0);
    std::vector<double> weight(d, 0.0);
    for (std::size_t i = 0; i < data_.n_rows; ++i) {
        for (std::size_t j = 0; j < d; ++j) {
            const double x = numbers_[i * d + j];
            if (std::isnan(x)) continue;
            weight[j] += data_.weights[i];
            // Means move towards the number, since a sum might overflow.
            fill_[j] += (x - fill_[j]) * (data_.weights[i] / weight[j]);
        }
    }
    data_.fill = fill_.data();
}

void SupervisedTable::pack(std::span<const ColumnCodes> columns, std::size_t n_rows, const double* weights,
                           const double* numbers) {
    const Targets given = data_.targets;
    const std::size_t d = columns.size();
    const std::size_t target_bytes =
        given.classes != nullptr ? sizeof(std::uint32_t) : given.n_values * sizeof(double);
    const std::size_t number_bytes = numbers != nullptr ? d * sizeof(double) : 0;
    const std::size_t width = data_.stride + target_bytes + number_bytes;
    std::vector<unsigned char> rows(n_rows * width, 0);
    for (std::size_t j = 0; j < d; ++j) {
        const auto* codes = static_cast<const unsigned char*>(columns[j].codes);
        const std::size_t bytes = columns[j].width;
        unsigned char* out = rows.data() + data_.columns[j].offset;
        for (std::size_t i = 0; i < n_rows; ++i) std::memcpy(out + i * width, codes + i * bytes, bytes);
    }
    const auto* of_targets = given.classes != nullptr ? reinterpret_cast<const unsigned char*>(given.classes)
                                                      : reinterpret_cast<const unsigned char*>(given.values);
    for (std::size_t i = 0; i < n_rows; ++i) {
        unsigned char* out = rows.data() + i * width + data_.stride;
        std::memcpy(out, of_targets + i * target_bytes, target_bytes);
        if (number_bytes > 0) std::memcpy(out + target_bytes, numbers + i * d, number_bytes);
    }
    distinct_ = find_distinct_rows(rows.data(), width, n_rows, weights);
    records_.reserve(distinct_.first.size() * data_.stride);
    for (std::uint32_t row : distinct_.first) {
        const unsigned char* record = rows.data() + row * width;
        records_.insert(records_.end(), record, record + data_.stride);
        if (number_bytes > 0) numbers_.insert(numbers_.end(), numbers + row * d, numbers + (row + 1) * d);
        if (given.classes != nullptr) classes_.push_back(given.classes[row]);
        if (given.values != nullptr) {
            const double* of_row = given.values + row * given.n_values;
            values_.insert(values_.end(), of_row, of_row + given.n_values);
        }
    }
    for (std::size_t j = 0; j < d; ++j) {
        data_.columns[j].by_column = by_column_.size();
        const auto* codes = static_cast<const unsigned char*>(columns[j].codes);
        const std::size_t bytes = columns[j].width;
        for (std::uint32_t row : distinct_.first)
            by_column_.insert(by_column_.end(), codes + row * bytes, codes + (row + 1) * bytes);
    }
    data_.by_column = by_column_.data();
    data_.n_rows = distinct_.first.size();
    data_.records = records_.data();
    data_.numbers = number_bytes > 0 ? numbers_.data() : nullptr;
    data_.weights = distinct_.weight.data();
    data_.keys = distinct_.key.data();
    data_.targets.classes = given.classes != nullptr ? classes_.data() : nullptr;
    data_.targets.values = given.values != nullptr ? values_.data() : nullptr;
}

}  // namespace boxwood
