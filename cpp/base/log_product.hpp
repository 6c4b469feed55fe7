// The logarithm of a product of many factors, by few logarithms.
#pragma once

#include <cmath>

namespace boxwood {

class LogProduct {
  public:
    explicit LogProduct(double first) : product_(first) {}
    // Factors lie between 1e-100 and 1e100.
    void divide_by(double factor) {
        product_ /= factor;
        if (product_ < 1e-150 || product_ > 1e150) {
            sum_ += std::log(product_);
            product_ = 1.0;
        }
    }
    double log() const { return sum_ + std::log(product_); }

  private:
    double product_;
    double sum_ = 0.0;
};

}  // namespace boxwood
