#include "tree/supervised/traversal.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "base/count_below.hpp"
#include "base/instruction_sets.hpp"
#include "tree/category_sets.hpp"

namespace boxwood {

namespace {

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

void check_node(const FittedTrees& trees, std::size_t i) {
    const auto j = static_cast<std::size_t>(trees.feature[i]);
    require(j < trees.n_columns() + trees.directions.size(), "a node splits a column that is not there");
    const double threshold = trees.threshold[i];
    require(!std::isnan(threshold), "a threshold is NaN");
    if (j >= trees.n_columns() || !trees.is_categorical(j)) return;
    require(threshold >= 0.0 && threshold < static_cast<double>(trees.sets.size()),
            "a node names a set that is not there");
    const auto place = static_cast<std::size_t>(threshold);
    require(static_cast<double>(place) == threshold, "a node names a set that is not there");
    const std::size_t n = trees.sets[place] >> 1;
    require(n < trees.sets.size() - place, "a set is longer than all of them");
}

// 8 bytes a node: columns below 2¹⁴ and codes that fit 16 bits.
struct NarrowNode {
    static constexpr std::size_t most_columns = std::size_t{1} << 14;
    static constexpr std::size_t most_thresholds = 0xfffd;
    std::uint32_t left = 0;
    std::uint16_t column = 0;  // bit 14: a set of categories, bit 15: missing numbers go right
    std::uint16_t threshold = 0;

    std::uint32_t feature() const { return column & 0x3fffu; }
    bool in_set() const { return (column & 0x4000u) != 0; }
    std::uint32_t shift() const { return column >> 15; }
    void put(std::size_t feature, bool set, bool right, std::size_t at) {
        column = static_cast<std::uint16_t>(feature | (set ? 0x4000u : 0u) | (right ? 0x8000u : 0u));
        threshold = static_cast<std::uint16_t>(at);
    }
};

// Columns below 2³⁰ and codes that fit 32 bits.
struct WideNode {
    std::uint32_t left = 0;
    std::uint32_t column = 0;  // bit 30: a set of categories, bit 31: missing numbers go right
    std::uint32_t threshold = 0;

    std::uint32_t feature() const { return column & 0x3fffffffu; }
    bool in_set() const { return (column & 0x40000000u) != 0; }
    std::uint32_t shift() const { return column >> 31; }
    void put(std::size_t feature, bool set, bool right, std::size_t at) {
        column = static_cast<std::uint32_t>(feature | (set ? 0x40000000u : 0u) | (right ? 0x80000000u : 0u));
        threshold = static_cast<std::uint32_t>(at);
    }
};

void sort_distinct(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

// All thresholds of each column of numbers, ascending.
std::vector<std::vector<double>> thresholds_of_columns(const FittedTrees& trees) {
    std::vector<std::vector<double>> thresholds(trees.n_columns());
    std::vector<std::size_t> limit(trees.n_columns(), 8192);  // few are distinct: never keep all of them
    for (std::size_t i = 0; i < trees.n_nodes(); ++i) {
        if (trees.feature[i] < 0) continue;
        const auto j = static_cast<std::size_t>(trees.feature[i]);
        if (trees.is_categorical(j)) continue;
        thresholds[j].push_back(trees.threshold[i]);
        if (thresholds[j].size() < limit[j]) continue;
        sort_distinct(thresholds[j]);
        limit[j] = std::max(limit[j], 2 * thresholds[j].size());
    }
    for (std::vector<double>& of_column : thresholds) sort_distinct(of_column);
    return thresholds;
}

// Rows as codes: the number of thresholds at most a value, plus 1; 0 for a missing number. A row's codes then
// fit a cache line or two, a node 8 bytes, and one comparison decides missing values as well: for a node that
// sends them right 1 is subtracted from both sides, which makes 0 the largest code.
template <class Node, class Code, bool has_sets>
class CodeFinder final : public Traversal {
  public:
    CodeFinder(const FittedTrees& trees, std::vector<std::vector<double>> thresholds)
        : roots_(trees.roots), n_categories_(trees.n_categories), thresholds_(std::move(thresholds)) {
        nodes_.resize(trees.n_nodes());
        for (std::size_t t = 0; t < trees.n_trees(); ++t) {
            first_set_.push_back(places_.size());
            const std::size_t end = t + 1 < trees.n_trees() ? trees.roots[t + 1] : trees.n_nodes();
            for (std::size_t i = trees.roots[t]; i < end; ++i) add_node(trees, i);
        }
        // A node of numbers looks up a bit too, and does not use it.
        if constexpr (has_sets) {
            bits_.resize(bits_.size() + std::numeric_limits<std::uint16_t>::max() / 32 + 1, 0);
            places_.push_back(0);
        }
    }

    void encode(const double* rows, std::size_t n_rows, Codes& codes) const override {
        const std::size_t d = n_categories_.size();
        codes.bytes.resize(n_rows * d * sizeof(Code));
        auto* out = reinterpret_cast<Code*>(codes.bytes.data());
        codes.any_missing = false;
        for (std::size_t j = 0; j < d; ++j) {
            for (std::size_t i = 0; i < n_rows; ++i) {
                out[i * d + j] = encode(rows[i * d + j], j);
                codes.any_missing |= out[i * d + j] == 0;
            }
        }
    }

    void find(std::size_t tree, const double*, std::size_t n_rows, const Codes& codes,
              std::uint32_t* leaves) const override {
        const std::size_t d = n_categories_.size();
        const auto* rows = reinterpret_cast<const Code*>(codes.bytes.data());
        const std::uint32_t* places = places_.data() + first_set_[tree];
        std::fill_n(leaves, n_rows, roots_[tree]);
        for (std::size_t i = 0; i < n_rows; i += lanes) {
            const auto row_of = [&](std::size_t k) { return rows + (i + k) * d; };
            descend(codes.any_missing, leaves + i, std::min(lanes, n_rows - i), row_of,
                    [&](std::size_t) { return places; });
        }
    }

    void find_in_all(const double*, const Codes& codes, std::uint32_t* leaves) const override {
        const auto* row = reinterpret_cast<const Code*>(codes.bytes.data());
        std::copy(roots_.begin(), roots_.end(), leaves);
        for (std::size_t t = 0; t < roots_.size(); t += lanes) {
            const auto places_of = [&](std::size_t k) { return places_.data() + first_set_[t + k]; };
            descend(
                codes.any_missing, leaves + t, std::min(lanes, roots_.size() - t),
                [&](std::size_t) { return row; }, places_of);
        }
    }

  private:
    // Ways go down side by side: each step waits for memory, and the waits overlap.
    static constexpr std::size_t lanes = 8;

    void add_node(const FittedTrees& trees, std::size_t i) {
        if (trees.feature[i] < 0) {
            nodes_[i].left = static_cast<std::uint32_t>(i - 1);  // no code is below 0: it leads to itself
            return;
        }
        const auto j = static_cast<std::size_t>(trees.feature[i]);
        nodes_[i].left = trees.left[i];
        if (trees.is_categorical(j)) {
            nodes_[i].put(j, true, false, add_set(trees, j, static_cast<std::size_t>(trees.threshold[i])));
            return;
        }
        const auto at = std::lower_bound(thresholds_[j].begin(), thresholds_[j].end(), trees.threshold[i]);
        const bool right = trees.missing_left[i] == 0;
        nodes_[i].put(j, false, right, static_cast<std::size_t>(at - thresholds_[j].begin()) + 2);
    }

    Code encode(double x, std::size_t j) const {
        if (n_categories_[j] >= 0) {
            const auto n = static_cast<double>(n_categories_[j]);
            return static_cast<Code>(x >= 0.0 && x <= n + 1.0 ? x : n);
        }
        return static_cast<Code>(std::isnan(x) ? 0 : count_below(thresholds_[j], x) + 1);
    }

    // Narrow nodes have bits for every code of the column, and number the sets of their own tree; wide ones
    // keep sets as they are.
    std::size_t add_set(const FittedTrees& trees, std::size_t j, std::size_t place) {
        if constexpr (std::is_same_v<Node, WideNode>) {
            if (sets_.empty()) sets_ = trees.sets;
            return place;
        } else {
            const auto n_codes = static_cast<std::uint32_t>(n_categories_[j] + 2);
            places_.push_back(static_cast<std::uint32_t>(bits_.size()));
            bits_.resize(bits_.size() + n_codes / 32 + 1, 0);
            for (std::uint32_t code = 0; code < n_codes; ++code) {
                if (in_category_set(trees.sets.data() + place, code))
                    bits_[places_.back() + code / 32] |= 1u << (code % 32);
            }
            return places_.size() - 1 - first_set_.back();
        }
    }

    template <bool has_missing>
    bool goes_left(const Node& node, Code code, const std::uint32_t* places) const {
        bool below = code < node.threshold;
        if constexpr (has_missing)
            below = static_cast<Code>(code - node.shift()) < node.threshold - node.shift();
        if constexpr (!has_sets) {
            return below;
        } else if constexpr (std::is_same_v<Node, WideNode>) {
            return node.in_set() ? in_category_set(sets_.data() + node.threshold, code) : below;
        } else {
            // Without branches: nobody can predict which kind of column a node splits.
            const std::uint32_t place = places[node.in_set() ? node.threshold : 0];
            const bool in_set = ((bits_[place + code / 32] >> (code % 32)) & 1u) != 0;
            return node.in_set() ? in_set : below;
        }
    }

    template <bool has_missing>
    std::uint32_t step(std::uint32_t at, const Code* row, const std::uint32_t* places) const {
        const Node node = nodes_[at];
        return node.left + (goes_left<has_missing>(node, row[node.feature()], places) ? 0 : 1);
    }

    // `row_of(k)` and `places_of(k)`: codes of the k-th way's row, sets of its tree.
    template <class RowOf, class PlacesOf>
    void descend(bool any_missing, std::uint32_t* leaves, std::size_t n, RowOf&& row_of,
                 PlacesOf&& places_of) const {
        any_missing ? descend<true>(leaves, n, row_of, places_of)
                    : descend<false>(leaves, n, row_of, places_of);
    }

    template <bool has_missing, class RowOf, class PlacesOf>
    void descend(std::uint32_t* leaves, std::size_t n, RowOf&& row_of, PlacesOf&& places_of) const {
        // Always as many, the last one repeated: the compiler unrolls what has a fixed number.
        std::uint32_t at[lanes];
        const Code* rows[lanes];
        const std::uint32_t* places[lanes];
        for (std::size_t k = 0; k < lanes; ++k) {
            const std::size_t way = std::min(k, n - 1);
            at[k] = leaves[way];
            rows[k] = row_of(way);
            places[k] = places_of(way);
        }
        std::uint32_t moved = 1;
        while (moved != 0) {
            moved = 0;
            // Two steps between looks at who has arrived; a leaf leads to itself.
            BOXWOOD_UNROLL
            for (std::size_t k = 0; k < lanes; ++k) at[k] = step<has_missing>(at[k], rows[k], places[k]);
            BOXWOOD_UNROLL
            for (std::size_t k = 0; k < lanes; ++k) {
                const std::uint32_t next = step<has_missing>(at[k], rows[k], places[k]);
                moved |= next ^ at[k];
                at[k] = next;
            }
        }
        std::copy_n(at, n, leaves);
    }

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> roots_;
    std::vector<std::int64_t> n_categories_;
    std::vector<std::vector<double>> thresholds_;
    std::vector<std::uint32_t> sets_;
    std::vector<std::size_t> first_set_;  // of each tree
    std::vector<std::uint32_t> places_;
    std::vector<std::uint32_t> bits_;
};

// Trees with oblique splits: rows stay numbers.
class NumberFinder final : public Traversal {
  public:
    explicit NumberFinder(FittedTrees trees) : trees_(std::move(trees)) {}

    void encode(const double*, std::size_t, Codes&) const override {}

    void find(std::size_t tree, const double* rows, std::size_t n_rows, const Codes&,
              std::uint32_t* leaves) const override {
        for (std::size_t i = 0; i < n_rows; ++i)
            leaves[i] = find_one(trees_.roots[tree], rows + i * trees_.n_columns());
    }

    void find_in_all(const double* row, const Codes&, std::uint32_t* leaves) const override {
        for (std::size_t t = 0; t < trees_.n_trees(); ++t) leaves[t] = find_one(trees_.roots[t], row);
    }

  private:
    std::uint32_t find_one(std::uint32_t at, const double* row) const {
        while (trees_.feature[at] >= 0) at = trees_.left[at] + (goes_left(trees_, at, row) ? 0 : 1);
        return at;
    }

    FittedTrees trees_;
};

// Whether a narrow finder may number the sets of each tree and keep a bit for every code of them.
bool has_short_sets(const FittedTrees& trees) {
    std::size_t n_words = 0;
    for (std::size_t t = 0; t < trees.n_trees(); ++t) {
        const std::size_t end = t + 1 < trees.n_trees() ? trees.roots[t + 1] : trees.n_nodes();
        std::size_t n_sets = 0;
        for (std::size_t i = trees.roots[t]; i < end; ++i) {
            const auto j = static_cast<std::size_t>(trees.feature[i]);
            if (trees.feature[i] < 0 || !trees.is_categorical(j)) continue;
            ++n_sets;
            n_words += static_cast<std::size_t>(trees.n_categories[j]) / 32 + 1;
        }
        if (n_sets >= 0xffff) return false;
    }
    return n_words <= 8 * trees.n_nodes() + 65536;
}

template <class Node, class Code>
std::unique_ptr<Traversal> make_finder(const FittedTrees& trees,
                                       std::vector<std::vector<double>> thresholds) {
    if (trees.sets.empty())
        return std::make_unique<CodeFinder<Node, Code, false>>(trees, std::move(thresholds));
    return std::make_unique<CodeFinder<Node, Code, true>>(trees, std::move(thresholds));
}

}  // namespace

void check_trees(const FittedTrees& trees) {
    const std::size_t n = trees.n_nodes();
    require(trees.left.size() == n && trees.threshold.size() == n && trees.missing_left.size() == n,
            "the arrays of nodes differ in length");
    require(n > 0 && !trees.roots.empty(), "there are no trees");
    require(trees.roots.front() == 0 && std::is_sorted(trees.roots.begin(), trees.roots.end()),
            "roots must ascend from 0");
    require(trees.roots.back() < n, "a root is not there");
    std::vector<char> reached(n, 0);
    for (std::uint32_t root : trees.roots) reached[root] = 1;
    for (std::size_t t = 0; t < trees.n_trees(); ++t) {
        const std::size_t end = t + 1 < trees.n_trees() ? trees.roots[t + 1] : n;
        for (std::size_t i = trees.roots[t]; i < end; ++i) {
            if (trees.feature[i] < 0) continue;
            check_node(trees, i);
            const std::size_t left = trees.left[i];
            require(left > i && left + 1 < end, "children stand after their parent, in its tree");
            require(!reached[left] && !reached[left + 1], "a node has two parents");
            reached[left] = reached[left + 1] = 1;
        }
    }
    for (const Direction& direction : trees.directions) {
        for (const auto& [column, weight] : direction) {
            require(column < trees.n_columns() && !trees.is_categorical(column),
                    "a direction mixes a column that is no number");
            require(std::isfinite(weight), "a direction's weight is not finite");
        }
    }
    require(trees.directions.empty() || trees.fill.size() == trees.n_columns(),
            "directions need what stands for missing numbers");
    require(std::all_of(reached.begin(), reached.end(), [](char r) { return r != 0; }),
            "a node has no parent");
}

bool goes_left(const FittedTrees& trees, std::uint32_t at, const double* row) {
    const auto j = static_cast<std::size_t>(trees.feature[at]);
    const double threshold = trees.threshold[at];
    if (j >= trees.n_columns()) {
        const Direction& direction = trees.directions[j - trees.n_columns()];
        return place_along(direction, row, trees.fill.data()) < threshold;
    }
    const double x = row[j];
    if (!trees.is_categorical(j)) return std::isnan(x) ? trees.missing_left[at] != 0 : x < threshold;
    const auto n = static_cast<double>(trees.n_categories[j]);
    const auto code = static_cast<std::uint32_t>(x >= 0.0 && x <= n + 1.0 ? x : n);
    return in_category_set(trees.sets.data() + static_cast<std::size_t>(threshold), code);
}

std::unique_ptr<Traversal> make_traversal(const FittedTrees& trees) {
    if (!trees.directions.empty()) return std::make_unique<NumberFinder>(trees);
    std::vector<std::vector<double>> thresholds = thresholds_of_columns(trees);
    std::size_t most = 0;
    for (std::size_t j = 0; j < trees.n_columns(); ++j) {
        const auto n = trees.is_categorical(j) ? static_cast<std::size_t>(trees.n_categories[j]) + 2
                                               : thresholds[j].size() + 1;
        most = std::max(most, n);
    }
    if (trees.n_columns() > NarrowNode::most_columns || most > NarrowNode::most_thresholds ||
        !has_short_sets(trees)) {
        return make_finder<WideNode, std::uint32_t>(trees, std::move(thresholds));
    }
    if (most > 0xff) return make_finder<NarrowNode, std::uint16_t>(trees, std::move(thresholds));
    return make_finder<NarrowNode, std::uint8_t>(trees, std::move(thresholds));
}

}  // namespace boxwood
