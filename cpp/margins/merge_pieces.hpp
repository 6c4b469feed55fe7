// Fewer pieces: neighbours are merged where that loses least.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace boxwood {

// Merges neighbouring pieces of least Kullback–Leibler loss until at most `max_pieces` are left, and then as
// long as the merged piece has lost at most `small_loss` altogether.
void merge_pieces(std::vector<double>& x, std::vector<double>& mass, std::size_t max_pieces,
                  double small_loss = -std::numeric_limits<double>::infinity());

}  // namespace boxwood
