#include "neighbors/gabriel.hpp"
#include "tests/check.hpp"
#include "tests/neighbors/small_points.hpp"

using namespace boxwood;

namespace {

bool reference_enemy(const Points& rows, const std::vector<std::int64_t>& classes, std::size_t a) {
    for (std::size_t b = 0; b < rows.n; ++b) {
        if (classes[a] == classes[b]) continue;
        bool parted = false;
        for (std::size_t c = 0; c < rows.n; ++c) {
            double sum = 0.0;
            for (std::size_t d = 0; d < rows.dims; ++d) {
                sum += (rows.row(a)[d] - rows.row(c)[d]) * (rows.row(b)[d] - rows.row(c)[d]);
            }
            parted = parted || sum < 0.0;
        }
        if (!parted) return true;
    }
    return false;
}

}  // namespace

CASE("rows with a Gabriel neighbour of another class are those of the definition", {
    for (bool ties : {false, true}) {
        for (std::size_t dims : {1u, 2u, 3u, 6u}) {
            const Points rows = draw_points(150, dims, dims, ties);
            std::vector<std::int64_t> classes(rows.n);
            for (std::size_t i = 0; i < rows.n; ++i) classes[i] = rows.row(i)[0] > (ties ? 1.5 : 0.1) ? 1 : 0;
            const KdTree tree(rows.values.data(), rows.n, dims, Norm::euclidean, 2.0);
            for (std::size_t n_threads : {1u, 3u}) {
                const auto found = has_gabriel_enemy(tree, rows.values.data(), classes.data(), n_threads);
                for (std::size_t i = 0; i < rows.n; ++i) {
                    CHECK((found[i] != 0) == reference_enemy(rows, classes, i));
                }
            }
        }
    }
});

CHECK_MAIN()
