#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/check.hpp"
#include "tree/density/split_finders/density_criteria.hpp"
#include "tree/density/split_finders/gain_bounds.hpp"

using boxwood::BoundCandidates;

CASE("no gain exceeds its bound, and all instruction sets agree to the bit", {
    std::size_t n_sets = 0;
    const BoundCandidates* all = boxwood::all_bound_candidates(n_sets);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform;
    const boxwood::LogLikelihoodCriterion criterion({}, 0.0);
    for (std::size_t n : {0u, 1u, 3u, 8u, 21u, 200u}) {
        std::vector<double> left(n);
        std::vector<double> u(n);
        const double total = 1.0 + std::floor(1000.0 * uniform(random));
        for (std::size_t i = 0; i < n; ++i) {
            left[i] = std::floor(total * uniform(random));
            u[i] = i % 7 == 6 ? 0.25 : 0.25 + 0.5 * uniform(random);  // the first end, or inside
        }
        std::vector<double> fraction(n);
        std::vector<double> bound(n);
        const std::size_t top =
            all[0]({left.data(), u.data(), n, 0.25, 2.0, total, fraction.data(), bound.data()});
        if (n > 0) CHECK(bound[top] == *std::max_element(bound.begin(), bound.end()));
        for (std::size_t i = 0; i < n; ++i) {
            CHECK(fraction[i] == (u[i] - 0.25) * 2.0);
            if (fraction[i] == 0.0) {
                CHECK(bound[i] == -1.0);
                continue;
            }
            CHECK(criterion.gain({total}, {left[i]}, fraction[i], 1.0) <= bound[i] + 1e-9);
        }
        for (std::size_t k = 1; k < n_sets; ++k) {
            std::vector<double> others(n);
            std::vector<double> bounds(n);
            const std::size_t place =
                all[k]({left.data(), u.data(), n, 0.25, 2.0, total, others.data(), bounds.data()});
            CHECK(others == fraction && bounds == bound);
            if (n > 0) CHECK(bounds[place] == bound[top]);
        }
    }
});

CHECK_MAIN()
