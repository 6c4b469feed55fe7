#include "neighbors/partial_scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace boxwood {

namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kTask = 16;

// A block of rows against a query: the sum over shared dimensions of each lane, and how many these are.
struct Sums {
    double sum[kLanes] = {};
    double present[kLanes] = {};

    template <class Step>
    void add(const double* x, double q, Step&& step) {
        for (std::size_t i = 0; i < kLanes; ++i) {
            const bool there = x[i] == x[i];
            sum[i] = there ? step(sum[i], x[i], q) : sum[i];
            present[i] += there ? 1.0 : 0.0;
        }
    }
};

template <Norm norm>
double step_of(double sum, double size, double p) {
    if constexpr (norm == Norm::euclidean) return sum + size * size;
    if constexpr (norm == Norm::manhattan) return sum + size;
    if constexpr (norm == Norm::chebyshev) return sum > size ? sum : size;
    return sum + std::pow(size, p);
}

template <Norm norm>
void add_dimension(Sums& sums, const double* x, double q, bool categorical, double p) {
    if (categorical) {
        sums.add(x, q,
                 [p](double sum, double a, double b) { return step_of<norm>(sum, a == b ? 0.0 : 1.0, p); });
    } else {
        sums.add(x, q,
                 [p](double sum, double a, double b) { return step_of<norm>(sum, std::fabs(a - b), p); });
    }
}

}  // namespace

PartialScan::PartialScan(const double* rows, std::size_t n_rows, std::size_t n_dims,
                         std::vector<std::uint8_t> categorical, Norm norm, double p)
    : categorical_(std::move(categorical)), norm_(norm), p_(p), is_there_(n_rows, 1) {
    points_.assign((n_rows + kLanes - 1) / kLanes * kLanes * n_dims, 0.0);
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t d = 0; d < n_dims; ++d) {
            points_[(i / kLanes * n_dims + d) * kLanes + i % kLanes] = rows[i * n_dims + d];
        }
    }
}

void PartialScan::find(const double* query, NeighborList& list) const {
    const std::size_t dims = n_dims();
    for (std::size_t first = 0; first < n_rows(); first += kLanes) {
        Sums sums;
        for (std::size_t d = 0; d < dims; ++d) {
            if (std::isnan(query[d])) continue;
            const double* x = points_.data() + first * dims + d * kLanes;
            const bool category = categorical_[d] != 0;
            switch (norm_) {
                case Norm::euclidean:
                    add_dimension<Norm::euclidean>(sums, x, query[d], category, p_);
                    break;
                case Norm::manhattan:
                    add_dimension<Norm::manhattan>(sums, x, query[d], category, p_);
                    break;
                case Norm::chebyshev:
                    add_dimension<Norm::chebyshev>(sums, x, query[d], category, p_);
                    break;
                case Norm::minkowski:
                    add_dimension<Norm::minkowski>(sums, x, query[d], category, p_);
                    break;
            }
        }
        for (std::size_t i = 0; i < std::min(kLanes, n_rows() - first); ++i) {
            if (!is_there_[first + i]) continue;
            double distance = sums.sum[i];
            if (sums.present[i] == 0.0) {
                distance = std::numeric_limits<double>::infinity();
            } else if (norm_ != Norm::chebyshev && sums.present[i] != static_cast<double>(dims)) {
                distance *= static_cast<double>(dims) / sums.present[i];
            }
            list.offer(distance, static_cast<std::int64_t>(first + i));
        }
    }
}

void PartialScan::query(const double* queries, std::size_t n_queries, std::size_t k, std::size_t n_threads,
                        double* distances, std::int64_t* rows, const Watch& watch) const {
    const auto answer = [&](std::size_t task) {
        NeighborList list(k);
        for (std::size_t i = task * kTask; i < std::min(n_queries, (task + 1) * kTask); ++i) {
            list.clear();
            find(queries + i * n_dims(), list);
            write_found(list.sorted(), k, distances + i * k, rows + i * k, [&](double kept) {
                return norm_ == Norm::minkowski ? std::pow(kept, 1.0 / p_) : to_distance(norm_, kept);
            });
        }
    };
    if (n_queries == 1) return answer(0);
    run_tasks((n_queries + kTask - 1) / kTask, n_threads, answer, watch);
}

}  // namespace boxwood
