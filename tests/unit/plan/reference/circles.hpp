#pragma once

#include "graph.hpp"

#include <algorithm>
#include <vector>

namespace pawl::reference {

// Rounds, in words: a link goes back if one cannot come to where it comes from but through where it
// leads to, the head. The circle of a head is what comes back to it by such links without passing
// it on the way. A mark that walks a link back begins a new round of that circle.
class Circles {
public:
    explicit Circles(const Shape& shape);

    // Whether there is one at all.
    bool any() const { return std::find(back_.begin(), back_.end(), true) != back_.end(); }
    // Whether `place` lies in the circle of `head`; the head does.
    bool holds(int head, int place) const { return circle_[at(head, place)]; }
    // Whether walking the link begins a new round of a circle that `place` is in the middle of.
    bool anew(int link, int place) const;
    // Whether one can come from one place to another in the same round.
    bool leads(int from, int to) const { return leads_[at(from, to)]; }
    // Whether what went into the body of a loop comes from there, or has left it in between.
    bool in_body(int loop, int from) const { return body_[at(loop, from)]; }

private:
    using Places = std::vector<bool>;

    std::size_t at(int a, int b) const {
        return static_cast<std::size_t>(a) * shape_.places.size() + static_cast<std::size_t>(b);
    }
    // What can be come to from a place, itself included, without entering those.
    Places reach(int from, const Places& without) const;
    bool needs(int place, int through) const;

    Shape shape_;
    Places back_;    // by link
    Places circle_;  // by head and place
    Places leads_;
    Places body_;
};

}  // namespace pawl::reference
