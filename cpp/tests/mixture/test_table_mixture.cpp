#include <cmath>
#include <stdexcept>

#include "mixture/table_mixture.hpp"
#include "tests/check.hpp"
#include "tests/margins/small_table.hpp"
#include "tests/tree/small_tree.hpp"

using namespace boxwood;

namespace {

Mixture small_mixture() {
    Leaves leaves;
    leaves.kind = LeafKind::uniform;
    return Mixture(small_columns(), {{small_tree(), leaves}, {small_tree(), leaves}}, {0.25, 0.75});
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

CASE("a table's log-density is that of its points and the margins' log-derivative, for any threads", {
    const MarginTable table(5000);
    const Margins margins = table.margins();
    const Mixture mixture = small_mixture();
    std::vector<double> points(15000);
    std::vector<double> logs(5000);
    std::vector<double> on_cube(5000);
    margins.score(table.view(), 0, 5000, MissingValues::marginal, points.data(), logs.data());
    mixture.log_density(points.data(), 5000, on_cube.data(), 1, {});
    for (std::size_t n_threads : {std::size_t{1}, std::size_t{3}}) {
        std::vector<double> out(5000);
        TableMixture(margins, mixture).log_density(table.view(), out.data(), n_threads);
        for (std::size_t i = 0; i < 5000; ++i) CHECK(out[i] == on_cube[i] + logs[i]);
    }
});

CASE("trees that saw a row are left out of what others say of it", {
    const MarginTable table(3000);
    const Margins margins = table.margins();
    const Mixture mixture = small_mixture();
    const auto left_out = [](std::size_t tree, std::size_t row) {
        return row % 3 == 0 || row % 3 == tree + 1 ? 0.0 : 1.0;
    };
    std::vector<double> points(9000);
    std::vector<double> logs(3000);
    std::vector<double> expected(3000);
    std::vector<UnseenScore> expected_unseen(3000);
    margins.score(table.view(), 0, 3000, MissingValues::marginal, points.data(), logs.data());
    mixture.log_density_with_out_of_bag(points.data(), 3000, left_out, expected.data(),
                                        expected_unseen.data(), 1, {});
    for (std::size_t n_threads : {std::size_t{1}, std::size_t{2}}) {
        std::vector<double> out(3000);
        std::vector<UnseenScore> unseen(3000);
        TableMixture(margins, mixture)
            .log_density_with_out_of_bag(table.view(), left_out, out.data(), unseen.data(), n_threads);
        for (std::size_t i = 0; i < 3000; ++i) {
            CHECK(out[i] == expected[i] + logs[i] && same(unseen[i].all, expected_unseen[i].all));
            CHECK(std::isnan(unseen[i].all) == (i % 3 == 0));
        }
    }
});

CASE("drawn rows are decoded points", {
    const Margins margins = MarginTable(400).margins();
    const Mixture mixture = small_mixture();
    std::vector<double> points(60);
    mixture.sample(20, 5, points.data());
    const auto expected = margins.decode(points.data(), 20, 1);
    const auto drawn = TableMixture(margins, mixture).sample(20, 5, 2);
    for (std::size_t i = 0; i < 20; ++i) {
        CHECK(same(drawn[0].numbers[i], expected[0].numbers[i]));
        CHECK(drawn[1].numbers[i] == expected[1].numbers[i] && drawn[2].codes[i] == expected[2].codes[i]);
    }
});

CASE("margins of other columns are refused", {
    const Margins none(std::vector<Margin>{});
    const Mixture mixture = small_mixture();
    bool refused = false;
    try {
        const TableMixture density(none, mixture);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
});

CHECK_MAIN()
