#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "arrays.hpp"
#include "in_blocks.hpp"
#include "networks/conditional_network.hpp"
#include "networks/train_network.hpp"
#include "register.hpp"

namespace boxwood::bindings {

namespace {

using FloatMatrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Trained = std::tuple<Array<float>, double, std::size_t>;
using Task = std::tuple<std::vector<std::size_t>, std::size_t, std::uint64_t>;

bool are_finite(const float* values, std::size_t n) {
    return std::all_of(values, values + n, [](float value) { return std::isfinite(value); });
}

// Inputs, middles and widths of targets, weights.
using Rows = std::tuple<FloatMatrix, FloatMatrix, FloatMatrix, Input<float>>;

NetworkRows rows_of(const FloatMatrix& inputs, const FloatMatrix& middles, const FloatMatrix& widths,
                    const Input<float>& weights) {
    const std::size_t n = weights.shape(0);
    if (inputs.shape(0) != n || middles.shape(0) != n || widths.shape(0) != n ||
        middles.shape(1) != widths.shape(1))
        throw std::invalid_argument("inputs, targets and weights differ in rows or columns");
    for (const FloatMatrix* matrix : {&inputs, &middles, &widths})
        if (!are_finite(matrix->data(), matrix->size()))
            throw std::invalid_argument("inputs and targets must be finite");
    if (!are_finite(weights.data(), n) ||
        std::any_of(weights.data(), weights.data() + n, [](float weight) { return weight <= 0.0f; }))
        throw std::invalid_argument("weights must be finite and positive");
    return {inputs.shape(1),
            middles.shape(1),
            {inputs.data(), inputs.size()},
            {middles.data(), middles.size()},
            {widths.data(), widths.size()},
            span_of(weights)};
}

NetworkTask task_of(const Task& task, const NetworkRows& rows) {
    const auto& [inputs, target, seed] = task;
    if (target >= rows.n_targets ||
        std::any_of(inputs.begin(), inputs.end(), [&](std::size_t input) { return input >= rows.n_inputs; }))
        throw std::invalid_argument("a task names a column that is not there");
    return {inputs, target, seed};
}

std::vector<Trained> train(const Rows& train_rows, const Rows& held_rows, const std::vector<Task>& tasks,
                           const NetworkTraining& options, std::size_t n_threads) {
    const NetworkRows train = std::apply(rows_of, train_rows), held = std::apply(rows_of, held_rows);
    if (train.n_inputs != held.n_inputs || train.n_targets != held.n_targets)
        throw std::invalid_argument("held-out rows have other columns");
    std::vector<NetworkTask> wanted;
    for (const Task& task : tasks) wanted.push_back(task_of(task, train));
    std::vector<TrainedNetwork> found(tasks.size());
    {
        const nb::object nobody = nb::none();
        const Watch watch = watch_signals(nobody);
        nb::gil_scoped_release nogil;
        StopSignal stop;
        const auto check = stop.check();
        run_tasks(
            wanted.size(), n_threads,
            [&](std::size_t i) { found[i] = train_network(train, held, wanted[i], options, check); },
            stop.watching(watch));
    }
    std::vector<Trained> trained;
    for (TrainedNetwork& network : found)
        trained.emplace_back(to_numpy(std::move(network.parameters)), network.gain, network.n_passes);
    return trained;
}

void check_network(const Input<float>& parameters, const FloatMatrix& rows,
                   const std::vector<std::size_t>& inputs) {
    if (parameters.shape(0) != NetworkShape{inputs.size()}.size())
        throw std::invalid_argument("a network has too few or too many parameters");
    if (std::any_of(inputs.begin(), inputs.end(), [&](std::size_t input) { return input >= rows.shape(1); }))
        throw std::invalid_argument("a network has an input that is not there");
}

// Parameters and inputs of a network.
using Network = std::tuple<Input<float>, std::vector<std::size_t>>;

std::tuple<MatrixArray<double>, MatrixArray<double>> locate_rows(const std::vector<Network>& networks,
                                                                 const FloatMatrix& rows,
                                                                 const PointMatrix& low,
                                                                 const PointMatrix& high,
                                                                 std::size_t n_threads) {
    const std::size_t n = rows.shape(0), d = rows.shape(1), m = networks.size();
    for (const auto& [parameters, inputs] : networks) check_network(parameters, rows, inputs);
    for (const PointMatrix* values : {&low, &high})
        if (values->shape(0) != n || values->shape(1) != m)
            throw std::invalid_argument("one value a row and network is needed");
    std::vector<double> below(n * m), logs(n * m);
    in_blocks(n, n_threads, [&](std::size_t begin, std::size_t size) {
        for (std::size_t k = 0; k < m; ++k) {
            const std::size_t at = begin * m + k;
            const auto& [parameters, inputs] = networks[k];
            locate({span_of(parameters), inputs}, {rows.data() + begin * d, d}, size,
                   {low.data() + at, high.data() + at, below.data() + at, logs.data() + at, m});
        }
    });
    return {to_numpy(std::move(below), n, m), to_numpy(std::move(logs), n, m)};
}

Array<double> quantiles_of_rows(const Input<float>& parameters, const FloatMatrix& rows,
                                const std::vector<std::size_t>& inputs, const Vector& levels,
                                std::size_t n_threads) {
    check_network(parameters, rows, inputs);
    if (levels.shape(0) != rows.shape(0)) throw std::invalid_argument("one level a row is needed");
    const std::size_t n = rows.shape(0), d = rows.shape(1);
    std::vector<double> scores(n);
    in_blocks(n, n_threads, [&](std::size_t begin, std::size_t size) {
        find_quantiles({span_of(parameters), inputs}, {rows.data() + begin * d, d}, size,
                       levels.data() + begin, scores.data() + begin);
    });
    return to_numpy(std::move(scores));
}

}  // namespace

void register_networks(nb::module_& module) {
    nb::class_<NetworkTraining>(module, "NetworkTraining", "How networks are trained.")
        .def(nb::init<>())
        .def_rw("rate", &NetworkTraining::rate)
        .def_rw("batch", &NetworkTraining::batch)
        .def_rw("decay", &NetworkTraining::decay)
        .def_rw("average", &NetworkTraining::average)
        .def_rw("n_passes", &NetworkTraining::n_passes)
        .def_rw("n_cycles", &NetworkTraining::n_cycles)
        .def_rw("least_gain", &NetworkTraining::least_gain)
        .def_rw("n_errors", &NetworkTraining::n_errors)
        .def_rw("most_norm", &NetworkTraining::most_norm)
        .def_rw("low_frequency", &NetworkTraining::low_frequency)
        .def_rw("high_frequency", &NetworkTraining::high_frequency)
        .def_rw("input_power", &NetworkTraining::input_power);
    module.def(
        "network_size", [](std::size_t n_inputs) { return NetworkShape{n_inputs}.size(); },
        nb::arg("n_inputs"), "Parameters of a network.");
    module.def("train_networks", &train, nb::arg("train"), nb::arg("held_out"), nb::arg("tasks"),
               nb::arg("options"), nb::arg("n_threads") = 1,
               "Train a network for each (inputs, target, seed), on rows that are (inputs, middles, widths, "
               "weights); "
               "give the parameters, the gain in nats a held-out row and the passes of each.");
    module.def(
        "locate_by_networks", &locate_rows, nb::arg("networks"), nb::arg("rows").noconvert(),
        nb::arg("low").noconvert(), nb::arg("high").noconvert(), nb::arg("n_threads") = 1,
        "Of each row and (parameters, inputs): the mass below `low`, and the log-density there or, where "
        "`high` is above it, the logarithm of the mass between them.");
    module.def("network_quantiles", &quantiles_of_rows, nb::arg("parameters").noconvert(),
               nb::arg("rows").noconvert(), nb::arg("inputs"), nb::arg("levels").noconvert(),
               nb::arg("n_threads") = 1,
               "The score at which each row's distribution function takes its level.");
}

}  // namespace boxwood::bindings
