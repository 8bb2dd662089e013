#pragma once

#include "app/jobs/migrate_jobs.hpp"
#include "app/runs/programs.hpp"
#include "app/runs/starter.hpp"
#include "store/repos/jobs.hpp"
#include "store/repos/message_log.hpp"

namespace pawl::app {

// Carries out bulk jobs part by part: looks up the next runs that match, finds out what can be done
// to them, and has it done. What it refers to must outlive it.
class BulkJobs {
public:
    BulkJobs(
        store::PgStore& store,
        store::Jobs& jobs,
        Programs& programs,
        Starter& starter,
        MigrateJobs& migrations,
        store::MessageLog& messages
    )
        : store_(store),
          jobs_(jobs),
          programs_(programs),
          starter_(starter),
          migrations_(migrations),
          messages_(messages) {}

    // The job as it is after the next part; none when it is gone.
    asio::awaitable<std::optional<store::Job>> next_part(store::Job job, Duration lease);

private:
    // Each keeps those of part.runs to which it can be done, and says what is wrong with the
    // others.
    asio::awaitable<store::BulkPart> leave_out_retried(store::Job job, store::BulkPart part);
    asio::awaitable<store::BulkPart> check_skips(store::Job job, store::BulkPart part);
    asio::awaitable<store::BulkPart> rerun(store::Job job, store::BulkPart part);
    // Leaves those out whose step has no unknown outcome.
    asio::awaitable<store::BulkPart> settle(store::Job job, store::BulkPart part);

    asio::awaitable<void> end_runs(store::Job job, std::vector<RunId> runs);
    // Empty: it can be skipped.
    asio::awaitable<std::string> skip_problem(store::Tenant tenant, RunId run, std::string node);
    asio::awaitable<Result<engine::StartRequest>> rerun_request(store::Job job, RunId run);
    asio::awaitable<bool> is_ours(store::Job job, RunId old, RunId found);
    asio::awaitable<Result<FoldedLog>> fold(store::Tenant tenant, RunId run);

    store::PgStore& store_;
    store::Jobs& jobs_;
    Programs& programs_;
    Starter& starter_;
    MigrateJobs& migrations_;
    store::MessageLog& messages_;
};

}  // namespace pawl::app
