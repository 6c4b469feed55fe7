#include <nanobind/stl/pair.h>

#include "interrupt.hpp"
#include "mixture/table_mixture.hpp"
#include "register.hpp"
#include "table_of_cells.hpp"
#include "tables.hpp"
#include "tree/forest.hpp"

namespace boxwood::bindings {

namespace {

Array<double> log_density(const Margins& margins, const Mixture& mixture, const TableArrays& arrays,
                          std::size_t n_threads) {
    const TableView table = to_table(arrays);
    std::vector<double> out(table.n_rows);
    {
        const nb::object nobody = nb::none();
        const Watch watch = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        TableMixture(margins, mixture).log_density(table, out.data(), n_threads, watch);
    }
    return to_numpy(std::move(out));
}

using Scores = std::pair<Array<double>, Array<double>>;

Scores score_training(const Margins& margins, const Mixture& mixture, const TableArrays& arrays,
                      const BinnedTable& rows, const ForestOptions& options) {
    const TableView table = to_table(arrays);
    if (table.n_rows != rows.n_rows())
        throw std::invalid_argument("the table must have the rows that were binned");
    std::vector<double> out(table.n_rows);
    std::vector<double> unseen(table.n_rows);
    {
        const nb::object nobody = nb::none();
        const Watch watch = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        const auto in_bag = [&](std::size_t tree, std::size_t row) {
            const double weight = rows.weight(row);
            return !is_held_out(options, weight_in_sample(options, tree, rows.key(row), weight), weight);
        };
        TableMixture(margins, mixture)
            .log_density_with_out_of_bag(table, in_bag, out.data(), unseen.data(), options.n_threads, watch);
    }
    return {to_numpy(std::move(out)), to_numpy(std::move(unseen))};
}

std::vector<DecodedArrays> sample(const Margins& margins, const Mixture& mixture, std::size_t n_rows,
                                  std::uint64_t seed, std::size_t n_threads) {
    std::vector<DecodedColumn> columns;
    {
        const nb::object nobody = nb::none();
        const Watch watch = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        columns = TableMixture(margins, mixture).sample(n_rows, seed, n_threads, watch);
    }
    return to_arrays(std::move(columns), margins);
}

}  // namespace

void register_table_mixture(nb::module_& module) {
    module.def("table_log_density", &log_density, nb::arg("margins"), nb::arg("mixture"),
               nb::arg("table").noconvert(), nb::arg("n_threads") = 1,
               "Log-density of the rows of a table under a mixture under margins; missing values are summed "
               "out.");
    module.def("score_training", &score_training, nb::arg("margins"), nb::arg("mixture"),
               nb::arg("table").noconvert(), nb::arg("rows"), nb::arg("options"),
               "The same of the rows that a forest was fitted to, and by the trees that did not see a row; NaN "
               "where all did.");
    module.def("sample_table", &sample, nb::arg("margins"), nb::arg("mixture"), nb::arg("n_rows"),
               nb::arg("seed"), nb::arg("n_threads") = 1,
               "Random rows: the values of each column, and how many of them are missing.");
}

}  // namespace boxwood::bindings
