#pragma once

#include <cstddef>
#include <string>
#include <vector>

// A second, independent reading of what graphs mean. Nothing here looks at src/plan.
namespace pawl::reference {

enum class Kind { step, condition, parallel, join, loop, foreach };
enum class Mode { chosen, all, any, count };

struct Place {
    Kind kind = Kind::step;
    Mode mode = Mode::chosen;  // of a join
    int count = 2;             // of mode count
    bool cancel_rest = false;
    bool goes_on = false;  // a step that failed and has no error link goes on all the same
    int at_once = 2;       // of the items of a foreach

    bool operator==(const Place&) const = default;
};

// How often a loop goes round, and how many items a foreach has.
inline constexpr int rounds = 2;

// Handles: a step and a join have `usual` and `other` (error), a condition `usual` (true) and
// `other` (false), a loop and a foreach `usual` and `other` (each).
enum class Way { usual, other };

struct Link {
    int from = 0;
    int to = 0;
    Way way = Way::usual;

    bool operator==(const Link&) const = default;
};

// Place 0 is where a run starts.
struct Shape {
    std::vector<Place> places;
    std::vector<Link> links;

    bool operator==(const Shape&) const = default;
};

// "0 step, 1 join any; 0>1 0!>2": short enough for a message, exact enough to be typed in again.
std::string describe(const Shape& shape);

}  // namespace pawl::reference
