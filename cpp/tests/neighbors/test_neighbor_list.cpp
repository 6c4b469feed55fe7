#include "base/random.hpp"
#include "neighbors/neighbor_list.hpp"
#include "tests/check.hpp"

using namespace boxwood;

CASE("the k nearest stay, by distance and then by row, whatever the order in which they come", {
    for (std::size_t k : {1u, 2u, 48u, 49u, 100u}) {
        Draws draws(k);
        std::vector<Neighbor> all;
        NeighborList list(k);
        for (std::int64_t row = 0; row < 300; ++row) {
            const auto distance = static_cast<double>(draws.below(40));
            all.push_back({distance, (row * 7) % 300});
            list.offer(distance, (row * 7) % 300);
        }
        std::sort(all.begin(), all.end());
        CHECK(list.bound() == all[k - 1].distance);
        const auto& kept = list.sorted();
        CHECK(kept.size() == k);
        for (std::size_t i = 0; i < k; ++i) {
            CHECK(kept[i].distance == all[i].distance && kept[i].row == all[i].row);
        }
    }
});

CASE("a list that is not full has a finite bound", {
    NeighborList list(2);
    list.offer(1.0, 0);
    CHECK(!list.is_full() && list.bound() == std::numeric_limits<double>::max());
    list.offer(3.0, 1);
    CHECK(list.is_full() && list.bound() == 3.0);
    list.clear();
    CHECK(!list.is_full());
});

CHECK_MAIN()
