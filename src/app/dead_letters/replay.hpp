#pragma once

#include "app/caller.hpp"
#include "app/jobs/job_runner.hpp"
#include "store/repos/dead_letters.hpp"
#include "store/repos/jobs.hpp"
#include "store/repos/retries.hpp"

#include <vector>

namespace pawl::app {

// What the use cases of dead letters work with. All of it outlives them.
struct DeadLetterUses {
    store::DeadLetters& letters;
    store::Retries& retries;
    store::Jobs& jobs;
    JobRunner& job_runner;
    const Wake& wake_workers;
};

// A few by their ids, at once. Those that are no failed or cancelled run have no retried_as.
asio::awaitable<std::vector<store::Retried>> replay_runs(
    DeadLetterUses& uses, store::Tenant tenant, std::vector<RunId> runs
);

// A job that replays all that match and are there now.
asio::awaitable<store::Job> replay_letters(
    DeadLetterUses& uses, Caller caller, store::DeadLetterFilter filter, store::ReplayFix fix = {}
);

// An error that a person has seen: it stays, and does not count as failing any more. Refused if the
// tenant has no such error.
asio::awaitable<Result<Instant>> mute_group(
    DeadLetterUses& uses,
    store::Tenant tenant,
    std::string fingerprint,
    std::string reason,
    std::string by
);
// Refused if it was not muted.
asio::awaitable<Result<void>> unmute_group(
    DeadLetterUses& uses, store::TenantId tenant, std::string fingerprint
);

}  // namespace pawl::app
