#pragma once

#include "base/json.hpp"
#include "store/repos/dead_letters.hpp"
#include "store/repos/retries.hpp"

namespace pawl::app {

json::object to_json(const store::DeadLetter& letter);
json::object to_json(const store::DeadLetterGroup& group);
// The outcome of a replay: {run_id, replayed_as}.
json::object to_json(const store::Retried& retried);

}  // namespace pawl::app
