#pragma once

#include "app/runs/start_run.hpp"

#include <string>
#include <vector>

namespace pawl::app {

struct RerunParams {
    RunId run;
    std::optional<json::value> data;  // none: that of the old run
    std::optional<std::string> from;  // a step: what happened before it stays; none: all again
    bool confirmed = false;           // also in a version that was retired
};

struct Reran {
    StartedRun run;
    std::vector<std::string> released;  // steps that the old run has undone since: not done again
};

// A new run that does again what another did, from its beginning or from a step. It is a start:
// the limits of the tenant hold for it.
asio::awaitable<Result<Reran>> rerun_run(RunUses& uses, Caller caller, RerunParams params);

}  // namespace pawl::app
