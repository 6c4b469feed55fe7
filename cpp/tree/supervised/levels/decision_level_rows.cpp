#include "tree/supervised/levels/decision_level_rows.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace boxwood {

namespace {

// A code of the node's first row, and one that differs from it where there is one: most columns have it near.
void note_codes(const SupervisedData& part, const CodeColumn& column, std::span<const std::uint32_t> rows,
                double* most) {
    std::uint32_t low = code_of(part, column, rows[0]);
    std::uint32_t high = low;
    with_code_type(column, [&]<class Code>(Code) {
        const unsigned char* codes = part.records + column.offset;
        for (std::uint32_t row : rows) {
            const std::uint32_t code = read_code<Code>(codes + row * part.stride);
            if (code == low) continue;
            high = std::max(low, code);
            low = std::min(low, code);
            return;
        }
    });
    most[0] = high;
    most[1] = -static_cast<double>(low);
}

// Adds the weight of a node's rows in each bin of a column and each class.
void add_records(const SupervisedData& part, const CodeColumn& column, const OpenRowsView& open,
                 std::size_t begin, std::size_t end, double* records) {
    const std::size_t n_classes = part.targets.n_classes;
    with_code_type(column, [&]<class Code>(Code) {
        const unsigned char* codes = part.records + column.offset;
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t row = open.rows[i];
            const std::uint32_t code = read_code<Code>(codes + row * part.stride);
            records[code * n_classes + part.targets.classes[row]] += open.weight(i);
        }
    });
}

}  // namespace

OpenRows route_rows(const SupervisedData& part, const DecisionLevelTree& tree, const OpenRowsView& open) {
    return route_open(tree, open,
                      [&](std::uint32_t node, std::uint32_t row) { return tree.goes_left(node, part, row); });
}

LevelCounts count_rows(const SupervisedData& part, const DecisionLevelTree& tree, const OpenRowsView& open) {
    open.require_nodes(tree.open.size());
    const std::size_t d = part.n_columns();
    const std::size_t n_classes = part.targets.n_classes;
    LevelCounts found;
    found.counts.assign(tree.open.size() * n_classes, 0.0);
    found.most.assign(tree.open.size() * d * 2, -std::numeric_limits<double>::infinity());
    for (std::size_t k = 0; k < tree.open.size(); ++k) {
        const std::size_t n = open.begin[k + 1] - open.begin[k];
        double* counts = found.counts.data() + k * n_classes;
        double sum = 0.0;
        for (std::size_t i = open.begin[k]; i < open.begin[k + 1]; ++i) {
            counts[part.targets.classes[open.rows[i]]] += open.weight(i);
            sum += open.weight(i);
        }
        found.n_rows.push_back(n);
        found.weight.push_back(sum);
        for (std::size_t j = 0; n > 0 && j < d; ++j)
            note_codes(part, part.columns[j], open.rows.subspan(open.begin[k], n),
                       found.most.data() + 2 * (k * d + j));
    }
    return found;
}

std::size_t words_of_row(std::size_t stride) {
    return (stride + sizeof(std::uint32_t)) / sizeof(std::uint16_t);
}

TakenRows take_rows(const SupervisedData& part, const OpenRowsView& open, std::span<const std::uint64_t> step,
                    std::span<const std::uint64_t> first, std::span<const std::uint8_t> tried) {
    const std::size_t d = part.n_columns();
    if (tried.size() != step.size() * d) throw std::invalid_argument("all columns of all nodes are needed");
    const std::size_t n_words = words_of_row(part.stride);
    TakenRows taken;
    take_open(
        open, step, first, taken,
        [&](std::uint32_t row) {
            taken.bins.resize(taken.bins.size() + n_words);
            auto* to = reinterpret_cast<unsigned char*>(taken.bins.data() + taken.bins.size() - n_words);
            std::memcpy(to, part.records + row * part.stride, part.stride);
            std::memcpy(to + part.stride, part.targets.classes + row, sizeof(std::uint32_t));
        },
        [&](std::size_t k) {
            for (std::size_t j = 0; j < d; ++j) {
                if (tried[k * d + j] == 0) continue;
                const std::size_t at = taken.sums.size();
                taken.sums.resize(at + part.columns[j].n_bins * part.targets.n_classes, 0.0);
                add_records(part, part.columns[j], open, open.begin[k], open.begin[k + 1],
                            taken.sums.data() + at);
            }
        });
    return taken;
}

}  // namespace boxwood
