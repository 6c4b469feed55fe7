#include "tree/supervised/supervised_predictor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace boxwood {

namespace {

// A tree at a time over a block of rows: its nodes stay in cache, and so do the rows' codes.
constexpr std::size_t block_rows = 1024;

std::size_t n_blocks_of(std::size_t n_rows) { return (n_rows + block_rows - 1) / block_rows; }

// Starting a thread would take longer than one block.
void run_blocks(std::size_t n_rows, std::size_t n_threads, const Watch& watch,
                const std::function<void(std::size_t, std::size_t)>& use) {
    const auto task = [&](std::size_t block) {
        use(block * block_rows, std::min(n_rows, (block + 1) * block_rows));
    };
    if (n_rows <= block_rows) {
        if (n_rows > 0) task(0);
        return;
    }
    run_tasks(n_blocks_of(n_rows), n_threads, task, watch);
}

}  // namespace

SupervisedPredictor::SupervisedPredictor(const FittedTrees& trees, std::span<const double> responses,
                                         std::size_t n_outputs)
    : roots_(trees.roots), n_outputs_(n_outputs), n_columns_(trees.n_columns()) {
    check_trees(trees);
    if (n_outputs == 0 || responses.size() != trees.n_nodes() * n_outputs)
        throw std::invalid_argument("each node needs a response");
    if (!std::all_of(responses.begin(), responses.end(), [](double r) { return std::isfinite(r); }))
        throw std::invalid_argument("responses must be finite");
    response_.assign(trees.n_nodes(), 0);
    std::unordered_map<std::string, std::uint32_t> known;
    for (std::size_t i = 0; i < trees.n_nodes(); ++i) {
        if (trees.feature[i] >= 0) continue;
        const double* response = responses.data() + i * n_outputs;
        const auto next = static_cast<std::uint32_t>(responses_.size() / n_outputs);
        if (n_outputs > 1) {
            std::string bytes(reinterpret_cast<const char*>(response), n_outputs * sizeof(double));
            const auto [found, is_new] = known.try_emplace(std::move(bytes), next);
            response_[i] = found->second;
            if (!is_new) continue;
        } else {
            response_[i] = next;
        }
        responses_.insert(responses_.end(), response, response + n_outputs);
    }
    finder_ = make_traversal(trees);
}

void SupervisedPredictor::add_responses(std::span<const std::uint32_t> leaves, double* sums) const {
    const double* responses = responses_.data();
    if (n_outputs_ == 2) {  // the commonest case: a loop of two costs more than what it adds
        for (std::uint32_t leaf : leaves) {
            const double* response = responses + std::size_t{response_[leaf]} * 2;
            *sums++ += response[0];
            *sums++ += response[1];
        }
        return;
    }
    for (std::uint32_t leaf : leaves) {
        const double* response = responses + response_[leaf] * n_outputs_;
        for (std::size_t k = 0; k < n_outputs_; ++k) *sums++ += response[k];
    }
}

template <class Use>
void SupervisedPredictor::walk(const double* rows, std::size_t n_rows, Use&& use) const {
    Traversal::Codes codes;
    if (n_rows < 8) {  // then trees, not rows, go side by side
        std::vector<std::uint32_t> leaves(n_trees());
        for (std::size_t i = 0; i < n_rows; ++i) {
            finder_->encode(rows + i * n_columns_, 1, codes);
            finder_->find_in_all(rows + i * n_columns_, codes, leaves.data());
            for (std::size_t t = 0; t < n_trees(); ++t) use(t, i, std::span(leaves).subspan(t, 1));
        }
        return;
    }
    std::vector<std::uint32_t> leaves(n_rows);
    finder_->encode(rows, n_rows, codes);
    for (std::size_t t = 0; t < n_trees(); ++t) {
        finder_->find(t, rows, n_rows, codes, leaves.data());
        use(t, std::size_t{0}, std::span(leaves));
    }
}

void SupervisedPredictor::apply(const double* rows, std::size_t n_rows, std::uint32_t* out,
                                std::size_t n_threads, const Watch& watch) const {
    run_blocks(n_rows, n_threads, watch, [&](std::size_t begin, std::size_t end) {
        walk(rows + begin * n_columns_, end - begin,
             [&](std::size_t t, std::size_t first, std::span<const std::uint32_t> leaves) {
                 for (std::size_t k = 0; k < leaves.size(); ++k) {
                     out[(begin + first + k) * n_trees() + t] = leaves[k] - roots_[t];
                 }
             });
    });
}

void SupervisedPredictor::predict(const double* rows, std::size_t n_rows, double* out, std::size_t n_threads,
                                  const Watch& watch) const {
    const double scale = 1.0 / static_cast<double>(n_trees());
    run_blocks(n_rows, n_threads, watch, [&](std::size_t begin, std::size_t end) {
        double* sums = out + begin * n_outputs_;
        const std::size_t n = (end - begin) * n_outputs_;
        std::fill_n(sums, n, 0.0);
        walk(rows + begin * n_columns_, end - begin,
             [&](std::size_t, std::size_t first, std::span<const std::uint32_t> leaves) {
                 add_responses(leaves, sums + first * n_outputs_);
             });
        for (std::size_t k = 0; k < n; ++k) sums[k] *= scale;
    });
}

void SupervisedPredictor::predict_out_of_bag(const double* rows, std::size_t n_rows, const InBag& in_bag,
                                             double* out, std::size_t n_threads, const Watch& watch) const {
    run_blocks(n_rows, n_threads, watch, [&](std::size_t begin, std::size_t end) {
        double* sums = out + begin * n_outputs_;
        std::fill_n(sums, (end - begin) * n_outputs_, 0.0);
        std::vector<double> n_outputs(end - begin, 0.0);
        walk(rows + begin * n_columns_, end - begin,
             [&](std::size_t t, std::size_t first, std::span<const std::uint32_t> leaves) {
                 for (std::size_t k = first; k < first + leaves.size(); ++k) {
                     if (in_bag(t, begin + k)) continue;
                     n_outputs[k] += 1.0;
                     add_responses(leaves.subspan(k - first, 1), sums + k * n_outputs_);
                 }
             });
        for (std::size_t i = 0; i < n_outputs.size(); ++i) {
            const double scale =
                n_outputs[i] > 0.0 ? 1.0 / n_outputs[i] : std::numeric_limits<double>::quiet_NaN();
            for (std::size_t k = 0; k < n_outputs_; ++k) sums[i * n_outputs_ + k] *= scale;
        }
    });
}

}  // namespace boxwood
