#include "boosting/tree_map.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/fast_log.hpp"

namespace boxwood {

namespace {

class Checker {
  public:
    Checker(TreeMap nodes, std::size_t n_columns)
        : nodes_(nodes), lower_(n_columns, 0.0), upper_(n_columns, 1.0) {}

    // Checks the subtree of a node and gives the number behind its last node. A child stands behind its
    // parent, so that no node is met twice; the depth is bounded because every cut narrows a side of floats.
    std::size_t check(std::size_t number) {
        if (number >= nodes_.size()) throw std::invalid_argument("a child of a tree is not there");
        const MapNode& node = nodes_[number];
        if (node.column >= lower_.size())
            throw std::invalid_argument("a tree cuts a column that is not there");
        if (!(node.mass > 0.0f && node.mass < 1.0f))
            throw std::invalid_argument("a mass of a tree is not in (0, 1)");
        if (node.left_is_node > 1) throw std::invalid_argument("a child of a tree is neither node nor leaf");
        double& lower = lower_[node.column];
        double& upper = upper_[node.column];
        const double cut = node.cut;
        if (!(cut > lower && cut < upper)) throw std::invalid_argument("a cut of a tree is not in its box");
        std::size_t next = number + 1;
        if (node.left_is_node != 0) next = check_side(upper, cut, next);
        if (node.right == 0) return next;
        if (node.right != next) throw std::invalid_argument("the nodes of a tree are not in order");
        return check_side(lower, cut, next);
    }

  private:
    std::size_t check_side(double& side, double cut, std::size_t number) {
        if (++depth_ > deepest) throw std::invalid_argument("a tree is too deep");
        const double before = side;
        side = cut;
        const std::size_t next = check(number);
        side = before;
        --depth_;
        return next;
    }

    static constexpr std::size_t deepest = 1024;
    TreeMap nodes_;
    std::vector<double> lower_, upper_;
    std::size_t depth_ = 0;
};

}  // namespace

MapStep step_of(const MapNode& node, const MapSide& side, bool right) {
    const double mass = node.mass;
    const double cut = node.cut;
    const double width = side.upper - side.lower;
    if (right) {
        const double stretch = (1.0 - mass) * width / (side.upper - cut);
        return {side.image_upper * (1.0 - stretch), stretch};
    }
    const double stretch = mass * width / (cut - side.lower);
    return {side.image_lower * (1.0 - stretch), stretch};
}

MapSide part_of(const MapNode& node, const MapSide& side, bool right) {
    const double image_cut = side.image_lower + node.mass * (side.image_upper - side.image_lower);
    if (right) return {node.cut, side.upper, image_cut, side.image_upper};
    return {side.lower, node.cut, side.image_lower, image_cut};
}

void check_tree_map(TreeMap nodes, std::size_t n_columns) {
    if (!nodes.empty() && Checker(nodes, n_columns).check(0) != nodes.size())
        throw std::invalid_argument("a node of a tree has no parent");
}

void Mover::restore() {
    for (const std::uint16_t column : touched_) sides_[column] = MapSide{};
    touched_.clear();
}

double Mover::move(TreeMap nodes, double* point) {
    std::copy_n(point, image_.size(), image_.begin());
    double density = 1.0;
    std::size_t at = 0;
    bool inside = !nodes.empty();
    while (inside) {
        const MapNode& node = nodes[at];
        MapSide& side = sides_[node.column];
        touched_.push_back(node.column);
        const bool right = point[node.column] >= static_cast<double>(node.cut);
        const MapStep step = step_of(node, side, right);
        image_[node.column] = step.shift + step.stretch * image_[node.column];
        density *= step.stretch;
        side = part_of(node, side, right);
        inside = right ? node.right != 0 : node.left_is_node != 0;
        at = right ? node.right : at + 1;
    }
    for (std::size_t j = 0; j < image_.size(); ++j) point[j] = std::min(std::max(image_[j], 0.0), 1.0);
    restore();
    return density;
}

void Mover::move_back(TreeMap nodes, double* point) {
    std::size_t at = 0;
    bool inside = !nodes.empty();
    while (inside) {
        const MapNode& node = nodes[at];
        const double cut = node.cut;
        MapSide& side = sides_[node.column];
        touched_.push_back(node.column);
        double& value = point[node.column];
        // The box is whole here: those above have been taken back.
        const double image_cut = side.lower + node.mass * (side.upper - side.lower);
        const bool right = value >= image_cut;
        if (right) {
            const double fraction = (value - image_cut) / (side.upper - image_cut);
            value = std::clamp(cut + fraction * (side.upper - cut), cut, side.upper);
            side.lower = cut;
        } else {
            const double fraction = (value - side.lower) / (image_cut - side.lower);
            value = std::clamp(side.lower + fraction * (cut - side.lower), side.lower, cut);
            side.upper = cut;
        }
        inside = right ? node.right != 0 : node.left_is_node != 0;
        at = right ? node.right : at + 1;
    }
    restore();
}

void UnfoldedTree::unfold(TreeMap nodes) {
    nodes_.resize(nodes.size() + 1);
    const auto leaf = static_cast<std::uint32_t>(nodes.size());
    nodes_.back() = {{{0.0, 1.0}, {0.0, 1.0}}, 0.0f, 0, {leaf, leaf}};
    sides_.assign(n_columns_, MapSide{});
    if (!nodes.empty()) unfold_node(nodes, 0);
}

void UnfoldedTree::unfold_node(TreeMap nodes, std::uint32_t number) {
    const MapNode& node = nodes[number];
    const auto leaf = static_cast<std::uint32_t>(nodes.size());
    const MapSide side = sides_[node.column];
    nodes_[number] = {{step_of(node, side, false), step_of(node, side, true)},
                      node.cut,
                      node.column,
                      {node.left_is_node != 0 ? number + 1 : leaf, node.right != 0 ? node.right : leaf}};
    if (node.left_is_node != 0) {
        sides_[node.column] = part_of(node, side, false);
        unfold_node(nodes, number + 1);
    }
    if (node.right != 0) {
        sides_[node.column] = part_of(node, side, true);
        unfold_node(nodes, node.right);
    }
    sides_[node.column] = side;
}

void UnfoldedTree::move(double* points, std::size_t n_rows, double* log_density) {
    if (nodes_.size() == 1) return;
    std::size_t i = 0;
    for (; i + abreast <= n_rows; i += abreast)
        move_abreast<abreast>(points + i * n_columns_, log_density + i);
    for (; i < n_rows; ++i) move_abreast<1>(points + i * n_columns_, log_density + i);
}

template <std::size_t n>
void UnfoldedTree::move_abreast(double* points, double* log_density) {
    const Node* nodes = nodes_.data();
    double* images = images_.data();
    const std::size_t d = n_columns_;
    const auto leaf = static_cast<std::uint32_t>(nodes_.size() - 1);
    std::copy_n(points, n * d, images);
    std::uint32_t at[n] = {};
    double density[n];
    std::fill_n(density, n, 1.0);
    std::uint32_t n_done = 0;
    while (n_done < n) {
        n_done = 0;
        for (std::size_t r = 0; r < n; ++r) {
            const Node& node = nodes[at[r]];
            const std::size_t place = r * d + node.column;
            const std::size_t right = points[place] >= static_cast<double>(node.cut) ? 1 : 0;
            const MapStep& step = node.step[right];
            images[place] = step.shift + step.stretch * images[place];
            density[r] *= step.stretch;
            at[r] = node.child[right];
            n_done += at[r] == leaf ? 1u : 0u;
        }
    }
    for (std::size_t i = 0; i < n * d; ++i) points[i] = std::min(std::max(images[i], 0.0), 1.0);
    for (std::size_t r = 0; r < n; ++r) log_density[r] += fast_log(density[r]);
}

void UnfoldedInverse::unfold(TreeMap nodes) {
    nodes_.resize(nodes.size() + 1);
    const auto leaf = static_cast<std::uint32_t>(nodes.size());
    const Part whole{0.0, 1.0, 0.0, 1.0, 1.0};
    nodes_.back() = {{whole, whole}, 1.0, static_cast<std::uint32_t>(n_columns_), {leaf, leaf}};
    sides_.assign(n_columns_, MapSide{});
    if (!nodes.empty()) unfold_node(nodes, 0);
}

void UnfoldedInverse::unfold_node(TreeMap nodes, std::uint32_t number) {
    const MapNode& node = nodes[number];
    const auto leaf = static_cast<std::uint32_t>(nodes.size());
    MapSide& side = sides_[node.column];
    const double lower = side.lower, upper = side.upper, cut = node.cut;
    const double image_cut = lower + node.mass * (upper - lower);
    nodes_[number] = {{{lower, image_cut - lower, lower, cut, cut - lower},
                       {image_cut, upper - image_cut, cut, upper, upper - cut}},
                      image_cut,
                      node.column,
                      {node.left_is_node != 0 ? number + 1 : leaf, node.right != 0 ? node.right : leaf}};
    if (node.left_is_node != 0) {
        side.upper = node.cut;
        unfold_node(nodes, number + 1);
        side.upper = upper;
    }
    if (node.right != 0) {
        side.lower = node.cut;
        unfold_node(nodes, node.right);
        side.lower = lower;
    }
}

void UnfoldedInverse::move_back(double* points, std::size_t n_rows) {
    if (nodes_.size() == 1) return;
    std::size_t i = 0;
    for (; i + abreast <= n_rows; i += abreast) move_abreast<abreast>(points + i * n_columns_);
    for (; i < n_rows; ++i) move_abreast<1>(points + i * n_columns_);
}

template <std::size_t n>
void UnfoldedInverse::move_abreast(double* points) {
    const Node* nodes = nodes_.data();
    const std::size_t d = n_columns_;
    const auto leaf = static_cast<std::uint32_t>(nodes_.size() - 1);
    for (std::size_t r = 0; r < n; ++r) {
        std::copy_n(points + r * d, d, images_.data() + r * (d + 1));
        images_[r * (d + 1) + d] = 0.5;
    }
    std::uint32_t at[n] = {};
    std::uint32_t n_done = 0;
    while (n_done < n) {
        n_done = 0;
        for (std::size_t r = 0; r < n; ++r) {
            const Node& node = nodes[at[r]];
            double& value = images_[r * (d + 1) + node.column];
            const std::size_t right = value >= node.image_cut ? 1 : 0;
            const Part& part = node.part[right];
            const double moved = part.lower + (value - part.image_lower) / part.image_width * part.width;
            value = std::min(std::max(moved, part.lower), part.upper);
            at[r] = node.child[right];
            n_done += at[r] == leaf ? 1u : 0u;
        }
    }
    for (std::size_t r = 0; r < n; ++r) std::copy_n(images_.data() + r * (d + 1), d, points + r * d);
}

}  // namespace boxwood
