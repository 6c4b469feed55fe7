#include <nanobind/stl/tuple.h>

#include <tuple>

#include "arrays.hpp"
#include "register.hpp"
#include "table/scan.hpp"

namespace boxwood::bindings {

namespace {

std::tuple<std::int64_t, std::int64_t, std::int64_t> scan(const Column& values) {
    Scan found;
    {
        nb::gil_scoped_release nogil;
        found = scan_values(strided(values));
    }
    return {found.n_missing, found.first_missing, found.first_oversized};
}

}  // namespace

void register_table(nb::module_& module) {
    module.def("scan_values", &scan, nb::arg("values").noconvert(),
               "Count of NaN, index of the first NaN and of the first oversized value (−1: none).");
}

}  // namespace boxwood::bindings
