#pragma once

#include "base/clock.hpp"
#include "base/json.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace pawl::store {

// Something that happened outside and that runs may wait for or be started by. Not to be mistaken
// for an Event, which is a fact of one run.
struct OutsideEvent {
    std::int32_t tenant = 1;
    std::string id;  // one of a tenant's events; a second one of that id is not taken
    std::string name;
    std::string key;              // what it is about: runs wait for an event with a key
    std::string subject;          // empty: not said
    std::string source;           // empty: not said
    std::optional<Instant> time;  // when it happened, as its sender says
    json::value data;
};

// Lengths in bytes.
inline constexpr std::size_t outside_id_max = 400;
inline constexpr std::size_t outside_name_max = 200;
inline constexpr std::size_t outside_key_max = 500;

}  // namespace pawl::store
