// The distribution of columns under rules, of a mixture under evidence.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "query/leaf_weights.hpp"

namespace boxwood {

// Of a column under rules, by group of boxes: the mass of each entry, the density of each bin where no value
// follows, and the same where the column is a gap (of the root: nothing).
struct RuleLaw {
    std::vector<double> entries;
    std::vector<double> present;
    std::vector<double> gaps;
};

// The boxes of the evidence, what their leaves weigh, and which boxes are added up.
struct BoxGroups {
    const LeafTable& leaves;
    const std::vector<QueryBox>& boxes;
    const std::vector<LeafWeights>& weights;
    const std::vector<std::size_t>& group_of_box;
    std::size_t n_groups;
};

// What all columns of a component share.
struct CommonTerms {
    std::vector<double> entries;            // by group, the mass of each entry
    std::vector<std::vector<double>> rest;  // by box and leaf, its weight without what is asked of the rules
    std::vector<std::vector<double>> others;  // by box and leaf, the term of what is no entry
};

CommonTerms common_terms(const BoxGroups& groups, std::size_t column);
RuleLaw rule_law(const BoxGroups& groups, std::size_t column, const CommonTerms& common);

// They are most of the work of a law: found for the first column of a component, kept for the others.
class KeptCommonTerms {
  public:
    // Always of the same boxes.
    const CommonTerms& of(const BoxGroups& groups, std::size_t column);
    // Forgets them, where the weights change.
    void clear();

  private:
    using Key = std::pair<std::size_t, std::vector<std::size_t>>;  // the root and the groups
    std::mutex mutex_;
    std::map<Key, CommonTerms> kept_;
};

}  // namespace boxwood
