#include "shapes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace pawl::reference {

namespace {

const std::vector<Place>& simple_places() {
    static const std::vector<Place> places{{Kind::step}, {Kind::condition}, {Kind::parallel}};
    return places;
}

const std::vector<Place>& all_places() {
    static const std::vector<Place> places = [] {
        std::vector<Place> list = simple_places();
        for (const Mode mode : {Mode::chosen, Mode::all, Mode::any, Mode::count}) {
            for (const bool cancel : {false, true}) list.push_back({Kind::join, mode, 2, cancel});
        }
        return list;
    }();
    return places;
}

// A join that goes on with whatever came does not fail.
bool has_two_ways(const Place& place) {
    if (place.kind == Kind::join) return place.mode == Mode::all || place.mode == Mode::count;
    return place.kind != Kind::parallel;
}

bool can_fail(const Place& place) {
    return place.kind == Kind::step || place.kind == Kind::join;
}

int links_to(const Shape& shape, int place) {
    return static_cast<int>(std::count_if(
        shape.links.begin(), shape.links.end(), [&](const Link& link) { return link.to == place; }
    ));
}

int links_from(const Shape& shape, int place) {
    return static_cast<int>(std::count_if(
        shape.links.begin(), shape.links.end(), [&](const Link& link) { return link.from == place; }
    ));
}

int code_of(const Place& place) {
    return static_cast<int>(place.kind) * 32 + static_cast<int>(place.mode) * 8 +
           (place.cancel_rest ? 4 : 0);
}

// One of the ways to write a shape. Whether the condition asks for a thing or for its opposite
// makes no difference: the first link of one is `usual`.
std::vector<int> written_by(const std::vector<int>& order, const Shape& shape) {
    std::vector<int> written(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        written[static_cast<std::size_t>(order[i])] = code_of(shape.places[i]);
    }
    const std::size_t size = written.size();
    for (const Link& link : shape.links) {
        const int from = order[static_cast<std::size_t>(link.from)];
        const int to = order[static_cast<std::size_t>(link.to)];
        written.push_back((from * 8 + to) * 2 + static_cast<int>(link.way));
    }
    const auto links = written.begin() + static_cast<std::ptrdiff_t>(size);
    std::sort(links, written.end());
    int asked = -1;
    int flip = 0;
    for (auto link = links; link != written.end(); ++link) {
        const int from = *link / 16;
        if (from != asked) flip = *link % 2;
        asked = from;
        if (written[static_cast<std::size_t>(from)] == code_of({Kind::condition})) *link ^= flip;
    }
    return written;
}

// Of all shapes that differ only in their numbering, one is the least.
bool is_least(const Shape& shape) {
    std::vector<int> order(shape.places.size());
    std::iota(order.begin(), order.end(), 0);
    const auto mine = written_by(order, shape);
    while (std::next_permutation(order.begin() + 1, order.end())) {
        const bool forward =
            std::all_of(shape.links.begin(), shape.links.end(), [&](const Link& link) {
                return order[static_cast<std::size_t>(link.from)] <
                       order[static_cast<std::size_t>(link.to)];
            });
        if (forward && written_by(order, shape) < mine) return false;
    }
    return true;
}

class Enumeration {
public:
    Enumeration(int size, const std::function<void(const Shape&)>& visit)
        : size_(size), visit_(visit) {}

    // Links first, then what stands at their ends.
    void run() {
        shape_.places.resize(static_cast<std::size_t>(size_));
        choose_link(0, 1);
    }

private:
    void choose_link(int from, int to) {
        if (to == size_) {
            if (from + 2 < size_) return choose_link(from + 1, from + 2);
            for (int i = 1; i < size_; ++i) {
                if (links_to(shape_, i) == 0) return;
            }
            return choose_place(0);
        }
        choose_link(from, to + 1);
        shape_.links.push_back({from, to, Way::usual});
        choose_link(from, to + 1);
        shape_.links.pop_back();
    }

    void choose_place(int at) {
        if (at == size_) return choose_ways(0);
        for (const Place& place : links_to(shape_, at) > 1 ? all_places() : simple_places()) {
            if (is_covered(place, at)) continue;
            shape_.places[static_cast<std::size_t>(at)] = place;
            choose_place(at + 1);
        }
    }

    // With five places only what another kind does not say too: what lets pass is a condition that
    // holds, nothing can come to `chosen` that it could withdraw, and where a path ends a step
    // tells the most.
    bool is_covered(const Place& place, int at) const {
        if (size_ < 5) return false;
        if (place.kind == Kind::parallel) return true;
        if (place.kind == Kind::join) return place.mode == Mode::chosen && place.cancel_rest;
        return place.kind == Kind::condition && links_from(shape_, at) == 0;
    }

    void choose_ways(std::size_t at) {
        if (at == shape_.links.size()) {
            if (is_least(shape_)) visit_(shape_);
            return;
        }
        Link& link = shape_.links[at];
        choose_ways(at + 1);
        const Place& from = shape_.places[static_cast<std::size_t>(link.from)];
        if (!has_two_ways(from)) return;
        const bool first = at == 0 || shape_.links[at - 1].from != link.from;
        if (first && from.kind == Kind::condition) return;
        link.way = Way::other;
        choose_ways(at + 1);
        shape_.links[at].way = Way::usual;
    }

    int size_;
    const std::function<void(const Shape&)>& visit_;
    Shape shape_;
};

}  // namespace

std::string describe(const Shape& shape) {
    const char* const kinds[] = {"step", "condition", "parallel", "join", "loop", "foreach"};
    const char* const modes[] = {"chosen", "all", "any", "count 2"};
    std::string text;
    for (std::size_t i = 0; i < shape.places.size(); ++i) {
        const Place& place = shape.places[i];
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", i, kinds[static_cast<int>(place.kind)]);
        if (place.goes_on) text += " goes on";
        if (place.kind == Kind::join) {
            text += fmt::format(
                " {}{}",
                modes[static_cast<int>(place.mode)],
                place.cancel_rest ? " cancel_rest" : ""
            );
        }
    }
    text += ";";
    for (const Link& link : shape.links) {
        text += fmt::format(" {}{}>{}", link.from, link.way == Way::other ? "!" : "", link.to);
    }
    return text;
}

void for_each_shape(int size, const std::function<void(const Shape&)>& visit) {
    if (size == 1) {
        for (const Place& place : simple_places()) visit({{place}, {}});
        return;
    }
    Enumeration(size, visit).run();
}

Shape surrounded(const Shape& shape, Around around) {
    const int size = static_cast<int>(shape.places.size());
    const int shift = around == Around::circle ? 0 : 1;
    Shape whole;
    if (shift > 0) {
        Place head{around == Around::loop ? Kind::loop : Kind::foreach};
        head.at_once = around == Around::foreach_in_turn ? 1 : 2;
        whole.places.push_back(head);
        whole.links.push_back({0, 1, Way::other});
        whole.links.push_back({0, size + 1, Way::usual});
    }
    whole.places.insert(whole.places.end(), shape.places.begin(), shape.places.end());
    for (const Link& link : shape.links) {
        whole.links.push_back({link.from + shift, link.to + shift, link.way});
    }
    for (int place = 0; place < size; ++place) {
        if (links_from(shape, place) == 0) whole.links.push_back({place + shift, 0, Way::usual});
    }
    if (shift > 0) whole.places.push_back({Kind::step});
    return whole;
}

Shape random_shape(Rng& rng, int size, bool with_link_back) {
    const auto pick = [&](int bound) {
        return static_cast<int>(rng.below(static_cast<std::uint64_t>(bound)));
    };
    Shape shape;
    for (int to = 1; to < size; ++to) {
        const int sure = pick(to);
        for (int from = 0; from < to; ++from) {
            if (from == sure || pick(3) == 0) shape.links.push_back({from, to, Way::usual});
        }
    }
    if (with_link_back) {
        const int from = pick(size);
        const Link back{from, pick(from + 1), Way::usual};
        shape.links.push_back(back);
    }
    for (int i = 0; i < size; ++i) {
        const auto& choices =
            links_to(shape, i) > 1 && pick(4) > 0 ? all_places() : simple_places();
        shape.places.push_back(choices[rng.below(choices.size())]);
        if (can_fail(shape.places.back())) shape.places.back().goes_on = pick(4) == 0;
    }
    for (Link& link : shape.links) {
        const Place& from = shape.places[static_cast<std::size_t>(link.from)];
        if (!has_two_ways(from) && !can_fail(from)) continue;
        link.way = pick(3) == 0 ? Way::other : Way::usual;
    }
    return shape;
}

}  // namespace pawl::reference
