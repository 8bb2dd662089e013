#pragma once

#include "base/json.hpp"
#include "model/event.hpp"
#include "plan/places.hpp"
#include "store/pg/event_tail.hpp"
#include "store/repos/inbox.hpp"

#include <string_view>
#include <vector>

namespace pawl::app {

// An event of a run's log.
json::object to_json(const Event& event);
// Says branch, item and visit too, where there is more than one.
json::object to_json(const Event& event, const plan::EventPlace& place);
// Who did what an event says: a person, or an API key by its prefix; empty: it does not say.
std::string_view author_of(const Event& event);
void add_place(json::object& out, const Event& event, const plan::EventPlace& place);
// The times of a whole log as they are shown: none is before the run, or before the event before
// it. What a run took over from another one was done before it began.
void put_times_in_order(RunId run, std::vector<Event>& log);

// One of a stream over all runs.
json::object to_json(const store::TailEvent& event);

// One that came from outside.
json::object to_json(const store::InboxEvent& event);

// A table whose changes become events.
json::object to_json(const store::Watch& watch);

}  // namespace pawl::app
