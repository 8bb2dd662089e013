#pragma once

#include "base/json.hpp"
#include "engine/start/start_request.hpp"
#include "plan/why.hpp"
#include "store/repos/jobs.hpp"
#include "store/store.hpp"

namespace pawl::app {

json::object to_json(const store::RunSummary& run);
json::object to_json(const store::RunDetails& run);
// A run that was asked for: {id, workflow, version, created}.
json::object to_json(const engine::Program& program, const engine::Started& started);
json::object to_json(const plan::Why& why);
// What a bulk job would be about.
json::object to_json(const store::RunCount& count, std::string_view action);

// Of the id, which carries it: what the filters of lists look at.
Instant created_at(RunId run);
bool is_closed(const store::RunSummary& run);

}  // namespace pawl::app
