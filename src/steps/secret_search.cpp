#include "steps/secret_search.hpp"

#include "steps/fold_case.hpp"

#include <algorithm>
#include <numeric>

namespace pawl::steps {

namespace {

std::uint64_t key_of(std::uint32_t node, unsigned char byte) {
    return static_cast<std::uint64_t>(node) << 8 | byte;
}

}  // namespace

SecretSearch::SecretSearch(const std::vector<std::string>& secrets) : nodes_(1) {
    for (const std::string& secret : secrets) add(secret);
    link();
}

void SecretSearch::add(std::string_view secret) {
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < secret.size(); ++i) {
        const unsigned char byte = folded_at(secret, i);
        const auto fresh = static_cast<std::uint32_t>(nodes_.size());
        std::uint32_t& to =
            at == 0 ? first_[byte] : next_.try_emplace(key_of(at, byte), 0).first->second;
        if (to == 0) {
            to = fresh;
            nodes_.push_back({at, nodes_[at].depth + 1, 0, 0, byte});
        }
        at = to;
    }
    nodes_[at].found = nodes_[at].depth;
    shortest_ = shortest_ == 0 ? secret.size() : std::min(shortest_, secret.size());
}

void SecretSearch::link() {
    std::vector<std::uint32_t> order(nodes_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
        return nodes_[a].depth < nodes_[b].depth;
    });
    std::size_t moves = 0;
    for (const std::uint32_t at : order) {
        Node& node = nodes_[at];
        if (node.depth > 1) node.shorter = move(nodes_[node.parent].shorter, node.byte, moves);
        if (node.found == 0) node.found = nodes_[node.shorter].found;
    }
}

std::uint32_t SecretSearch::move(std::uint32_t from, unsigned char byte, std::size_t& moves) const {
    for (++moves; from != 0; ++moves) {
        const auto found = next_.find(key_of(from, byte));
        if (found != next_.end()) return found->second;
        from = nodes_[from].shorter;
    }
    return first_[byte];
}

std::size_t SecretSearch::find(const Reading& reading, std::vector<Span>& spans) const {
    const std::size_t before = spans.size();
    std::size_t moves = 0;
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < reading.text.size(); ++i) {
        at = move(at, folded_at(reading.text, i), moves);
        const std::size_t length = nodes_[at].found;
        if (length == 0) continue;
        Span span{reading.begin_of(i + 1 - length), reading.end_of(i)};
        while (spans.size() > before && spans.back().end >= span.begin) {
            span.begin = std::min(span.begin, spans.back().begin);
            span.end = std::max(span.end, spans.back().end);
            spans.pop_back();
        }
        spans.push_back(span);
    }
    return moves;
}

}  // namespace pawl::steps
