#include "networks/network_kernels.hpp"

#include "networks/network_kernels_body.hpp"

namespace boxwood {

#ifdef BOXWOOD_X86_KERNELS
extern const NetworkKernels network_kernels_avx2;
extern const NetworkKernels network_kernels_avx512;
#endif

namespace {

constexpr NetworkKernels portable = network_kernels_of_this_file("portable");

}  // namespace

NetworkScratch::NetworkScratch(std::size_t n_inputs)
    : inputs(kBatch * n_inputs),
      outputs(kBatch * kOutputs),
      output_gradient(kBatch * kOutputs),
      hidden_gradient(kBatch * kHidden),
      other_gradient(kBatch * kHidden),
      transposed(kHidden * kHidden),
      losses(kBatch) {
    for (auto* layers : {&hidden, &cosines})
        for (std::vector<float>& layer : *layers) layer.resize(kBatch * kHidden);
}

std::vector<const NetworkKernels*> all_network_kernels() {
    std::vector<const NetworkKernels*> all{&portable};
#ifdef BOXWOOD_X86_KERNELS
    __builtin_cpu_init();
    if (usable_instruction_sets() >= 2 && __builtin_cpu_supports("fma")) {
        all.push_back(&network_kernels_avx2);
        if (usable_instruction_sets() >= 3) all.push_back(&network_kernels_avx512);
    }
#endif
    return all;
}

const NetworkKernels& network_kernels() {
    static const NetworkKernels& best = *all_network_kernels().back();
    return best;
}

}  // namespace boxwood
