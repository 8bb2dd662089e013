#pragma once

#include "api/http/api_call.hpp"
#include "store/outside_event.hpp"

#include <vector>

namespace pawl::api {

// The events that a request brings, in any of these forms; throws Refused with every place that is
// wrong.
//   application/json                     {id?, name, key?, subject?, data?}, or a list of them
//   application/cloudevents+json         a CloudEvent 1.0
//   application/cloudevents-batch+json   a list of them
//   ce-* headers                         a CloudEvent whose data is the body
// An event without an id gets one; with an Idempotency-Key always the same.
struct IncomingEvents {
    std::vector<store::OutsideEvent> events;
    bool list = false;  // it came as a list and is answered as one
};
inline constexpr std::size_t incoming_events_max = 1000;

IncomingEvents read_events(const Call& call);

}  // namespace pawl::api
