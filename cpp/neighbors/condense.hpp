// Hart's condensed nearest neighbours: a subset by which 1-NN tells every row's class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace boxwood {

// Rows are visited in the given order, pass after pass. The first one is memorised; after that a row is, at
// once, where its nearest memorised row (ties by row number) is of another class. Ends after a pass that
// memorises none, or after the first one. Gives the memorised rows in the order in which they came.
//
// A row remembers its nearest memorised one and which it has been compared with, so that no pair is compared
// twice: O(n_rows · n_kept · n_dims) in all, however many passes there are. `check` is called now and then
// and may throw to stop.
std::vector<std::int64_t> condense(const double* rows, std::size_t n_rows, std::size_t n_dims,
                                   const std::int64_t* classes, const std::int64_t* order, bool one_pass,
                                   const std::function<void()>& check = {});

}  // namespace boxwood
