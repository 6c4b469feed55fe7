#include <set>

#include "base/random.hpp"
#include "tests/check.hpp"
#include "tree/category_sets.hpp"

using namespace boxwood;

namespace {

void test_sets_hold_their_codes() {
    CategorySets sets;
    Draws draws(1);
    std::vector<std::pair<std::uint32_t, std::set<std::uint32_t>>> made;
    for (std::uint32_t n_codes : {1u, 2u, 31u, 32u, 33u, 1000u, 100000u}) {
        for (std::uint32_t one_in : {1u, 2u, 40u, 1000u}) {
            std::set<std::uint32_t> codes;
            for (std::uint32_t code = 0; code < n_codes; ++code) {
                if (draws.below(one_in) == 0) codes.insert(code);
            }
            made.emplace_back(sets.add(std::vector<std::uint32_t>(codes.begin(), codes.end())), codes);
        }
    }
    for (const auto& [place, codes] : made) {
        for (std::uint32_t code = 0; code < 100100; code += 1 + code / 100) {
            CHECK(in_category_set(sets.words().data() + place, code) == codes.contains(code));
        }
    }
}

void test_few_of_many_are_a_list() {
    CategorySets sets;
    sets.add(std::vector<std::uint32_t>{5, 1'000'000});
    CHECK(sets.words().size() == 3);
    CHECK(sets.add({}) == 3);
    CHECK(!in_category_set(sets.words().data() + 3, 0));
}

}  // namespace

CASE("sets of all densities and sizes hold their codes and no others", { test_sets_hold_their_codes(); });

CASE("few codes of many are kept as a list", { test_few_of_many_are_a_list(); });

CHECK_MAIN()
