#include "margins/subdivide.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/log_gamma.hpp"
#include "margins/cubic_piece.hpp"

namespace boxwood {

namespace {

constexpr int max_levels = 64;
constexpr double min_count = 5.0;     // bins with fewer rows are never split,
constexpr double max_bins = 16384.0;  // nor those with less than this fraction of all rows
constexpr int em_steps = 5;
constexpr double em_prior = 4.0;  // the prior's weight in nodes
constexpr std::array<double, 6> concentrations = {1.0, 4.0, 16.0, 64.0, 256.0, 1024.0};
constexpr std::size_t n_hypotheses = concentrations.size() + 1;  // the first: the cubic is right
using Hypotheses = std::array<double, n_hypotheses>;

struct Split {
    std::size_t bin;
    std::size_t cell;  // first cell of the right half
    double edge;
    Hypotheses likelihood;
    Hypotheses left_fraction;
};

// Where a bin is cut: its middle, moved between two distinct values. False where it cannot be cut.
bool find_edge(const CellView& cells, const Partition& p, std::size_t bin, std::size_t& cell, double& edge) {
    const std::size_t first = p.first_cell[bin];
    const std::size_t last = p.first_cell[bin + 1];
    edge = 0.5 * p.x[bin] + 0.5 * p.x[bin + 1];
    const auto begin = cells.centre.begin();
    const auto found = std::lower_bound(begin + static_cast<std::ptrdiff_t>(first),
                                        begin + static_cast<std::ptrdiff_t>(last), edge);
    cell = static_cast<std::size_t>(found - begin);
    if (cell > first && cell < last) {
        edge = middle(cells.high[cell - 1], cells.low[cell]);
    } else if (cell == first) {
        edge = std::min(edge, cells.low[cell]);
    } else {
        edge = std::max(edge, cells.high[cell - 1]);
    }
    return edge > p.x[bin] && edge < p.x[bin + 1];
}

// Half of a fit's time goes into log-gammas: these are the same for every split.
const std::array<double, concentrations.size()>& log_gamma_of_concentration() {
    static const auto logs = [] {
        std::array<double, concentrations.size()> out{};
        for (std::size_t h = 0; h < out.size(); ++h) out[h] = log_gamma(concentrations[h]);
        return out;
    }();
    return logs;
}

// The rows on either side of a split, and the fraction to the left that the cubic expects.
struct Halves {
    double left;
    double right;
    double expected;
};

Halves halves_of(const CellView& cells, const Partition& p, EndShape shape, const Split& split) {
    const std::size_t bin = split.bin;
    const double t = (split.edge - p.x[bin]) / (p.x[bin + 1] - p.x[bin]);
    return {cells.below[split.cell] - cells.below[p.first_cell[bin]],
            cells.below[p.first_cell[bin + 1]] - cells.below[split.cell],
            std::clamp(fraction_left_of(t, shape), 0.01, 0.99)};
}

// What the likelihoods of one split need: of each concentration the log-gammas of the prior's two parameters,
// of the posterior's, and of the sum of these.
constexpr std::size_t logs_a_split = 5 * concentrations.size();

void set_arguments(Split& split, const Halves& halves, double* arguments) {
    const auto [left, right, expected] = halves;
    constexpr std::size_t n = concentrations.size();
    split.left_fraction[0] = expected;
    for (std::size_t h = 0; h < n; ++h) {
        const double a = concentrations[h] * expected;
        const double b = concentrations[h] * (1.0 - expected);
        arguments[h] = a;
        arguments[n + h] = b;
        arguments[2 * n + h] = left + a;
        arguments[3 * n + h] = right + b;
        arguments[4 * n + h] = (left + a) + (right + b);
        split.left_fraction[h + 1] = (left + a) / (left + right + a + b);
    }
}

void set_likelihood(Split& split, const Halves& halves, const double* logs) {
    constexpr std::size_t n = concentrations.size();
    const auto [left, right, expected] = halves;
    Hypotheses log_likelihood;
    log_likelihood[0] = left * std::log(expected) + right * std::log1p(-expected);
    for (std::size_t h = 0; h < n; ++h) {
        const double prior = logs[h] + logs[n + h] - log_gamma_of_concentration()[h];
        log_likelihood[h + 1] = logs[2 * n + h] + logs[3 * n + h] - logs[4 * n + h] - prior;
    }
    const double best = *std::max_element(log_likelihood.begin(), log_likelihood.end());
    for (std::size_t h = 0; h < n_hypotheses; ++h) split.likelihood[h] = std::exp(log_likelihood[h] - best);
}

// All splits of a level together: log-gammas are fast by the hundred.
void weigh_splits(const CellView& cells, const Partition& p, std::vector<Split>& splits,
                  std::vector<double>& logs) {
    std::vector<Halves> halves;
    halves.reserve(splits.size());
    logs.resize(splits.size() * logs_a_split);
    for (std::size_t i = 0; i < splits.size(); ++i) {
        halves.push_back(halves_of(cells, p, end_shape(p.x, p.mass, splits[i].bin), splits[i]));
        set_arguments(splits[i], halves[i], logs.data() + i * logs_a_split);
    }
    log_gammas(logs.data(), logs.size());
    for (std::size_t i = 0; i < splits.size(); ++i)
        set_likelihood(splits[i], halves[i], logs.data() + i * logs_a_split);
}

Hypotheses responsibilities(const Split& split, const Hypotheses& prior) {
    Hypotheses fraction;
    double sum = 0.0;
    for (std::size_t h = 0; h < n_hypotheses; ++h) sum += fraction[h] = split.likelihood[h] * prior[h];
    for (double& s : fraction) s /= sum;
    return fraction;
}

// How common each hypothesis is on this level: EM with a prior that holds half for "the cubic is right".
Hypotheses learn_prior(const std::vector<Split>& splits) {
    Hypotheses start;
    start.fill(0.5 / static_cast<double>(concentrations.size()));
    start[0] = 0.5;
    Hypotheses prior = start;
    for (int step = 0; step < em_steps; ++step) {
        Hypotheses sum;
        for (std::size_t h = 0; h < n_hypotheses; ++h) sum[h] = em_prior * start[h];
        for (const Split& split : splits) {
            const Hypotheses fraction = responsibilities(split, prior);
            for (std::size_t h = 0; h < n_hypotheses; ++h) sum[h] += fraction[h];
        }
        const double total = em_prior + static_cast<double>(splits.size());
        for (std::size_t h = 0; h < n_hypotheses; ++h) prior[h] = sum[h] / total;
    }
    return prior;
}

double posterior_fraction(const Split& split, const Hypotheses& prior) {
    const Hypotheses fraction = responsibilities(split, prior);
    double mean = 0.0;
    for (std::size_t h = 0; h < n_hypotheses; ++h) mean += fraction[h] * split.left_fraction[h];
    return std::clamp(mean, 1e-9, 1.0 - 1e-9);
}

// The partition after the splits, which are in the order of their bins; `active` follows along.
Partition apply_splits(const Partition& p, const std::vector<Split>& splits, std::vector<char>& active) {
    const Hypotheses prior = learn_prior(splits);
    Partition next;
    next.n_splits = p.n_splits + static_cast<double>(splits.size());
    next.n_cubic = p.n_cubic + prior[0] * static_cast<double>(splits.size());
    std::vector<char> next_active;
    const std::size_t n_bins = p.mass.size() + splits.size();
    next.x.reserve(n_bins + 1);
    next.first_cell.reserve(n_bins + 1);
    next.mass.reserve(n_bins);
    next_active.reserve(n_bins);
    auto split = splits.begin();
    for (std::size_t bin = 0; bin < p.mass.size(); ++bin) {
        next.x.push_back(p.x[bin]);
        next.first_cell.push_back(p.first_cell[bin]);
        next_active.push_back(active[bin]);
        if (split == splits.end() || split->bin != bin) {
            next.mass.push_back(p.mass[bin]);
            continue;
        }
        const double fraction = posterior_fraction(*split, prior);
        next.mass.push_back(p.mass[bin] * fraction);
        next.mass.push_back(p.mass[bin] * (1.0 - fraction));
        next.x.push_back(split->edge);
        next.first_cell.push_back(split->cell);
        next_active.push_back(1);
        ++split;
    }
    next.x.push_back(p.x.back());
    next.first_cell.push_back(p.first_cell.back());
    active = std::move(next_active);
    return next;
}

}  // namespace

double middle(double a, double b) {
    const double m = 0.5 * a + 0.5 * b;
    return m > a ? m : b;
}

Partition subdivide(const CellView& cells, Partition partition) {
    const double smallest = std::max(min_count, cells.total() / max_bins);
    std::vector<char> active(partition.mass.size(), 1);
    std::vector<Split> splits;
    std::vector<double> logs;
    for (int level = 0; level < max_levels; ++level) {
        splits.clear();
        for (std::size_t bin = 0; bin < partition.mass.size(); ++bin) {
            if (!active[bin]) continue;
            const std::size_t first = partition.first_cell[bin];
            const std::size_t last = partition.first_cell[bin + 1];
            std::size_t cell = 0;
            double edge = 0.0;
            active[bin] = cells.below[last] - cells.below[first] >= smallest && last - first > 1 &&
                          find_edge(cells, partition, bin, cell, edge);
            if (active[bin]) splits.push_back({bin, cell, edge, {}, {}});
        }
        if (splits.empty()) break;
        weigh_splits(cells, partition, splits, logs);
        partition = apply_splits(partition, splits, active);
    }
    return partition;
}

}  // namespace boxwood
