#include "tree/density/grow_density_tree.hpp"

#include <cmath>
#include <stdexcept>

#include "tree/density/density_policy.hpp"
#include "tree/density/split_finders/additive_split_finder.hpp"
#include "tree/density/split_finders/count_split_finder.hpp"
#include "tree/density/split_finders/density_criteria.hpp"
#include "tree/density/split_finders/entropy_split_finder.hpp"
#include "tree/density/split_finders/product_split_finder.hpp"

namespace boxwood {

namespace {

double total_weight(const BinnedRows& data) {
    double total = 0.0;
    for (std::size_t row = 0; row < data.n_rows; ++row) total += data.weight(row);
    return total;
}

// Of counts alone; the leave-one-out error of a bootstrap sample needs to know which rows are copies.
template <CountingCriterion Criterion>
GrownDensityTree grow_counting(const BinnedRows& data, const GrowOptions& options,
                               const std::function<void()>& interrupt) {
    CountSplitFinder<Criterion> finder(data, options, total_weight(data));
    return DensityPolicy<CountSplitFinder<Criterion>>(data, options, std::move(finder), interrupt).grow();
}

template <DensityCriterion Criterion>
GrownDensityTree grow_with(const BinnedRows& data, const GrowOptions& options,
                           const std::function<void()>& interrupt) {
    AdditiveSplitFinder<Criterion> finder(Criterion(data, total_weight(data)),
                                          std::isfinite(options.max_aspect));
    return DensityPolicy<AdditiveSplitFinder<Criterion>>(data, options, std::move(finder), interrupt).grow();
}

template <SplitFinder Finder>
GrownDensityTree grow_scanning(const BinnedRows& data, const GrowOptions& options, Finder finder,
                               const std::function<void()>& interrupt) {
    return DensityPolicy<Finder>(data, options, std::move(finder), interrupt).grow();
}

}  // namespace

GrownDensityTree grow_density_tree(const BinnedRows& data, const GrowOptions& options,
                                   const std::function<void()>& interrupt) {
    switch (options.criterion) {
        case CriterionKind::log_likelihood:
            return grow_counting<LogLikelihoodCriterion>(data, options, interrupt);
        case CriterionKind::loo:
            return grow_with<LooCriterion>(data, options, interrupt);
        case CriterionKind::squared_error:
            return grow_counting<SquaredErrorCriterion>(data, options, interrupt);
        case CriterionKind::nonuniformity:
            return grow_counting<NonuniformityCriterion>(data, options, interrupt);
        case CriterionKind::gaussian_entropy:
            return grow_scanning(data, options, EntropySplitFinder(data, options), interrupt);
        case CriterionKind::product_likelihood:
            return grow_scanning(data, options, ProductSplitFinder(data, std::isfinite(options.max_aspect)),
                                 interrupt);
    }
    throw std::invalid_argument("unknown criterion");
}

}  // namespace boxwood
