// The standard normal distribution: masses of intervals without cancellation, and quantiles.
#pragma once

namespace boxwood {

double normal_cdf(double z);

// Φ(b) − Φ(a), by the tail that does not cancel.
double normal_mass(double a, double b);

// An interval whose mass and quantiles are asked for: two error functions for both.
class NormalInterval {
  public:
    NormalInterval(double a, double b);
    double mass() const { return mass_; }
    // The z below which a fraction of the mass lies: exact to about 1e-15, in either tail.
    double quantile(double fraction) const;

  private:
    double low_;
    double high_;
    bool mirrored_;  // to the left of 0, where nothing cancels
    double below_;
    double mass_;
};

}  // namespace boxwood
