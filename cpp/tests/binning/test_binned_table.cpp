#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>

#include "binning/binned_table.hpp"
#include "tests/check.hpp"

using boxwood::BinEdges;
using boxwood::BinnedRows;
using boxwood::BinnedTable;

namespace {

const std::vector<BinEdges> binned_columns = {{{0.0, 0.25, 0.5, 1.0}}, {{0.0, 0.5, 1.0}, true}};
const std::vector<BinEdges> exact_columns = {{{0.0, 1.0}}, {{0.0, 0.5, 1.0}, true}};

struct Rows {
    std::vector<std::uint16_t> bins;
    std::vector<double> points;
    std::vector<double> weights;
    std::size_t n = 0;

    void add(std::uint16_t first, std::uint16_t second, double weight, bool exact) {
        bins.push_back(exact ? 0 : first);
        bins.push_back(second);
        points.push_back(first / 4.0);
        points.push_back(0.25 + 0.5 * second);
        weights.push_back(weight);
        ++n;
    }
};

Rows random_rows(std::size_t n, bool exact, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Rows rows;
    for (std::size_t i = 0; i < n; ++i) {
        rows.add(static_cast<std::uint16_t>(random() % 3), static_cast<std::uint16_t>(random() % 2),
                 static_cast<double>(random() % 4), exact);
    }
    return rows;
}

bool refused(std::vector<BinEdges> columns, const Rows& rows, bool exact) {
    try {
        BinnedTable(std::move(columns), rows.n, rows.bins.data(), exact ? rows.points.data() : nullptr,
                    rows.weights.data());
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

}  // namespace

CASE("equal rows are one, with the sum of their weights", {
    for (bool exact : {false, true}) {
        const Rows rows = random_rows(60, exact, 3);
        const BinnedTable table(exact ? exact_columns : binned_columns, rows.n, rows.bins.data(),
                                exact ? rows.points.data() : nullptr, rows.weights.data());
        std::map<std::pair<double, double>, double> wanted;
        for (std::size_t i = 0; i < rows.n; ++i)
            wanted[{rows.points[2 * i], rows.points[2 * i + 1]}] += rows.weights[i];
        const BinnedRows& data = table.data();
        CHECK(data.n_rows == wanted.size() && table.n_rows() == rows.n);
        for (std::size_t i = 0; i < rows.n; ++i) {
            const std::size_t d = table.distinct(i);
            CHECK(data.bin(d, 0) == rows.bins[2 * i] && data.bin(d, 1) == rows.bins[2 * i + 1]);
            if (exact) CHECK(data.points[2 * d] == rows.points[2 * i]);
            CHECK((data.weight(d) == wanted[{rows.points[2 * i], rows.points[2 * i + 1]}]));
        }
    }
});

CASE("the order of the rows leaves no trace", {
    const Rows rows = random_rows(40, false, 4);
    Rows turned;
    for (std::size_t i = rows.n; i-- > 0;)
        turned.add(rows.bins[2 * i], rows.bins[2 * i + 1], rows.weights[i], false);
    const BinnedTable a(binned_columns, rows.n, rows.bins.data(), nullptr, rows.weights.data());
    const BinnedTable b(binned_columns, rows.n, turned.bins.data(), nullptr, turned.weights.data());
    CHECK(a.data().n_rows == b.data().n_rows);
    for (std::size_t d = 0; d < a.data().n_rows; ++d) {
        CHECK(a.data().keys[d] == b.data().keys[d] && a.data().weight(d) == b.data().weight(d));
        CHECK(a.data().bin(d, 0) == b.data().bin(d, 0) && a.data().bin(d, 1) == b.data().bin(d, 1));
    }
    for (std::size_t i = 0; i < rows.n; ++i) CHECK(a.distinct(i) == b.distinct(rows.n - 1 - i));
});

CASE("malformed input is refused", {
    const Rows good = random_rows(10, false, 5);
    const Rows exact = random_rows(10, true, 5);
    CHECK(!refused(binned_columns, good, false) && !refused(exact_columns, exact, true));
    CHECK(refused(binned_columns, exact, true));  // split at points, but with three bins
    Rows bad = good;
    bad.bins[2] = 3;
    CHECK(refused(binned_columns, bad, false));
    for (double weight : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        bad = good;
        bad.weights[4] = weight;
        CHECK(refused(binned_columns, bad, false));
    }
    for (double point : {-0.1, 1.5, std::nan("")}) {
        bad = exact;
        bad.points[3] = point;
        CHECK(refused(exact_columns, bad, true));
    }
    CHECK(refused({{{0.0, 0.5}}, {{0.0, 1.0}}}, good, false));
});

CHECK_MAIN()
