// Fewer pieces: neighbours are merged where that loses least.
#pragma once

#include <cstddef>
#include <vector>

namespace boxwood {

// Merges neighbouring pieces of least Kullback–Leibler loss until at most `max_pieces` are left.
void merge_pieces(std::vector<double>& x, std::vector<double>& mass, std::size_t max_pieces);

}  // namespace boxwood
