#include <limits>

#include "neighbors/kd_tree.hpp"
#include "neighbors/partial_scan.hpp"
#include "neighbors/product_search.hpp"
#include "tests/check.hpp"
#include "tests/neighbors/small_points.hpp"

using namespace boxwood;

namespace {

template <class Search>
void check_search(const Search& search, const Points& rows, const Points& queries, std::size_t k, Norm norm,
                  std::size_t n_threads = 1) {
    std::vector<double> distances(queries.n * k);
    std::vector<std::int64_t> found(queries.n * k);
    search.query(queries.values.data(), queries.n, k, n_threads, distances.data(), found.data());
    for (std::size_t i = 0; i < queries.n; ++i) {
        const auto expected = reference_neighbors(rows, queries.row(i), k, norm);
        for (std::size_t j = 0; j < k; ++j) {
            const double wanted = to_distance(norm, expected[j].distance);
            const double got = distances[i * k + j];
            CHECK(norm == Norm::minkowski ? std::fabs(got - wanted) < 1e-12 : got == wanted);
            if (norm != Norm::minkowski) CHECK(found[i * k + j] == expected[j].row);
        }
    }
}

}  // namespace

CASE("the tree finds the nearest rows in every norm", {
    for (bool ties : {false, true}) {
        for (std::size_t n : {1u, 15u, 16u, 17u, 129u, 1500u}) {
            const Points rows = draw_points(n, 3, n, ties);
            const Points queries = draw_points(150, 3, n + 1, ties);
            for (Norm norm : {Norm::euclidean, Norm::manhattan, Norm::chebyshev, Norm::minkowski}) {
                const KdTree tree(rows.values.data(), n, 3, norm, 3.0);
                check_search(tree, rows, queries, std::min<std::size_t>(n, 5), norm, 2);
            }
        }
    }
});

CASE("so do products and the scan", {
    for (bool ties : {false, true}) {
        for (std::size_t n : {1u, 33u, 700u}) {
            const Points rows = draw_points(n, 12, n, ties);
            const Points queries = draw_points(230, 12, n + 1, ties);
            const std::size_t k = std::min<std::size_t>(n, 60);
            check_search(ProductSearch(rows.values.data(), n, 12), rows, queries, k, Norm::euclidean, 2);
            const PartialScan scan(rows.values.data(), n, 12, std::vector<std::uint8_t>(12, 0),
                                   Norm::euclidean, 2);
            check_search(scan, rows, queries, k, Norm::euclidean, 2);
        }
    }
});

CASE("equal rows are found by their numbers", {
    const Points rows{200, 2, std::vector<double>(400, 0.5)};
    const Points query{1, 2, {0.5, 0.5}};
    check_search(KdTree(rows.values.data(), 200, 2, Norm::euclidean, 2.0), rows, query, 150, Norm::euclidean);
    check_search(ProductSearch(rows.values.data(), 200, 2), rows, query, 150, Norm::euclidean);
});

CASE("rows that were taken out are not found", {
    const Points rows = draw_points(300, 4, 1);
    KdTree tree(rows.values.data(), 300, 4, Norm::euclidean, 2.0);
    ProductSearch products(rows.values.data(), 300, 4);
    for (std::size_t i = 0; i < 299; ++i) {
        tree.remove(i);
        products.remove(i);
    }
    double distance = 0.0;
    std::int64_t row = 0;
    tree.query(rows.row(3), 1, 1, 1, &distance, &row);
    CHECK(row == 299);
    products.query(rows.row(3), 1, 1, 1, &distance, &row);
    CHECK(row == 299);
});

CASE("the partial distance leaves out what is missing; categories differ by one", {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> rows{0.0, 7.0, nan, 3.0, nan, nan};
    const PartialScan scan(rows.data(), 3, 2, {0, 1}, Norm::euclidean, 2.0);
    const std::vector<double> query{2.0, 7.0};
    double distances[3];
    std::int64_t found[3];
    scan.query(query.data(), 1, 3, 1, distances, found);
    CHECK(found[0] == 1 && distances[0] == std::sqrt(2.0));  // one column of two, which differs by 1
    CHECK(found[1] == 0 && distances[1] == 2.0);
    CHECK(found[2] == 2 && std::isinf(distances[2]));
});

CASE("points far apart need all leaves, points in a line few of them", {
    Points line = draw_points(4000, 10, 1);
    for (std::size_t i = 0; i < line.n; ++i) {
        for (std::size_t d = 0; d < 10; ++d) line.values[i * 10 + d] = static_cast<double>(i);
    }
    CHECK(KdTree(line.values.data(), 4000, 10, Norm::euclidean, 2.0).visited_fraction(16, 10) < 0.05);
    const Points cube = draw_points(4000, 40, 1);
    CHECK(KdTree(cube.values.data(), 4000, 40, Norm::euclidean, 2.0).visited_fraction(16, 10) > 0.9);
});

CASE("an exception from watch stops a search", {
    const Points rows = draw_points(20000, 30, 1);
    const KdTree tree(rows.values.data(), rows.n, 30, Norm::euclidean, 2.0);
    std::vector<double> distances(rows.n * 5);
    std::vector<std::int64_t> found(rows.n * 5);
    bool stopped = false;
    try {
        tree.query(rows.values.data(), rows.n, 5, 1, distances.data(), found.data(),
                   [](std::size_t) { throw std::runtime_error("Ctrl-C"); });
    } catch (const std::runtime_error&) {
        stopped = true;
    }
    CHECK(stopped);
});

CHECK_MAIN()
