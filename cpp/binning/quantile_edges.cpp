#include "binning/quantile_edges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/count_below.hpp"

namespace boxwood {

namespace {

constexpr std::size_t sample_size = 8192;
constexpr std::size_t most_buckets = 2048;  // places to part by fit the first cache

struct Weighed {
    double value;
    std::int64_t weight;
};

// The distinct values of a sample, ascending.
std::vector<double> distinct_sample(Strided values) {
    std::vector<double> sample;
    const std::size_t step = std::max<std::size_t>(1, values.size / sample_size);
    for (std::size_t i = 0; i < values.size; i += step) {
        if (!std::isnan(values[i])) sample.push_back(values[i]);
    }
    std::sort(sample.begin(), sample.end());
    sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
    return sample;
}

// Values parted at some of a sample's into buckets.
class Buckets {
  public:
    Buckets(Strided values, const std::int64_t* weights, const std::vector<double>& sample)
        : values_(values), weights_(weights) {
        const std::size_t step = (sample.size() + most_buckets - 1) / most_buckets;
        for (std::size_t k = step; k < sample.size(); k += step) starts_.push_back(sample[k]);
        weight_.resize(starts_.size() + 1, 0);
        least_.resize(weight_.size(), infinity);
        inside_.resize(weight_.size());
        of_value_.resize(values.size);
        for (std::size_t i = 0; i < values.size; ++i) add(i);
    }

    Edges edges(std::size_t n_parts) {
        const std::vector<double> wanted = wanted_weights(n_parts);
        gather(wanted);
        Edges edges;
        std::int64_t below = 0;
        std::size_t k = 0;
        for (std::size_t b = 0; b < weight_.size() && k < wanted.size(); ++b) {
            const std::vector<Weighed>& inside = inside_[b];
            if (inside.empty()) below += weight_[b];
            for (std::size_t i = 0; i < inside.size(); ++i) {
                const bool is_last = i + 1 == inside.size();
                below += inside[i].weight;
                if (!is_last && inside[i + 1].value == inside[i].value) continue;
                if (k == wanted.size() || static_cast<double>(below) < wanted[k]) continue;
                while (k < wanted.size() && static_cast<double>(below) >= wanted[k]) ++k;
                const double high = is_last ? least_after(b) : inside[i + 1].value;
                if (high < infinity) {
                    edges.low.push_back(inside[i].value);
                    edges.high.push_back(high);
                } else {
                    add_last_edge(inside[i].value, edges);
                }
            }
        }
        return edges;
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    static constexpr std::uint16_t no_bucket = 0xffff;  // of NaN

    std::int64_t weight(std::size_t i) const { return weights_ == nullptr ? 1 : weights_[i]; }

    void add(std::size_t i) {
        const double value = values_[i];
        if (std::isnan(value)) {
            of_value_[i] = no_bucket;
            return;
        }
        const std::size_t b = count_below(starts_, value);
        of_value_[i] = static_cast<std::uint16_t>(b);
        weight_[b] += weight(i);
        least_[b] = std::min(least_[b], value);
    }

    std::vector<double> wanted_weights(std::size_t n_parts) const {
        std::int64_t total = 0;
        for (std::int64_t weight : weight_) total += weight;
        std::vector<double> wanted;
        for (std::size_t k = 1; k < n_parts; ++k)
            wanted.push_back(static_cast<double>(total) *
                             (static_cast<double>(k) / static_cast<double>(n_parts)));
        return wanted;
    }

    // Keeps the values of the buckets in which the wanted weights are reached.
    void gather(const std::vector<double>& wanted) {
        std::vector<char> is_wanted(weight_.size(), 0);
        std::int64_t below = 0;
        std::size_t k = 0;
        for (std::size_t b = 0; b < weight_.size(); ++b) {
            below += weight_[b];
            for (; k < wanted.size() && static_cast<double>(below) >= wanted[k]; ++k) is_wanted[b] = 1;
        }
        for (std::size_t i = 0; i < of_value_.size(); ++i) {
            const std::size_t b = of_value_[i];
            if (b != no_bucket && is_wanted[b]) inside_[b].push_back({values_[i], weight(i)});
        }
        for (std::vector<Weighed>& inside : inside_) {
            std::sort(inside.begin(), inside.end(),
                      [](const Weighed& a, const Weighed& b) { return a.value < b.value; });
        }
    }

    double least_after(std::size_t b) const {
        while (++b < least_.size()) {
            if (least_[b] < infinity) return least_[b];
        }
        return infinity;
    }

    // Between the greatest value and the one before it.
    void add_last_edge(double greatest, Edges& edges) const {
        double low = -infinity;
        for (std::size_t i = 0; i < values_.size; ++i) {
            if (values_[i] < greatest) low = std::max(low, values_[i]);
        }
        if (!edges.low.empty() && edges.low.back() == low) return;
        edges.low.push_back(low);
        edges.high.push_back(greatest);
    }

    Strided values_;
    const std::int64_t* weights_;
    std::vector<double> starts_;
    std::vector<std::uint16_t> of_value_;
    std::vector<std::int64_t> weight_;  // of each bucket
    std::vector<double> least_;         // value, infinite where there is none
    std::vector<std::vector<Weighed>>
        inside_;  // values, ascending, where a wanted weight is reached among them
};

}  // namespace

Edges quantile_edges(Strided values, const std::int64_t* weights, std::size_t n_parts,
                     std::size_t least_distinct) {
    const std::vector<double> sample = distinct_sample(values);
    if (sample.size() < std::max<std::size_t>(2, least_distinct)) return {};
    return Buckets(values, weights, sample).edges(n_parts);
}

}  // namespace boxwood
