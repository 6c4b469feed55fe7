#include <cmath>
#include <functional>
#include <stdexcept>

#include "margins/margins.hpp"
#include "tests/check.hpp"
#include "tests/margins/small_table.hpp"

using namespace boxwood;

namespace {

bool is_refused(const std::function<void()>& call) {
    try {
        call();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

CASE("points are those of each column's own margin, NaN only where the scored value is missing", {
    const MarginTable table(200);
    for (MarginKind kind : {MarginKind::smooth, MarginKind::linear}) {
        const Margins margins = table.margins(kind);
        const auto& number = std::get<NumberMargin>(margins.columns()[0]);
        const auto& integer = std::get<NumberMargin>(margins.columns()[1]);
        const auto& category = std::get<CategoryMargin>(margins.columns()[2]);
        CHECK(number.missing_mass > 0.0 && integer.missing_mass == 0.0 && integer.lattice.has_value());
        std::vector<double> points(600);
        std::vector<double> observed(600);
        std::vector<double> logs(200);
        margins.encode(table.view(), points.data(), 1);
        margins.score(table.view(), 0, 200, MissingValues::marginal, observed.data(), logs.data());
        for (std::size_t i = 0; i < 200; ++i) {
            const bool missing = std::isnan(table.numbers[i]);
            const double at = missing ? 0.5 * number.cdf.total() + 0.5 : number.cdf.encode(table.numbers[i]);
            CHECK(points[3 * i] == at && std::isnan(observed[3 * i]) == missing);
            const bool no_code = table.codes[i] == missing_code;
            CHECK(std::isnan(observed[3 * i + 2]) == no_code);
            double sum = missing ? 0.0 : number.cdf.log_density(table.numbers[i]);
            double one = 0.0;
            integer.add_log_derivative({&table.integers[i], 1, 1}, 0.0, &one);
            sum += one;
            if (!no_code) sum += std::log(category.mass()[static_cast<std::size_t>(table.codes[i])]);
            CHECK(logs[i] == sum);
        }
    }
});

CASE("threads and blocks change no bit", {
    const MarginTable table(9000);
    const Margins margins = table.margins();
    const Margins by_threads = table.margins(MarginKind::smooth, 3);
    std::vector<std::vector<double>> points(2, std::vector<double>(27000));
    std::vector<std::vector<double>> logs(2, std::vector<double>(9000));
    for (std::size_t k : {std::size_t{0}, std::size_t{1}}) {
        (k == 0 ? margins : by_threads).encode(table.view(), points[k].data(), k == 0 ? 1 : 3);
        (k == 0 ? margins : by_threads)
            .log_derivative(table.view(), MissingValues::event, logs[k].data(), k == 0 ? 1 : 3);
    }
    CHECK(points[0] == points[1] && logs[0] == logs[1]);
});

CASE("decoding undoes encoding, and counts what is missing", {
    const MarginTable table(300);
    const Margins margins = table.margins();
    std::vector<double> points(900);
    margins.encode(table.view(), points.data(), 1);
    for (std::size_t n_threads : {std::size_t{1}, std::size_t{2}}) {
        const auto decoded = margins.decode(points.data(), 300, n_threads);
        CHECK(decoded[1].numbers == table.integers && decoded[2].codes == table.codes);
        std::size_t n_missing = 0;
        for (std::size_t i = 0; i < 300; ++i) {
            const double value = table.numbers[i];
            n_missing += std::isnan(value) ? 1 : 0;
            CHECK(same(decoded[0].numbers[i], value) ||
                  std::abs(decoded[0].numbers[i] - value) < 1e-9 * std::max(1.0, std::abs(value)));
        }
        CHECK(decoded[0].n_missing == n_missing && decoded[1].n_missing == 0);
    }
});

CASE("counts that were summed elsewhere make the same margins", {
    const MarginTable table(500);
    std::vector<std::int64_t> counts(4, 0);
    for (std::int32_t code : table.codes) ++counts[code < 0 ? 3 : static_cast<std::size_t>(code)];
    const CellCounter numbers = count_cells({table.numbers.data(), 500, 1}, nullptr);
    const CellCounter integers = count_cells({table.integers.data(), 500, 1}, nullptr);
    const std::vector<ColumnSummary> summaries = {SortedCells{numbers.cells(), numbers.missing()},
                                                  SortedCells{integers.cells(), integers.missing()}, counts};
    const Margins whole = table.margins();
    const Margins summed =
        margins_of_summaries(summaries, MarginTable::fields(), 1.0, MarginKind::smooth, {}, 1);
    std::vector<double> a(1500);
    std::vector<double> b(1500);
    whole.encode(table.view(), a.data(), 1);
    summed.encode(table.view(), b.data(), 1);
    CHECK(a == b);
    CHECK(is_refused([&] {
        margins_of_summaries({counts, counts, counts}, MarginTable::fields(), 1.0, MarginKind::smooth, {}, 1);
    }));
});

CASE("weights are repetitions, and given atoms are atoms", {
    const MarginTable table(50);
    const std::vector<std::int64_t> twice(50, 2);
    const Margins weighted =
        fit_margins(table.view(), MarginTable::fields(), {twice.data(), 1.0}, MarginKind::linear, {}, 1);
    CHECK(std::get<NumberMargin>(weighted.columns()[0]).missing_mass ==
          std::get<NumberMargin>(table.margins().columns()[0]).missing_mass);
    const NumberMeasures measures = {{std::nullopt, std::vector<double>{0.0, 0.5}, {}}, {}, {}};
    const Margins margins =
        fit_margins(table.view(), MarginTable::fields(), {}, MarginKind::smooth, measures, 1);
    CHECK(std::get<NumberMargin>(margins.columns()[0]).cdf.has_atoms());
    CHECK(!margins.can_cut_anywhere() && !margins.continuous()[0]);
});

CASE("a column without any value keeps half a row for it", {
    const std::vector<double> missing(10, std::numeric_limits<double>::quiet_NaN());
    const TableView table{{Strided{missing.data(), 10, 1}}, 10};
    const Margins margins =
        fit_margins(table, {{"x", ColumnField::Kind::number, 0}}, {}, MarginKind::smooth, {}, 1);
    CHECK(std::abs(std::get<NumberMargin>(margins.columns()[0]).missing_mass - 10.0 / 10.5) < 1e-15);
});

CASE("tables of other columns and unknown categories are refused", {
    const MarginTable table(20);
    const Margins margins = table.margins();
    std::vector<double> out(60);
    TableView view = table.view();
    std::swap(view.columns[0], view.columns[2]);
    CHECK(is_refused([&] { margins.encode(view, out.data(), 1); }));
    CHECK(is_refused([&] { fit_margins(view, MarginTable::fields(), {}, MarginKind::smooth, {}, 1); }));
    view = table.view();
    view.columns.pop_back();
    CHECK(is_refused([&] { margins.encode(view, out.data(), 1); }));
    CHECK(is_refused([&] { fit_margins(view, MarginTable::fields(), {}, MarginKind::smooth, {}, 1); }));
    MarginTable strange(20);
    strange.codes[5] = 3;
    margins.encode(strange.view(), out.data(), 1);  // unseen
    CHECK(is_refused([&] { strange.margins(); }));
    strange.codes[5] = 4;
    CHECK(is_refused([&] { margins.encode(strange.view(), out.data(), 1); }));
});

CASE("a missing value as an event is the middle of its interval, with its probability", {
    const MarginTable table(200);
    const Margins margins = table.margins(MarginKind::smooth);
    const auto& number = std::get<NumberMargin>(margins.columns()[0]);
    std::vector<double> points(600);
    std::vector<double> observed(600);
    std::vector<double> events(200);
    std::vector<double> present(200);
    margins.score(table.view(), 0, 200, MissingValues::event, points.data(), events.data());
    margins.score(table.view(), 0, 200, MissingValues::marginal, observed.data(), present.data());
    std::vector<double> expected(200);
    margins.log_derivative(table.view(), MissingValues::event, expected.data(), 1);
    for (std::size_t i = 0; i < 200; ++i) {
        const bool missing = std::isnan(table.numbers[i]);
        if (missing) CHECK(std::abs(points[3 * i] - (1.0 - 0.5 * number.missing_mass)) < 1e-12);
        if (!missing) CHECK(points[3 * i] == observed[3 * i]);
        CHECK(std::abs(events[i] - expected[i]) < 1e-9);
        CHECK(missing || table.codes[i] == missing_code ? events[i] < present[i] : events[i] == present[i]);
    }
});

CHECK_MAIN()
