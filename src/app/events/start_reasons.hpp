#pragma once

#include "app/versions/version_uses.hpp"
#include "store/repos/funnels.hpp"
#include "store/repos/inbox.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::app {

// What it takes to say why events did or did not start a workflow. All of it outlives the calls.
struct StartReasonUses {
    store::Inbox& inbox;
    store::Funnels& funnels;
    VersionUses& versions;
};

// An event that its triggers look at, and what came of it.
struct EventStart {
    store::InboxEvent event;
    std::optional<RunId> run;  // that it started; or, with `entered`, that was in its way
    // started, pending, held, refused, filter, entered, not_allowed, off or earlier.
    std::string reason;
    std::string detail;  // the same as a sentence
};

// The newest events that the triggers of a workflow look at, newest first. What has not been
// written down is judged by the definition of now.
asio::awaitable<Result<std::vector<EventStart>>> event_starts(
    StartReasonUses& uses, store::Tenant tenant, std::string workflow, int limit
);

json::object to_json(const EventStart& start);

}  // namespace pawl::app
