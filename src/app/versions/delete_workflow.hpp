#pragma once

#include "app/versions/version_uses.hpp"

namespace pawl::app {

// What becomes of open runs.
enum class OpenRuns { refuse, finish, cancel };

struct DeletedWorkflow {
    store::Versions::Removed removed;
    std::int64_t open_runs = 0;
    std::optional<store::Job> job;  // that cancels them
};

// Takes the head away; its versions and closed runs stay.
asio::awaitable<Result<DeletedWorkflow>> delete_workflow(
    VersionUses& uses, Caller caller, std::string name, OpenRuns wanted
);

}  // namespace pawl::app
