#include "base/sort_points.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

#include "base/ordered_key.hpp"

namespace boxwood {

namespace {

constexpr std::size_t few = 2048;
constexpr int digit_bits = 11;
constexpr std::size_t n_digits = std::size_t{1} << digit_bits;
constexpr int n_passes = (64 + digit_bits - 1) / digit_bits;
constexpr int n_back = 3;              // digits that are looked at only where the others are equal
constexpr std::size_t few_equal = 16;  // so many keys with equal front digits cost next to nothing

struct Towed {
    std::uint64_t key;
    std::uint32_t tow;
};

std::uint64_t key_of(const Towed& item) { return item.key; }
std::uint64_t key_of(std::uint64_t key) { return key; }

template <class Item>
std::size_t digit(const Item& item, int pass) {
    return (key_of(item) >> (digit_bits * pass)) & (n_digits - 1);
}

// From digit number `first` to the foremost, each pass stable. The digits of all passes are counted in one
// go, and a digit that all keys share needs no pass.
template <class Item>
void sort_by_digits(std::vector<Item>& items, int first) {
    std::vector<std::array<std::size_t, n_digits>> counts(n_passes);
    for (auto& pass : counts) pass.fill(0);
    for (const Item& item : items) {
        for (int pass = first; pass < n_passes; ++pass)
            ++counts[static_cast<std::size_t>(pass)][digit(item, pass)];
    }
    std::vector<Item> other(items.size());
    for (int pass = first; pass < n_passes; ++pass) {
        auto& next = counts[static_cast<std::size_t>(pass)];
        if (next[digit(items.front(), pass)] == items.size()) continue;
        std::size_t sum = 0;
        for (std::size_t& n : next) sum += std::exchange(n, sum);
        for (const Item& item : items) other[next[digit(item, pass)]++] = item;
        items.swap(other);
    }
}

template <class Item>
void sort_few(Item* begin, Item* end) {
    std::stable_sort(begin, end, [](const Item& a, const Item& b) { return key_of(a) < key_of(b); });
}

// Sorts what has the same front digits by the rest. False where that is too much to sort by comparisons.
template <class Item>
bool sort_equal_fronts(std::vector<Item>& items) {
    const auto front = [](const Item& item) { return key_of(item) >> (digit_bits * n_back); };
    std::size_t n_left = items.size() / 8;
    for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end) {
        bool differ = false;
        for (end = begin + 1; end < items.size() && front(items[end]) == front(items[begin]); ++end)
            differ = differ || key_of(items[end]) != key_of(items[begin]);
        if (!differ) continue;
        if (end - begin > few_equal) {
            if (end - begin > n_left) return false;
            n_left -= end - begin;
        }
        sort_few(items.data() + begin, items.data() + end);
    }
    return true;
}

// The front digits tell most keys apart: half of the passes, and a look at what they leave.
template <class Item>
void sort_items(std::vector<Item>& items) {
    if (items.size() <= few) {
        sort_few(items.data(), items.data() + items.size());
        return;
    }
    sort_by_digits(items, n_back);
    if (!sort_equal_fronts(items)) sort_by_digits(items, 0);
}

}  // namespace

void sort_keys(std::vector<std::uint64_t>& keys) { sort_items(keys); }

void sort_keys(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& tow) {
    std::vector<Towed> items(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) items[i] = {keys[i], tow[i]};
    sort_items(items);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i] = items[i].key;
        tow[i] = items[i].tow;
    }
}

void sort_points(std::vector<double>& points, std::vector<std::uint32_t>& tow) {
    std::vector<Towed> items(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) items[i] = {ordered_key(points[i]), tow[i]};
    sort_items(items);
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i] = from_ordered_key(items[i].key);
        tow[i] = items[i].tow;
    }
}

Runs runs_of(Strided values, const double* weights) {
    std::vector<std::uint64_t> keys(values.size);
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < values.size; ++i) keys[i] = ordered_key(values[i]);
    if (weights == nullptr) {
        sort_keys(keys);
    } else {
        rows.resize(keys.size());
        std::iota(rows.begin(), rows.end(), 0u);
        sort_keys(keys, rows);
    }
    Runs runs;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i == 0 || keys[i] != keys[i - 1]) {
            runs.value.push_back(from_ordered_key(keys[i]));
            runs.weight.push_back(0.0);
        }
        runs.weight.back() += weights == nullptr ? 1.0 : weights[rows[i]];
    }
    return runs;
}

}  // namespace boxwood
