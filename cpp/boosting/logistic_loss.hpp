// The logistic loss of many logits and its derivatives.
#pragma once

#include <cstddef>

#include "boosting/packed_derivatives.hpp"

namespace boxwood {

// Rows: a logit each, a sign (1 or −1, what it should have) and a weight.
struct LogisticRows {
    const double* logits;
    const double* signs;
    const double* weights;
    std::size_t n;
};

// Kernels that give the same bytes on every machine.
struct LogisticLoss {
    // Of the log-likelihood of each row by its logit.
    void (*derivatives)(const LogisticRows& rows, const PackedScale& scale, PackedDerivatives* found);
    // The weight times log(1 + e^(−sign·logit)) of each row.
    void (*losses)(const LogisticRows& rows, double* found);
};

// The kernels for this machine.
const LogisticLoss& logistic_loss();

// All kernels that can run here, the portable one first: for tests.
const LogisticLoss* all_logistic_losses(std::size_t& count);

}  // namespace boxwood
