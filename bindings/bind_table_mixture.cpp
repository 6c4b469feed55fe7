#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "binning/binned_table.hpp"
#include "interrupt.hpp"
#include "mixture/density_forest.hpp"
#include "mixture/table_mixture.hpp"
#include "register.hpp"
#include "tables.hpp"

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

// Mixture, importances, the smallest split, and log-densities of the training rows: by all trees and by those
// that did not see a row.
using FittedForest = std::tuple<Mixture, Array<double>, double, Array<double>, Array<double>>;

FittedForest fit(const Margins& margins, const TableArrays& arrays, const BinnedTable& rows,
                 const DensityForestOptions& options, const nb::object& progress, bool score) {
    const TableView table = to_table(arrays);
    if (table.n_rows != rows.n_rows())
        throw std::invalid_argument("the table must have the rows that were binned");
    std::vector<double> out(score ? table.n_rows : 0);
    std::vector<double> unseen(score ? table.n_rows : 0);
    const auto fitted = [&] {
        const nb::object nobody = nb::none();
        const Watch growing = watch_signals(progress);
        const Watch scoring = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        DensityForest forest = fit_density_forest(rows.data(), options, growing);
        Mixture mixture = Mixture::of_fitted(std::move(forest.columns), std::move(forest.trees));
        const TableMixture density(margins, mixture);
        if (score)
            density.log_density_with_out_of_bag(table, in_bag_of(rows, options), out.data(), unseen.data(),
                                                options.n_threads, scoring);
        return std::pair(std::move(mixture), std::move(forest));
    };
    auto [mixture, forest] = fitted();
    return {std::move(mixture), to_numpy(std::move(forest.importance)), forest.min_samples_split,
            to_numpy(std::move(out)), to_numpy(std::move(unseen))};
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
    module.def("fit_table_forest", &fit, nb::arg("margins"), nb::arg("table").noconvert(), nb::arg("rows"),
               nb::arg("options"), nb::arg("progress").none(), nb::arg("score") = true,
               "Fit a density forest to the rows of a table: the mixture, the sum of the gains of each "
               "column's splits, the smallest split, the log-density of each row, and that by the trees that "
               "did not see it; NaN where all did. Both are empty where rows are not to be scored.");
    module.def("sample_table", &sample, nb::arg("margins"), nb::arg("mixture"), nb::arg("n_rows"),
               nb::arg("seed"), nb::arg("n_threads") = 1,
               "Random rows: the values of each column, and how many of them are missing.");
}

}  // namespace boxwood::bindings
