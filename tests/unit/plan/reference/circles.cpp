#include "circles.hpp"

namespace pawl::reference {

namespace {

std::size_t index(int place) {
    return static_cast<std::size_t>(place);
}

}  // namespace

Circles::Circles(const Shape& shape)
    : shape_(shape),
      circle_(shape.places.size() * shape.places.size()),
      leads_(circle_.size()),
      body_(circle_.size()) {
    const int size = static_cast<int>(shape_.places.size());
    for (const Link& link : shape_.links) back_.push_back(needs(link.from, link.to));
    for (std::size_t i = 0; i < shape_.links.size(); ++i) {
        const Link& link = shape_.links[i];
        if (!back_[i]) continue;
        circle_[at(link.to, link.to)] = true;
        Places without(shape_.places.size());
        without[index(link.to)] = true;
        for (int place = 0; place < size; ++place) {
            if (reach(place, without)[index(link.from)]) circle_[at(link.to, place)] = true;
        }
    }
    for (int to = 0; to < size; ++to) {
        bool more = true;
        while (more) {
            more = false;
            for (std::size_t i = 0; i < shape_.links.size(); ++i) {
                const Link& link = shape_.links[i];
                if (leads_[at(link.from, to)] || anew(static_cast<int>(i), to)) continue;
                if (link.to != to && !leads_[at(link.to, to)]) continue;
                more = leads_[at(link.from, to)] = true;
            }
        }
    }
    for (int loop = 0; loop < size; ++loop) {
        Places before(shape_.places.size());
        for (int place = 0; place < size; ++place) before[index(place)] = needs(loop, place);
        for (const Link& link : shape_.links) {
            if (link.from != loop || link.way != Way::other) continue;
            const Places inside = reach(link.to, before);
            for (int place = 0; place < size; ++place) {
                if (inside[index(place)]) body_[at(loop, place)] = true;
            }
        }
    }
}

Circles::Places Circles::reach(int from, const Places& without) const {
    Places seen(shape_.places.size());
    if (without[index(from)]) return seen;
    seen[index(from)] = true;
    bool more = true;
    while (more) {
        more = false;
        for (const Link& link : shape_.links) {
            if (!seen[index(link.from)] || seen[index(link.to)] || without[index(link.to)])
                continue;
            more = seen[index(link.to)] = true;
        }
    }
    return seen;
}

bool Circles::needs(int place, int through) const {
    Places without(shape_.places.size());
    without[index(through)] = true;
    return !reach(0, without)[index(place)];
}

bool Circles::anew(int link, int place) const {
    const int head = shape_.links[index(link)].to;
    return back_[index(link)] && head != place && holds(head, place);
}

}  // namespace pawl::reference
