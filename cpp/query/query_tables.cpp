#include "query/query_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "query/leaf_event.hpp"

namespace boxwood {

namespace {

// A pair with more cells is always asked of the leaves: its table would take as long to read.
constexpr std::size_t most_cells = std::size_t{1} << 18;
constexpr std::size_t most_bytes = std::size_t{64} << 20;
// A table of two columns takes as long as 20 scans of the leaves (18 × 71 bins) to 400 (1,023 × 71): who asks
// often enough will ask again.
constexpr std::size_t cells_a_use = 4096;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<std::uint32_t> cell_a_bin(std::size_t n_bins) {
    std::vector<std::uint32_t> cells(n_bins + 1);
    std::iota(cells.begin(), cells.end(), 0u);
    return cells;
}

double width(const BinEdges& edges, std::size_t bin) { return edges.u[bin + 1] - edges.u[bin]; }

}  // namespace

QueryTables::QueryTables(const LeafTable& leaves, std::vector<RulePointer> rules)
    : leaves_(leaves), rules_(std::move(rules)), marginals_(leaves.n_columns()), asked_(leaves.n_columns()) {
    total_ = weigh_leaves(leaves, box({}, {}, {})).total();
}

QueryBox QueryTables::box(std::vector<std::size_t> columns, std::vector<EventPointer> events,
                          std::vector<RulePointer> rules, double factor) const {
    QueryBox box{std::move(columns), std::move(events), std::move(rules), {}, factor};
    for (const RulePointer& rule : rules_) {
        const bool asked = std::any_of(box.rules.begin(), box.rules.end(), [&](const RulePointer& other) {
            return other->component().root == rule->component().root;
        });
        if (!asked) box.kept_rules.push_back(rule);
    }
    check_box(leaves_, box);
    return box;
}

double QueryTables::probability(const QueryBox& box) const {
    const double found = look_up(box);
    return std::isnan(found) ? weigh_leaves(leaves_, box).total() : found;
}

double QueryTables::look_up(const QueryBox& box) const {
    const std::size_t n = box.columns.size();
    if (!box.rules.empty() || n > 2) return nan;
    if (n == 0) return box.factor * total_;
    for (std::size_t k = 0; k < n; ++k) {
        if (leaves_.column(box.columns[k]).gaussian()) return nan;
    }
    if (n == 1) {
        const Table density = marginal(box.columns[0]);
        if (!density) return nan;
        const std::vector<double>& cover = box.events[0]->cover();
        return box.factor * std::inner_product(cover.begin(), cover.end(), density->begin(), 0.0);
    }
    const bool swapped = box.columns[0] > box.columns[1];
    const CubeEvent& a = *box.events[swapped ? 1 : 0];
    const CubeEvent& b = *box.events[swapped ? 0 : 1];
    const Table density = pair({box.columns[swapped ? 1 : 0], box.columns[swapped ? 0 : 1]});
    if (!density) return nan;
    const std::size_t n_b = b.cover().size();
    double sum = 0.0;
    for (std::size_t bin = 0; bin < a.cover().size(); ++bin) {
        if (a.cover()[bin] == 0.0) continue;
        const double* row = density->data() + bin * n_b;
        sum += a.cover()[bin] * std::inner_product(b.cover().begin(), b.cover().end(), row, 0.0);
    }
    return box.factor * sum;
}

std::vector<double> QueryTables::probabilities(const std::vector<QueryBox>& boxes, std::size_t n_threads,
                                               const Watch& watch) const {
    std::vector<double> found(boxes.size());
    if (boxes.size() == 1) {
        found[0] = probability(boxes[0]);
    } else {
        run_tasks(boxes.size(), n_threads, [&](std::size_t i) { found[i] = probability(boxes[i]); }, watch);
    }
    return found;
}

QueryTables::Table QueryTables::marginal(std::size_t column) const {
    const std::lock_guard lock(mutex_);
    // One scan for an event takes a third of what the whole table takes.
    if (!marginals_[column] && asked_[column] == 0) {
        asked_[column] = 1;
        return {};
    }
    if (!marginals_[column]) {
        const Conditioned everything(leaves_, {box({}, {}, {})}, 1, {});
        marginals_[column] =
            std::make_shared<const std::vector<double>>(everything.densities(column, {0}, 1));
    }
    return marginals_[column];
}

QueryTables::Table QueryTables::pair(Pair columns) const {
    const std::lock_guard lock(mutex_);
    const BinEdges& a = *leaves_.column(columns.first).bin_edges;
    const BinEdges& b = *leaves_.column(columns.second).bin_edges;
    if (columns.first == columns.second || a.n_bins() * b.n_bins() > most_cells) return {};
    PairUse& use = pairs_[columns];
    use.last = ++clock_;
    if (!use.table && ++use.n >= 2 + a.n_bins() * b.n_bins() / cells_a_use) {
        const Conditioned everything(leaves_, {box({}, {}, {})}, 1, {});
        std::vector<double> mass = everything.pair_masses(columns.first, cell_a_bin(a.n_bins()),
                                                          columns.second, cell_a_bin(b.n_bins()));
        for (std::size_t i = 0; i < a.n_bins(); ++i) {
            for (std::size_t j = 0; j < b.n_bins(); ++j)
                mass[i * b.n_bins() + j] /= width(a, i) * width(b, j);
        }
        use.table = std::make_shared<const std::vector<double>>(std::move(mass));
        const Table table = use.table;
        forget_pairs();
        return table;
    }
    return use.table;
}

void QueryTables::forget_pairs() const {
    const auto size = [](const auto& entry) {
        return entry.second.table ? entry.second.table->size() * sizeof(double) : 0;
    };
    const auto all = [&] {
        return std::accumulate(pairs_.begin(), pairs_.end(), std::size_t{0},
                               [&](std::size_t sum, const auto& entry) { return sum + size(entry); });
    };
    while (all() > most_bytes) {
        const auto oldest = std::min_element(pairs_.begin(), pairs_.end(), [&](const auto& x, const auto& y) {
            return std::pair(!x.second.table, x.second.last) < std::pair(!y.second.table, y.second.last);
        });
        pairs_.erase(oldest);
    }
}

std::size_t QueryTables::bytes() const {
    const std::lock_guard lock(mutex_);
    std::size_t sum = 0;
    for (const Table& table : marginals_) sum += table ? table->size() * sizeof(double) : 0;
    for (const auto& [columns, use] : pairs_) sum += use.table ? use.table->size() * sizeof(double) : 0;
    return sum;
}

}  // namespace boxwood
