#include "mixture/table_mixture.hpp"

#include <stdexcept>

#include "base/row_blocks.hpp"

namespace boxwood {

namespace {

// Points of a block of rows and their log-derivatives: kept small, so that both stay in a cache.
struct ScoredBlock {
    std::vector<double> points;
    std::vector<double> log_derivative;

    ScoredBlock(const Margins& margins, const TableView& table, MissingValues missing, std::size_t first,
                std::size_t n)
        : points(n * margins.n_columns()), log_derivative(n) {
        margins.score(table, first, n, missing, points.data(), log_derivative.data());
    }

    void add_to(double* out) const {
        for (std::size_t i = 0; i < log_derivative.size(); ++i) out[i] += log_derivative[i];
    }
};

}  // namespace

TableMixture::TableMixture(const Margins& margins, const Mixture& mixture, MissingValues missing)
    : margins_(margins), mixture_(mixture), missing_(missing) {
    if (margins.n_columns() != mixture.n_columns())
        throw std::invalid_argument("margins and mixture have not the same number of columns");
}

void TableMixture::log_density(const TableView& table, double* out, std::size_t n_threads,
                               const Watch& watch) const {
    margins_.check(table);
    in_row_blocks(table.n_rows, table.n_columns(), n_threads, watch, [&](std::size_t first, std::size_t n) {
        const ScoredBlock block(margins_, table, missing_, first, n);
        mixture_.log_density_of_block(block.points.data(), n, out + first);
        block.add_to(out + first);
    });
}

void TableMixture::log_density_with_out_of_bag(const TableView& table, const LeftOut& left_out, double* out,
                                               UnseenScore* unseen, std::size_t n_threads,
                                               const Watch& watch) const {
    margins_.check(table);
    in_row_blocks(table.n_rows, table.n_columns(), n_threads, watch, [&](std::size_t first, std::size_t n) {
        const ScoredBlock block(margins_, table, missing_, first, n);
        const LeftOut of_block = [&](std::size_t tree, std::size_t i) { return left_out(tree, first + i); };
        mixture_.log_density_of_block(block.points.data(), n, out + first, &of_block, unseen + first);
        block.add_to(out + first);
    });
}

std::vector<DecodedColumn> TableMixture::sample(std::size_t n_rows, std::uint64_t seed, std::size_t n_threads,
                                                const Watch& watch) const {
    std::vector<double> points(n_rows * mixture_.n_columns());
    std::function<bool(const double*)> accept;
    if (margins_.has_unseen()) accept = [&](const double* point) { return !margins_.is_unseen(point); };
    mixture_.sample(n_rows, seed, points.data(), accept);
    return margins_.decode(points.data(), n_rows, n_threads, watch);
}

}  // namespace boxwood
