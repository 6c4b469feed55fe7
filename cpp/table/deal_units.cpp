#include "table/deal_units.hpp"

#include "base/random.hpp"
#include "base/sample_counts.hpp"

namespace boxwood {

namespace {

// One stream a purpose: that a row is held out says nothing about the fold that it is in.
enum class Purpose : std::uint64_t { folds = 1, hold_out = 2, order = 4 };

class RowDraws {
  public:
    RowDraws(std::uint64_t seed, Purpose purpose)
        : key_(combine_keys(mix_bits(seed), static_cast<std::uint64_t>(purpose))) {}
    Draws of(std::uint64_t row_key) const { return Draws(combine_keys(key_, row_key)); }

  private:
    std::uint64_t key_;
};

void deal_one_by_one(std::int64_t n_units, std::size_t n_folds, Draws& draws, std::int64_t* counts) {
    for (std::int64_t unit = 0; unit < n_units; ++unit) ++counts[draws.below(n_folds)];
}

// A multinomial count, fold by fold: what is left falls into the next of k folds with probability 1/k.
void deal_by_counts(std::int64_t n_units, std::size_t n_folds, Draws& draws, std::int64_t* counts) {
    auto left = static_cast<double>(n_units);
    for (std::size_t fold = 0; fold + 1 < n_folds; ++fold) {
        const double count = binomial_count(left, 1.0 / static_cast<double>(n_folds - fold), draws);
        counts[fold] = static_cast<std::int64_t>(count);
        left -= count;
    }
    counts[n_folds - 1] = static_cast<std::int64_t>(left);
}

bool are_few(std::int64_t n_units) { return static_cast<double>(n_units) <= exact_up_to; }

}  // namespace

std::vector<std::int64_t> deal_folds(const Units& units, std::size_t n_folds, std::uint64_t seed) {
    std::vector<std::int64_t> counts(units.n_rows * n_folds, 0);
    const RowDraws rows(seed, Purpose::folds);
    for (std::size_t i = 0; i < units.n_rows; ++i) {
        Draws draws = rows.of(units.key[i]);
        const auto deal = are_few(units.observations[i]) ? deal_one_by_one : deal_by_counts;
        deal(units.observations[i], n_folds, draws, counts.data() + i * n_folds);
    }
    return counts;
}

std::vector<std::int64_t> hold_out(const Units& units, double fraction, std::uint64_t seed) {
    std::vector<std::int64_t> counts(units.n_rows);
    const RowDraws rows(seed, Purpose::hold_out);
    for (std::size_t i = 0; i < units.n_rows; ++i) {
        Draws draws = rows.of(units.key[i]);
        const double count = binomial_count(static_cast<double>(units.observations[i]), fraction, draws);
        counts[i] = static_cast<std::int64_t>(count);
    }
    return counts;
}

std::vector<double> draw_uniform(const std::uint64_t* keys, std::size_t n, std::uint64_t seed) {
    std::vector<double> drawn(n);
    const RowDraws rows(seed, Purpose::order);
    for (std::size_t i = 0; i < n; ++i) drawn[i] = rows.of(keys[i]).uniform();
    return drawn;
}

}  // namespace boxwood
