#include "query/rows/row_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/instruction_sets.hpp"

namespace boxwood {

namespace {

constexpr std::uint32_t unknown = std::numeric_limits<std::uint32_t>::max();
constexpr std::int32_t no_shift = std::numeric_limits<std::int32_t>::min() / 2;
constexpr std::int32_t most_octaves = 300;
constexpr std::int32_t steps = 16;  // of a byte, an octave

// 2^k; 0 where that is too small for a number.
BOXWOOD_INLINE double power_of_two(std::int32_t k) {
    return k < -1000 ? 0.0 : std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}

struct StepPowers {
    std::array<double, steps> part{};        // 2^(r/16)
    std::array<double, 256> inverse_byte{};  // of the weight of a byte
    StepPowers() {
        for (std::size_t r = 0; r < part.size(); ++r) part[r] = std::exp2(static_cast<double>(r) / steps);
        for (std::size_t q = 0; q < inverse_byte.size(); ++q) inverse_byte[q] = 1.0 / quantised_weights()[q];
    }
};

const StepPowers step_powers;

}  // namespace

RowSums::RowSums(const LeafTable& leaves, const std::vector<double>& normalizer,
                 const std::vector<RulePointer>& rules, const double* points, const double* known,
                 std::size_t n_rows)
    : leaves_(leaves),
      normalizer_(normalizer),
      d_(leaves.n_columns()),
      byte_places_(leaves),
      n_sums_(d_ + 1),
      number_(d_, d_),
      bins_(n_rows * d_),
      shift_(n_rows, no_shift) {
    for (std::size_t k = 0; k < byte_places_.narrow().size(); ++k) number_[byte_places_.narrow()[k]] = k;
    std::vector<char> ruled(d_, 0);
    for (std::size_t c = 0; c < rules.size(); ++c) {
        Group group{{rules[c]->component().root}, n_sums_, c};
        for (const RuledColumn& column : rules[c]->component().columns)
            group.columns.push_back(column.column);
        for (const std::size_t j : group.columns) ruled[j] = 1;
        n_sums_ += rules[c]->component().n_entries();
        groups_.push_back(std::move(group));
    }
    for (std::size_t j = 0; j < d_; ++j) {
        if (ruled[j] == 0) groups_.push_back({{j}});
    }
    sums_.assign(n_rows * n_sums_, 0.0);
    const auto to_bins = [&](const double* from, std::vector<std::uint32_t>& bins) {
        for (std::size_t i = 0; i < n_rows * d_; ++i)
            bins[i] = std::isnan(from[i]) ? unknown : leaves.column(i % d_).bin_edges->bin_of(from[i]);
    };
    to_bins(points, bins_);
    if (!rules.empty()) {
        known_.resize(n_rows * d_);
        to_bins(known, known_);
    }
    for (std::size_t i = 0; i < n_rows; ++i) {
        const std::uint32_t* row = bins_.data() + i * d_;
        has_unknown_.push_back(std::find(row, row + d_, unknown) != row + d_ ? 1 : 0);
    }
    find_order();
}

void RowSums::find_order() {
    const Tree& tree = leaves_.mixture().trees().front().tree;
    const std::size_t n_rows = shift_.size();
    std::vector<std::uint32_t> leaf(n_rows);
    std::vector<std::uint32_t> bins(d_);
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t j = 0; j < d_; ++j) bins[j] = is_known(i, j) ? bins_[i * d_ + j] : 0;
        leaf[i] = tree.nodes[find_leaf(tree, leaves_.mixture().columns(), bins.data())].leaf;
    }
    order_.resize(n_rows);
    std::iota(order_.begin(), order_.end(), 0u);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return leaf[a] < leaf[b]; });
}

bool RowSums::is_known(std::size_t row, std::size_t column) const {
    return bins_[row * d_ + column] != unknown;
}

class RowSums::Adder {
  public:
    Adder(RowSums& rows, const LaidTree& tree)
        : rows_(rows),
          tree_(tree),
          layout_(tree.layout),
          n_words_(layout_.n_words()),
          split_(rows.d_, 0),
          mask_(rows.groups_.size()),
          room_(rows.groups_.size() * n_words_),
          whole_(n_words_),
          most_(n_words_),
          places_(rows.d_ + 1) {
        for (const std::size_t j : layout_.split()) split_[j] = 1;
    }

    BOXWOOD_INLINE void add_rows(const std::uint32_t* rows, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) add(rows[i]);
    }
#ifdef BOXWOOD_X86
    // Without fused multiplications: the same bytes on every machine.
    BOXWOOD_AVX2 void add_rows_avx2(const std::uint32_t* rows, std::size_t n) { add_rows(rows, n); }
#endif

  private:
    BOXWOOD_INLINE void add(std::size_t row) {
        row_ = row;
        bins_ = rows_.bins_.data() + row * rows_.d_;
        sums_ = rows_.sums_.data() + row * rows_.n_sums_;
        asked_.assign(bins_, bins_ + rows_.d_);
        const auto& narrow = rows_.byte_places_.narrow();
        for (std::size_t k = 0; k < narrow.size(); ++k)
            places_[k] = rows_.byte_places_.place_of(narrow[k], bins_[narrow[k]]);
        unknown_.clear();
        for (std::size_t j = 0; rows_.has_unknown_[row] != 0 && j < rows_.d_; ++j) {
            if (bins_[j] == unknown) unknown_.push_back(j);
        }
        find_masks();
        find_leaves();
        for (std::size_t w = 0; w < n_words_; ++w) {
            if (most_[w] == 0) continue;
            for_each_bit(whole_[w], w, [&](std::size_t number) { add_whole(number); });
            const std::uint64_t rest = most_[w] & ~whole_[w];
            for (std::size_t m = 0; rest != 0 && m < n_masks_; ++m) {
                const std::uint64_t without = rest & ~mask_[m][w];
                if (without == 0) continue;
                if (of_mask_[m] < tree_.entries.size()) {
                    add_component(of_mask_[m], without, w);
                } else {
                    const std::size_t j = rows_.groups_[of_mask_[m]].columns[0];
                    add_column(j, without, w);
                }
            }
        }
    }

    template <class Visit>
    BOXWOOD_INLINE static void for_each_bit(std::uint64_t word, std::size_t w, Visit&& visit) {
        for (; word != 0; word &= word - 1) visit(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
    }

    BOXWOOD_INLINE void find_masks() {
        n_masks_ = 0;
        of_mask_.clear();
        for (std::size_t g = 0; g < rows_.groups_.size(); ++g) {
            const std::uint64_t* found = nullptr;
            for (const std::size_t j : rows_.groups_[g].columns) {
                if (bins_[j] == unknown || split_[j] == 0) continue;
                const std::uint64_t* held = layout_.holders(j, bins_[j]);
                if (found == nullptr) {
                    found = held;
                    continue;
                }
                std::uint64_t* const both = room_.data() + g * n_words_;
                for (std::size_t w = 0; w < n_words_; ++w) both[w] = found[w] & held[w];
                found = both;
            }
            if (found == nullptr) continue;
            mask_[n_masks_++] = found;
            of_mask_.push_back(g);
        }
    }

    // Which leaves hold the whole row, and which all of it but one group.
    BOXWOOD_INLINE void find_leaves() {
        constexpr std::size_t few = 4;
        for (std::size_t w = 0; w < n_words_; w += few) {
            std::uint64_t whole[few];
            std::uint64_t most[few];
            for (std::size_t i = 0; i < few; ++i) whole[i] = most[i] = layout_.all()[w + i];
            for (std::size_t m = 0; m < n_masks_; ++m) {
                const std::uint64_t* held = mask_[m] + w;
                for (std::size_t i = 0; i < few; ++i) {
                    most[i] = whole[i] | (most[i] & held[i]);
                    whole[i] &= held[i];
                }
            }
            for (std::size_t i = 0; i < few; ++i) {
                whole_[w + i] = whole[i];
                most_[w + i] = most[i];
            }
        }
    }

    BOXWOOD_INLINE const double* normalizer(std::size_t number) const {
        return rows_.normalizer_.data() + (layout_.first_leaf() + number) * rows_.d_;
    }

    std::int32_t byte_of(std::size_t number, std::size_t j) const {
        if (rows_.byte_places_.is_wide(j)) return layout_.wide_byte(number, j, asked_[j]);
        return layout_.byte_at(number, rows_.byte_places_.place_of(j, asked_[j]));
    }

    // Leaves a column out, whose byte then counts 255, or takes it back.
    BOXWOOD_INLINE void ask(std::size_t j, std::uint32_t bin) {
        asked_[j] = bin;
        places_[rows_.number_[j]] = rows_.byte_places_.place_of(j, bin);
    }

    // The sum of the bytes of all columns less 255 each; those that are left out or not known count 255.
    BOXWOOD_INLINE std::int32_t sum_bytes(std::size_t number) const {
        if (!layout_.has_bytes()) return 0;
        std::int32_t sum = layout_.sum_bytes(number, places_.data(), rows_.byte_places_.narrow().size());
        for (const std::size_t j : rows_.byte_places_.wide()) sum += layout_.wide_byte(number, j, asked_[j]);
        return sum - 255 * static_cast<std::int32_t>(rows_.d_);
    }

    double inverse_weight(std::size_t number, std::size_t j) const {
        return layout_.has_bytes() ? step_powers.inverse_byte[static_cast<std::size_t>(byte_of(number, j))]
                                   : 1.0;
    }

    // Mass times densities of what is not left out, on the row's scale; without the scales of what is.
    BOXWOOD_INLINE double density(std::size_t number, std::int32_t sum) {
        const std::int32_t octave = layout_.exponent(number) + (sum >> 4);
        std::int32_t& shift = rows_.shift_[row_];
        if (octave > shift + most_octaves) {
            const double factor = power_of_two(std::max(shift - octave, -2000));
            for (std::size_t s = 0; s < rows_.n_sums_; ++s) sums_[s] *= factor;
            shift = octave;
        }
        double found = layout_.mantissa(number) * step_powers.part[static_cast<std::size_t>(sum & 15)] *
                       power_of_two(octave - shift);
        for (const std::size_t j : unknown_) found *= normalizer(number)[j];
        return found;
    }

    BOXWOOD_INLINE void add_entries(const Group& group, std::size_t number, double weight) {
        tree_.entries[group.component].add(number, weight, rows_.known_.data() + row_ * rows_.d_,
                                           sums_ + group.first_sum);
    }

    // A leaf that holds the whole row: any column may be left out.
    BOXWOOD_INLINE void add_whole(std::size_t number) {
        const double found = density(number, sum_bytes(number));
        const double* own = normalizer(number);
        for (std::size_t j = 0; j < rows_.d_; ++j) sums_[j] += found * inverse_weight(number, j) * own[j];
        sums_[rows_.d_] += found;
        for (std::size_t g = 0; g < tree_.entries.size(); ++g) {
            double weight = found;
            for (const std::size_t j : rows_.groups_[g].columns) {
                if (bins_[j] != unknown) weight *= inverse_weight(number, j) * own[j];
            }
            add_entries(rows_.groups_[g], number, weight);
        }
    }

    // Leaves of a word that hold all of the row but one column.
    BOXWOOD_INLINE void add_column(std::size_t j, std::uint64_t without, std::size_t w) {
        ask(j, unknown);
        for_each_bit(without, w, [&](std::size_t number) {
            sums_[j] += density(number, sum_bytes(number)) * normalizer(number)[j];
        });
        ask(j, bins_[j]);
    }

    // Leaves of a word that hold all of the row but some columns of a component: of those with entries that
    // agree, all of its columns are left out; where it is one column, what that adds to the column itself.
    BOXWOOD_INLINE void add_component(std::size_t g, std::uint64_t without, std::size_t w) {
        const Group& group = rows_.groups_[g];
        for (const std::size_t j : group.columns) ask(j, unknown);
        for_each_bit(without & tree_.entries[g].used()[w], w, [&](std::size_t number) {
            double weight = density(number, sum_bytes(number));
            for (const std::size_t j : group.columns) {
                if (bins_[j] != unknown) weight *= normalizer(number)[j];
            }
            add_entries(group, number, weight);
        });
        for (const std::size_t j : group.columns) ask(j, bins_[j]);
        for (const std::size_t j : group.columns) {
            std::uint64_t alone = without;
            for (const std::size_t k : group.columns) {
                if (bins_[k] == unknown || split_[k] == 0) continue;
                const std::uint64_t held = layout_.holders(k, bins_[k])[w];
                alone &= k == j ? ~held : held;
            }
            if (alone != 0 && bins_[j] != unknown && split_[j] != 0) add_column(j, alone, w);
        }
    }

    RowSums& rows_;
    const LaidTree& tree_;
    const TreeLayout& layout_;
    std::size_t n_words_;
    std::vector<char> split_;
    std::vector<const std::uint64_t*> mask_;  // of groups that the tree splits
    std::vector<std::size_t> of_mask_;
    std::vector<std::uint64_t> room_;  // for groups of several columns
    std::vector<std::uint64_t> whole_;
    std::vector<std::uint64_t> most_;
    std::vector<std::uint32_t> asked_;  // bins; unknown where the value is left out or not known
    std::vector<std::uint32_t> places_;
    std::vector<std::size_t> unknown_;
    std::size_t n_masks_ = 0;
    std::size_t row_ = 0;
    const std::uint32_t* bins_ = nullptr;
    double* sums_ = nullptr;
};

void RowSums::add(const LaidTree& tree, std::size_t first, std::size_t n) {
    Adder adder(*this, tree);
#ifdef BOXWOOD_X86
    static const bool wide = usable_instruction_sets() >= 2;
    if (wide) return adder.add_rows_avx2(order_.data() + first, n);
#endif
    adder.add_rows(order_.data() + first, n);
}

}  // namespace boxwood
