#include "table/functional_pairs.hpp"

namespace boxwood {

namespace {

// What each code of a was seen with; entries of other pairs are told by their stamp, so that a pair that is
// left early has no table to clear.
class SeenWith {
  public:
    explicit SeenWith(std::size_t n_levels) : stamp_(n_levels, 0), code_(n_levels, 0) {}

    void start() { ++now_; }

    bool agrees(std::int32_t a, std::int32_t b) {
        const auto at = static_cast<std::size_t>(a);
        if (stamp_[at] == now_) return code_[at] == b;
        stamp_[at] = now_;
        code_[at] = b;
        return true;
    }

  private:
    std::vector<std::uint32_t> stamp_;
    std::vector<std::int32_t> code_;
    std::uint32_t now_ = 0;
};

bool is_function(const std::int32_t* a, const std::int32_t* b, std::size_t n_rows, SeenWith& seen) {
    seen.start();
    for (std::size_t i = 0; i < n_rows; ++i) {
        if (a[i] >= 0 && !seen.agrees(a[i], b[i])) return false;
    }
    return true;
}

}  // namespace

std::vector<std::pair<std::int32_t, std::int32_t>> functional_pairs(const CodeColumns& table) {
    std::vector<std::pair<std::int32_t, std::int32_t>> found;
    for (std::size_t a = 0; a < table.n_columns; ++a) {
        if (table.parent[a] == 0) continue;
        SeenWith seen(static_cast<std::size_t>(table.n_levels[a]));
        for (std::size_t b = 0; b < table.n_columns; ++b) {
            if (a == b || table.child[b] == 0) continue;
            if (is_function(table.codes + a * table.n_rows, table.codes + b * table.n_rows, table.n_rows,
                            seen))
                found.emplace_back(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
        }
    }
    return found;
}

}  // namespace boxwood
