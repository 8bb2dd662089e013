#pragma once

#include <cstddef>
#include <vector>

namespace pawl::draw {

// What an arrow needs between two layers: from a column at the top to a column at the bottom. One
// that goes around the rest has only one of the two ends there; the other is in the margin.
struct Wire {
    int begin = 0;
    int end = 0;
    bool from_top = true;   // comes down to its track at `begin`
    bool to_bottom = true;  // goes down from its track at `end`

    bool straight() const { return begin == end && from_top && to_bottom; }
};

// A horizontal stretch of a wire, on one of the channel's tracks.
struct Leg {
    int begin = 0;
    int end = 0;
    int track = 0;
};

struct Routing {
    std::vector<std::vector<Leg>> legs;  // by wire, downwards; none when it is straight
    int tracks = 0;
};

// Finds tracks such that no two wires share a stretch; they only cross. No two wires may have the
// same column at the top, nor at the bottom. Columns in `reserved` belong to others.
Routing route(const std::vector<Wire>& wires, const std::vector<int>& reserved = {});

}  // namespace pawl::draw
