#pragma once

#include "app/runs/run_uses.hpp"
#include "plan/places.hpp"

#include <optional>
#include <vector>

namespace pawl::app {

// An event of a run's log, and which item and visit it is about: none when its version cannot be
// read any more.
struct PlacedEvent {
    Event event;
    std::optional<plan::EventPlace> place;
};
struct EventPage {
    std::vector<PlacedEvent> events;
    bool more = false;
};

// The events of a log after this one.
asio::awaitable<EventPage> list_events(
    RunUses& uses, store::Tenant tenant, store::RunDetails run, std::int32_t after, int limit
);

}  // namespace pawl::app
