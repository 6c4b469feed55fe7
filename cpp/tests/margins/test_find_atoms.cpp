#include <cmath>

#include "margins/find_atoms.hpp"
#include "tests/check.hpp"

using namespace boxwood;

namespace {

WeightedCells ties(const std::vector<double>& count) {
    WeightedCells cells;
    for (std::size_t k = 0; k < count.size(); ++k) {
        cells.low.push_back(static_cast<double>(k));
        cells.high.push_back(static_cast<double>(k));
        cells.count.push_back(count[k]);
    }
    return cells;
}

std::size_t n_atoms(const WeightedCells& cells) {
    std::size_t n = 0;
    for (char found : find_atoms(cells)) n += found ? 1 : 0;
    return n;
}

}  // namespace

CASE("ten rows a value make a column discrete, of up to 500 values", {
    CHECK(n_atoms(ties(std::vector<double>(30, 10.0))) == 30);
    CHECK(n_atoms(ties(std::vector<double>(30, 9.9))) == 0);
    CHECK(n_atoms(ties(std::vector<double>(500, 50.0))) == 500);
    CHECK(n_atoms(ties(std::vector<double>(501, 50.0))) == 0);
});

CASE("one value is an atom from the second row on, and nothing has none",
     { CHECK(n_atoms(ties({2.0})) == 1 && n_atoms(ties({1.0})) == 0 && n_atoms({}) == 0); });

CASE("a spike stands out among its neighbours, at the ends too", {
    for (std::size_t at : {std::size_t{0}, std::size_t{2}, std::size_t{300}, std::size_t{599}}) {
        std::vector<double> count(600, 1.0);
        count[at] = 40.0;
        CHECK(n_atoms(ties(count)) == 1 && find_atoms(ties(count))[at]);
        count[at] = 9.0;
        CHECK(n_atoms(ties(count)) == 0);
    }
    std::vector<double> count(600, 10.0);
    count[300] = 60.0;
    CHECK(n_atoms(ties(count)) == 0);  // less than 1%
    count[300] = 100.0;
    CHECK(n_atoms(ties(count)) == 1);
    count[299] = count[301] = 100.0;
    CHECK(n_atoms(ties(count)) == 0);  // three of them are a hill
});

CASE("a cell of several values is never an atom", {
    WeightedCells cells = ties({20.0, 20.0, 20.0});
    cells.high[1] = 1.5;
    CHECK(find_atoms(cells) == (std::vector<char>{1, 0, 1}));
});

CASE("given atoms are cells of their own, with half a row where there is none", {
    WeightedCells cells = ties({9.0, 4.0, 5.0});
    cells.high[1] = 1.5;
    const CellsWithAtoms joined = with_atoms(cells, {-1.0, 0.0, 1.0, 1.2, 7.0}, 0.5);
    CHECK(joined.cells.low == (std::vector<double>{-1.0, 0.0, 1.0, 1.0, 1.2, 2.0, 7.0}));
    CHECK(joined.cells.high == (std::vector<double>{-1.0, 0.0, 1.5, 1.0, 1.2, 2.0, 7.0}));
    CHECK(joined.cells.count == (std::vector<double>{0.5, 9.0, 4.0, 0.5, 0.5, 5.0, 0.5}));
    CHECK(joined.is_atom == (std::vector<char>{1, 1, 0, 1, 1, 0, 1}));
});

CHECK_MAIN()
