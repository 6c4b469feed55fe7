#include "query/cube_event.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace boxwood {

CubeEvent::CubeEvent(const BinEdges& bin_edges, std::vector<double> low, std::vector<double> high,
                     double floor)
    : floor_(floor), low_(std::move(low)), high_(std::move(high)) {
    if (low_.size() != high_.size()) throw std::invalid_argument("an interval has two ends");
    if (!(floor >= 0.0 && floor <= 1.0)) throw std::invalid_argument("an event has a probability");
    double end = 0.0;
    for (std::size_t i = 0; i < low_.size(); ++i) {
        if (!(low_[i] >= end && high_[i] >= low_[i] && high_[i] <= 1.0))
            throw std::invalid_argument("intervals must ascend within [0, 1]");
        end = high_[i];
    }
    find_cover(bin_edges);
}

CubeEvent CubeEvent::at_point(const BinEdges& bin_edges, double point, double factor) {
    if (!(point >= 0.0 && point <= 1.0)) throw std::invalid_argument("a point lies in [0, 1]");
    CubeEvent event;
    event.is_point_ = true;
    event.point_bin_ = bin_edges.bin_of(point);
    event.factor_ = factor;
    event.low_ = {point};
    event.high_ = {point};
    event.find_cover(bin_edges);
    return event;
}

void CubeEvent::find_cover(const BinEdges& bin_edges) {
    const std::size_t n = bin_edges.n_bins();
    cover_.assign(n, 0.0);
    below_.assign(n + 1, 0.0);
    covered_.assign((n + 63) / 64, 0);
    const std::vector<double>& u = bin_edges.u;
    std::size_t i = 0;
    for (std::size_t bin = 0; bin < n; ++bin) {
        double length = 0.0;
        if (is_point_) {
            length = bin == point_bin_ ? factor_ : 0.0;
        } else {
            while (i < low_.size() && high_[i] <= u[bin]) ++i;
            for (std::size_t k = i; k < low_.size() && low_[k] < u[bin + 1]; ++k)
                length += std::min(high_[k], u[bin + 1]) - std::max(low_[k], u[bin]);
        }
        cover_[bin] = (1.0 - floor_) * length + floor_ * (u[bin + 1] - u[bin]);
        below_[bin + 1] = below_[bin] + cover_[bin];
        if (!(cover_[bin] > 0.0)) continue;
        if (below_[bin] == 0.0) first_bin_ = static_cast<std::uint32_t>(bin);
        last_bin_ = static_cast<std::uint32_t>(bin);
        covered_[bin / 64] |= std::uint64_t{1} << (bin % 64);
    }
    is_range_ = !is_point_ && floor_ == 0.0 && low_.size() == 1 && below_[n] > 0.0;
}

double CubeEvent::length_between(double from, double to) const {
    double length = 0.0;
    auto i = static_cast<std::size_t>(std::upper_bound(high_.begin(), high_.end(), from) - high_.begin());
    for (; i < low_.size() && low_[i] < to; ++i) length += std::min(high_[i], to) - std::max(low_[i], from);
    return length;
}

double CubeEvent::point_between(double from, double to, double length) const {
    double point = from;
    auto i = static_cast<std::size_t>(std::upper_bound(high_.begin(), high_.end(), from) - high_.begin());
    for (; i < low_.size() && low_[i] < to; ++i) {
        const double low = std::max(low_[i], from), high = std::min(high_[i], to);
        // An interval's end belongs to what comes after it.
        point = std::clamp(low + length, low, std::max(low, std::nextafter(high, low)));
        if (length < high - low) break;
        length -= high - low;
    }
    return point;
}

}  // namespace boxwood
