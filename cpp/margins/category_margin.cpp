#include "margins/category_margin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "margins/lattice/unseen_mass.hpp"

namespace boxwood {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// What every category is given beside its rows, so that none has probability zero.
constexpr double virtual_rows = 0.5;

}  // namespace

CategoryMargin::CategoryMargin(std::vector<double> mass, double unseen_mass, double missing_mass)
    : mass_(std::move(mass)), unseen_mass_(unseen_mass), missing_mass_(missing_mass) {
    std::vector<double> masses = mass_;
    masses.push_back(unseen_mass_);
    masses.push_back(missing_mass_);
    for (double m : masses) {
        if (!(m >= 0.0)) throw std::invalid_argument("masses of categories must not be negative");
        upper_.push_back(upper_.empty() ? m : upper_.back() + m);
        middle_.push_back(upper_.back() - 0.5 * m);
        log_mass_.push_back(std::log(m));
    }
    if (missing_mass_ == 0.0) middle_.back() = nan;
}

bool CategoryMargin::is_unseen(double u) const {
    const std::size_t known = mass_.size();
    return known > 0 && u >= upper_[known - 1] && u < upper_[known] && unseen_mass_ > 0.0;
}

std::vector<double> CategoryMargin::knots() const {
    std::vector<double> found = {0.0};
    for (std::size_t k = 0; k < upper_.size(); ++k) {
        const double m = k < mass_.size() ? mass_[k] : (k == mass_.size() ? unseen_mass_ : missing_mass_);
        if (m > 0.0) found.push_back(upper_[k]);
    }
    if (found.size() > 1) found.pop_back();  // the last interval ends at 1
    found.push_back(1.0);
    return found;
}

std::size_t CategoryMargin::place(std::int32_t code) const {
    const std::size_t known = mass_.size();
    if (code == missing_code) return known + 1;
    if (code < 0 || static_cast<std::size_t>(code) > known)
        throw std::invalid_argument("a code is no category's");
    return static_cast<std::size_t>(code);
}

void CategoryMargin::encode(StridedCodes codes, double* out, std::ptrdiff_t out_stride) const {
    for (std::size_t i = 0; i < codes.size; ++i)
        out[static_cast<std::ptrdiff_t>(i) * out_stride] = middle_[place(codes[i])];
}

void CategoryMargin::add_log_derivative(StridedCodes codes, double log_missing, double* sum) const {
    for (std::size_t i = 0; i < codes.size; ++i)
        sum[i] += codes[i] == missing_code ? log_missing : log_mass_[place(codes[i])];
}

void CategoryMargin::score(StridedCodes codes, double* points, std::ptrdiff_t stride, double* sum) const {
    for (std::size_t i = 0; i < codes.size; ++i) {
        const bool missing = codes[i] == missing_code;
        const std::size_t at = place(codes[i]);
        points[static_cast<std::ptrdiff_t>(i) * stride] = missing ? nan : middle_[at];
        if (!missing) sum[i] += log_mass_[at];
    }
}

std::size_t CategoryMargin::decode(Strided u, std::int32_t* out) const {
    const auto known = static_cast<std::ptrdiff_t>(mass_.size());
    const double missing_from = upper_[mass_.size()];
    std::size_t n_missing = 0;
    for (std::size_t i = 0; i < u.size; ++i) {
        const auto above = std::upper_bound(upper_.begin(), upper_.begin() + known, u[i]);
        std::ptrdiff_t code = std::min(above - upper_.begin(), known - 1);
        if (std::isnan(u[i]) || (missing_mass_ > 0.0 && u[i] >= missing_from)) code = missing_code;
        out[i] = static_cast<std::int32_t>(code);
        n_missing += code == missing_code ? 1 : 0;
    }
    return n_missing;
}

namespace {

// Booleans: half a row more for either.
std::vector<double> boolean_masses(std::vector<double> counts) {
    for (double& count : counts) count += virtual_rows;
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    for (double& count : counts) count /= total;
    counts.push_back(0.0);
    return counts;
}

// Categories that were never seen have the Good–Turing mass together. One that is declared counts as half a
// row at most; the rest belongs to those that nobody knows yet, last.
std::vector<double> open_masses(const std::vector<double>& counts) {
    double rows = 0.0;
    double n_seen = 0.0;
    for (double count : counts) {
        rows += count;
        n_seen += count > 0.0 ? 1.0 : 0.0;
    }
    const double n_absent = static_cast<double>(counts.size()) - n_seen;
    const double unseen = n_seen == 0.0 ? 1.0 : unseen_mass(counts);
    const double equal = unseen / (n_absent + 1.0);
    const double each = n_seen == 0.0 ? equal : std::min(equal, virtual_rows / (rows + 2.0));
    std::vector<double> masses;
    for (double count : counts) {
        const double fraction = (count + virtual_rows) / (rows + virtual_rows * n_seen);
        masses.push_back(count > 0.0 ? (1.0 - unseen) * fraction : each);
    }
    masses.push_back(unseen - n_absent * each);
    return masses;
}

// The same without the categories that nobody knows: the others have their mass in proportion.
std::vector<double> closed_masses(const std::vector<double>& counts) {
    std::vector<double> masses = open_masses(counts);
    masses.back() = 0.0;
    const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
    for (double& mass : masses) mass /= total;
    return masses;
}

std::vector<double> masses_of(const std::vector<double>& counts, Labels labels) {
    if (labels == Labels::boolean) return boolean_masses(counts);
    return labels == Labels::closed && !counts.empty() ? closed_masses(counts) : open_masses(counts);
}

}  // namespace

CategoryMargin fit_category_margin(const std::vector<double>& counts, Labels labels) {
    const std::vector<double> known(counts.begin(), counts.end() - 1);
    const double seen = std::accumulate(known.begin(), known.end(), 0.0);
    const double total = seen + counts.back();
    // Where every value is missing, what is not keeps a mass of half a row.
    const double present = seen > 0.0 ? seen / total : virtual_rows / (total + virtual_rows);
    std::vector<double> masses = masses_of(known, labels);
    for (double& mass : masses) mass *= present;
    const double unseen = masses.back();
    masses.pop_back();
    return CategoryMargin(std::move(masses), unseen, 1.0 - present);
}

}  // namespace boxwood
