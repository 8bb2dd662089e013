#pragma once

#include "plan/repin.hpp"

#include <cstdint>
#include <vector>

namespace pawl::plan {

// Where in a run an event of a step happened.
struct EventPlace {
    std::vector<std::uint32_t> items;  // of the foreach around it, the outermost first
    std::uint32_t visit = 0;           // how often its branch had entered the node; 0: no step

    bool operator==(const EventPlace&) const = default;
};

struct PlacedLog {
    RunState state;
    std::vector<EventPlace> places;  // of each event
};

// Folds a log, and notes where its events happened.
PlacedLog fold_places(const std::vector<Pin>& pins, const std::vector<Event>& log);
// Of each event of a log.
std::vector<EventPlace> places_of(const std::vector<Pin>& pins, const std::vector<Event>& log);

}  // namespace pawl::plan
