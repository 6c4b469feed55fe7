#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "mixture/ruled_mixture.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

using ColumnParts = std::tuple<std::size_t, Vector, Vector>;
using ComponentParts = std::tuple<std::size_t, Vector, Vector, std::vector<ColumnParts>>;

RuleComponent to_component(const ComponentParts& parts) {
    const auto& [root, point, width, columns] = parts;
    RuleComponent component{root, to_vector(point), to_vector(width), {}};
    for (const auto& [column, low, high] : columns)
        component.columns.push_back({column, to_vector(low), to_vector(high)});
    return component;
}

void make(RuledMixture* self, const Mixture& mixture, const std::vector<ComponentParts>& parts) {
    std::vector<RuleComponent> components;
    for (const ComponentParts& part : parts) components.push_back(to_component(part));
    nb::gil_scoped_release nogil;
    new (self) RuledMixture(mixture, std::move(components));
}

std::pair<Array<double>, MatrixArray<double>> agreement(const RuledMixture& ruled, std::size_t component) {
    RuleAgreement found = ruled.agreement(component);
    const std::size_t n = found.log_all.size();
    const std::size_t n_columns = found.log_but.size() / n;
    return {to_numpy(std::move(found.log_all)), to_numpy(std::move(found.log_but), n_columns, n)};
}

MatrixArray<double> sample(const RuledMixture& ruled, std::size_t n_rows, std::uint64_t seed) {
    std::vector<double> out(n_rows * ruled.n_columns());
    {
        nb::gil_scoped_release nogil;
        ruled.sample(n_rows, seed, out.data());
    }
    return to_numpy(std::move(out), n_rows, ruled.n_columns());
}

}  // namespace

void register_ruled_mixture(nb::module_& module) {
    nb::class_<RuledMixture>(module, "RuledMixture", "A mixture whose columns keep to rules.")
        .def("__init__", &make, nb::arg("mixture"), nb::arg("components"), nb::keep_alive<1, 2>(),
             "Of each component: the root, points and widths of its entries, and ruled columns (number, low, "
             "high).")
        .def("agreement", &agreement, nb::arg("component"),
             "Of each entry the logarithm of how far the mixture agrees by itself, and the same without each "
             "ruled column.")
        .def("sample", &sample, nb::arg("n_rows"), nb::arg("seed"), "Random points.");
}

}  // namespace boxwood::bindings
