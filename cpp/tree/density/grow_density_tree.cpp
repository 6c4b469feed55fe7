#include "tree/density/grow_density_tree.hpp"

#include <cmath>
#include <stdexcept>

#include "tree/density/additive_split_finder.hpp"
#include "tree/density/count_split_finder.hpp"
#include "tree/density/density_criteria.hpp"
#include "tree/density/density_policy.hpp"
#include "tree/density/entropy_split_finder.hpp"
#include "tree/density/product_split_finder.hpp"

namespace boxwood {

namespace {

double total_weight(const GrowData& data) {
    double total = 0.0;
    for (std::size_t row = 0; row < data.n_rows; ++row) total += data.weight(row);
    return total;
}

// Of counts alone; the leave-one-out error of a bootstrap sample needs to know which rows are copies.
template <class Criterion>
GrownTree grow_counting(const GrowData& data, const GrowOptions& options,
                        const std::function<void()>& interrupt) {
    CountSplitFinder<Criterion> finder(data, options, total_weight(data));
    return DensityPolicy<CountSplitFinder<Criterion>>(data, options, std::move(finder), interrupt).grow();
}

template <class Criterion>
GrownTree grow_with(const GrowData& data, const GrowOptions& options,
                    const std::function<void()>& interrupt) {
    AdditiveSplitFinder<Criterion> finder(Criterion(data, total_weight(data)),
                                          std::isfinite(options.max_aspect));
    return DensityPolicy<AdditiveSplitFinder<Criterion>>(data, options, std::move(finder), interrupt).grow();
}

template <class SplitFinder>
GrownTree grow_scanning(const GrowData& data, const GrowOptions& options, SplitFinder finder,
                        const std::function<void()>& interrupt) {
    return DensityPolicy<SplitFinder>(data, options, std::move(finder), interrupt).grow();
}

}  // namespace

GrownTree grow_density_tree(const GrowData& data, const GrowOptions& options,
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
            return grow_scanning(data, options, EntropySplitFinder(data), interrupt);
        case CriterionKind::product_likelihood:
            return grow_scanning(data, options, ProductSplitFinder(data, std::isfinite(options.max_aspect)),
                                 interrupt);
    }
    throw std::invalid_argument("unknown criterion");
}

}  // namespace boxwood
