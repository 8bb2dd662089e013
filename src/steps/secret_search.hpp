#pragma once

#include "steps/readings.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pawl::steps {

// A piece of a text.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;

    bool operator==(const Span&) const = default;
};

// Finds any of many secrets in one pass over a text (Aho-Corasick), in small and in capital letters
// alike. A peer chooses the text and a tenant the secrets: the work is at most two moves for each
// byte, whatever they are. No secret may be empty.
class SecretSearch {
public:
    explicit SecretSearch(const std::vector<std::string>& secrets);

    std::size_t shortest() const { return shortest_; }  // bytes; 0: there is no secret
    // Adds where secrets stand in the original of `reading`, in order and apart from each other.
    // Returns how many moves it took.
    std::size_t find(const Reading& reading, std::vector<Span>& spans) const;

private:
    struct Node {
        std::uint32_t parent = 0;
        std::uint32_t depth = 0;
        std::uint32_t shorter = 0;  // the longest other beginning of a secret that ends here, too
        std::uint32_t found = 0;    // bytes of the longest secret that ends here
        unsigned char byte = 0;
    };

    void add(std::string_view secret);
    void link();
    std::uint32_t move(std::uint32_t from, unsigned char byte, std::size_t& moves) const;

    std::size_t shortest_ = 0;
    std::vector<Node> nodes_;
    std::array<std::uint32_t, 256> first_{};  // from the root: most of most texts
    std::unordered_map<std::uint64_t, std::uint32_t> next_;
};

}  // namespace pawl::steps
