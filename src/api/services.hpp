#pragma once

#include "api/admission.hpp"
#include "api/bulk_jobs.hpp"
#include "api/http/long_requests.hpp"
#include "api/job_runner.hpp"
#include "api/programs.hpp"
#include "api/publisher.hpp"
#include "api/starter.hpp"
#include "api/streams/feed.hpp"
#include "api/streams/run_watch.hpp"
#include "base/seal.hpp"
#include "base/vault.hpp"
#include "engine/async/coroutine_group.hpp"
#include "engine/services/keeper.hpp"
#include "engine/services/matcher.hpp"
#include "model/problems.hpp"
#include "store/pg/event_tail.hpp"
#include "store/pg/pg_store.hpp"
#include "store/repos/callbacks.hpp"
#include "store/repos/credential_store.hpp"
#include "store/repos/dead_letters.hpp"
#include "store/repos/executions.hpp"
#include "store/repos/heads.hpp"
#include "store/repos/human_tasks.hpp"
#include "store/repos/idempotency.hpp"
#include "store/repos/inbox.hpp"
#include "store/repos/jobs.hpp"
#include "store/repos/limits.hpp"
#include "store/repos/organizations.hpp"
#include "store/repos/outbox_targets.hpp"
#include "store/repos/retries.hpp"
#include "store/repos/schedules.hpp"
#include "store/repos/version_store.hpp"

#include <functional>
#include <string>

namespace pawl::api {

// What handlers work with. Lives on the API's thread; the pool outlives it. Await stop() before the
// executor ends.
struct Services {
    Services(
        asio::any_io_executor on, pg::Pool& pool, Starter::Trip start, engine::KeeperOptions keeping
    );
    // The work in the background: watched runs, jobs.
    void start();
    // The process is about to stop: callers that wait for the end of a run are answered now.
    void begin_stop() { stopping = true; }
    asio::awaitable<void> stop();
    // Null when the version cannot be read here.
    asio::awaitable<engine::ProgramPtr> find_program(
        store::WorkflowId workflow, std::int32_t version
    );

    asio::any_io_executor executor;
    Vault vault;  // what credentials are encrypted with
    store::PgStore store;
    store::Credentials credentials;
    store::OutboxTargets outbox;
    store::Tenants tenants;
    engine::StartLimits start_limits;
    Admission admission;
    store::DeadLetters dead_letters;
    store::Executions executions;
    store::Heads heads;
    store::Idempotency idempotency;
    store::Jobs jobs;
    store::Limits limits;
    store::Organizations organizations;
    store::Retries retries;
    store::Schedules schedules;
    store::EventTail tail;
    store::Inbox inbox;
    store::Callbacks callbacks;
    store::HumanTasks human_tasks;
    store::Versions versions;
    engine::CoroutineGroup tasks;
    engine::Keeper keeper;
    Programs programs;
    Starter starter;
    LongRequests long_requests;
    RunWatch run_watch;
    Feeds feeds;
    MigrateJobs migrate_jobs;
    BulkJobs bulk_jobs;
    JobRunner job_runner;
    Publisher publisher;
    engine::Matcher matcher;
    Seal seal;               // of links and callback tokens
    std::string public_url;  // how people reach this server; without a slash at the end
    bool stopping = false;

    // Of the process around: why it cannot work (empty: it can), its metrics, and a nudge for its
    // workers.
    std::function<std::string()> unready = [] { return std::string(); };
    std::function<std::string()> metrics = [] { return std::string(); };
    std::function<void()> wake_workers = [] {};
    // What is wrong with the programs in a definition.
    std::function<asio::awaitable<std::vector<pawl::Problem>>(Definition, store::TenantId)>
        check_programs;
};

}  // namespace pawl::api
