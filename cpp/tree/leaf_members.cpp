#include "tree/leaf_members.hpp"

#include <algorithm>
#include <stdexcept>

namespace boxwood {

namespace {

constexpr std::size_t rows_at_once = 64;

// Weights that members have for one row, kept between rows so that nothing is allocated anew.
class MemberWeights {
  public:
    MemberWeights(const LeafMembers& members, std::size_t n_rows) : members_(members), weight_(n_rows, 0.0) {}

    // Adds the members of a leaf with a total weight of 1; false where it has none.
    bool add(std::uint32_t leaf) {
        const auto begin = static_cast<std::size_t>(members_.start[leaf]);
        const auto end = static_cast<std::size_t>(members_.start[leaf + 1]);
        double total = 0.0;
        for (std::size_t k = begin; k < end; ++k) total += members_.weight[k];
        if (!(total > 0.0)) return false;
        for (std::size_t k = begin; k < end; ++k) {
            const std::uint32_t row = members_.row[k];
            if (weight_[row] == 0.0) used_.push_back(row);
            weight_[row] += members_.weight[k] / total;
        }
        return true;
    }

    // Adds the weights to a histogram of codes, with their squares behind it, and forgets them.
    void take(std::span<const std::uint32_t> codes, std::size_t n_codes, double scale, double* out) {
        std::sort(used_.begin(), used_.end());
        for (const std::uint32_t row : used_) {
            const double fraction = weight_[row] * scale;
            out[codes[row]] += fraction;
            out[n_codes] += fraction * fraction;
            weight_[row] = 0.0;
        }
        used_.clear();
    }

  private:
    const LeafMembers& members_;
    std::vector<double> weight_;
    std::vector<std::uint32_t> used_;
};

}  // namespace

void LeafMembers::check(std::size_t n_rows) const {
    if (start.empty() || start.front() != 0 || start.back() != static_cast<std::int64_t>(row.size()) ||
        row.size() != weight.size() || !std::is_sorted(start.begin(), start.end()))
        throw std::invalid_argument("the arrays are no members of leaves");
    if (!std::all_of(row.begin(), row.end(), [&](std::uint32_t r) { return r < n_rows; }))
        throw std::invalid_argument("a leaf has a row beyond the last");
    if (!std::all_of(weight.begin(), weight.end(), [](float w) { return w > 0.0F && w < 1e30F; }))
        throw std::invalid_argument("weights of members must be positive");
}

std::vector<double> leaf_histograms(const LeafMembers& members, const AskedLeaves& asked,
                                    std::span<const std::uint32_t> codes, std::size_t n_codes,
                                    std::size_t n_threads, const Watch& watch) {
    members.check(codes.size());
    if (!std::all_of(codes.begin(), codes.end(), [&](std::uint32_t code) { return code < n_codes; }))
        throw std::invalid_argument("a code is beyond the last");
    const std::size_t n_leaves = members.start.size() - 1;
    if (!std::all_of(asked.leaf.begin(), asked.leaf.end(), [&](std::uint32_t k) { return k < n_leaves; }))
        throw std::invalid_argument("a leaf is beyond the last");
    if (!asked.skip.empty() && asked.skip.size() != asked.leaf.size())
        throw std::invalid_argument("one flag a row and tree is needed");
    const std::size_t n_rows = asked.n_rows(), width = n_codes + 1;
    std::vector<double> out(n_rows * width, 0.0);
    const auto block = [&](std::size_t b) {
        MemberWeights weights(members, codes.size());
        for (std::size_t i = b * rows_at_once; i < std::min(n_rows, (b + 1) * rows_at_once); ++i) {
            double n_trees = 0.0;
            for (std::size_t t = i * asked.n_trees; t < (i + 1) * asked.n_trees; ++t) {
                if (!asked.skip.empty() && asked.skip[t] != 0) continue;
                if (weights.add(asked.leaf[t])) n_trees += 1.0;
            }
            if (n_trees > 0.0) weights.take(codes, n_codes, 1.0 / n_trees, out.data() + i * width);
        }
    };
    run_tasks((n_rows + rows_at_once - 1) / rows_at_once, n_threads, block, watch);
    return out;
}

}  // namespace boxwood
