#pragma once

#include "engine/start/start_request.hpp"

#include <string>
#include <string_view>

namespace pawl::engine {

// Which version a start gets where several are active: the same for the same subject, or else for
// the same correlation key, or else for `otherwise`.
std::int32_t version_for(
    const store::StartVersion& head, const StartRequest& request, std::string_view otherwise
);

// Lets a start that was made for the head have another version. Says why it cannot; empty: it can,
// or that version cannot be read here (null) and the start stays with the head.
std::string take_version(StartRequest& request, ProgramPtr other);

}  // namespace pawl::engine
