#include "app/jobs/job_runner.hpp"

#include "base/log.hpp"
#include "pg/pg_error.hpp"

#include <optional>
#include <string_view>

namespace pawl::app {

namespace {

constexpr Duration lease_of_others = std::chrono::seconds(15);
// Shorter: a server that is late does no harm, and a slot does not wait.
constexpr Duration lease_of_audiences = std::chrono::seconds(6);
constexpr int rows_purged = 10'000;
constexpr auto poll = std::chrono::seconds(5);
constexpr auto poll_of_audiences = std::chrono::seconds(1);
constexpr int batch = 500;
// A long job does not keep the others waiting: after so long the next tenant has its turn.
constexpr auto turn = std::chrono::seconds(1);
// How often a part is tried that gets in the way of others.
constexpr int tries_max = 10;
constexpr auto try_pause = std::chrono::milliseconds(20);
constexpr std::string_view lock_not_available = "55P03";

}  // namespace

// A part and the commits of workers lock the same runs, and may meet in the middle: the database
// then takes one of them back, as a whole, and it is done again. (To wait for the lease to end, as
// after other failures, would be slow.)
asio::awaitable<std::optional<store::Job>> JobRunner::next_part(store::Job job) {
    const Duration lease = kind_ == Kind::audiences ? lease_of_audiences : lease_of_others;
    for (int tries = 1;; ++tries) {
        try {
            if (job.kind != "replay") co_return co_await next_bulk_part(job, lease);
            co_return co_await jobs_.replay_batch(job, batch, lease);
        } catch (const pg::PgError& error) {
            // One that waits for what its tenant holds would wait again, and jobs of others with
            // it.
            const bool again = error.reaction() == pg::Reaction::retry_transaction &&
                               error.detail().sqlstate != lock_not_available;
            if (!again || tries == tries_max) throw;
            log::info(
                "a batch of a job is retried",
                {log::field("job", to_string(job.id)), log::field("error", error.what())}
            );
        }
        engine::Gate pause(executor_);
        co_await pause.wait(Steady::now() + tries * try_pause);
    }
}

asio::awaitable<bool> JobRunner::work_off_one() {
    const bool audiences = kind_ == Kind::audiences;
    const Duration lease = audiences ? lease_of_audiences : lease_of_others;
    auto job = co_await jobs_.claim(lease, last_tenant_, audiences);
    if (!job) co_return audiences&& co_await jobs_.purge_audiences(rows_purged) > 0;
    last_tenant_ = job->tenant.id;
    const auto until = Steady::now() + turn;
    try {
        do {
            job = co_await next_part(*job);
            on_ready();
        } while (job && job->goes_on() && Steady::now() < until);
        // One that waits is looked at when its lease is over.
        if (job && job->goes_on()) co_await jobs_.let_go(job->id);
    } catch (const Failure& failure) {
        // The lease runs out and the job is taken up again. Until then the others get their turn.
        trouble_.failed(failure.what());
        co_return true;
    }
    trouble_.fine();
    if (job && job->is_over()) {
        log::info(
            "a job ended",
            {log::field("job", to_string(job->id)),
             log::field("status", job->status),
             log::field("done", job->done),
             log::field("failed", job->failed)}
        );
    }
    co_return true;
}

asio::awaitable<void> JobRunner::run() {
    for (;;) {
        bool more = false;
        try {
            more = co_await work_off_one();
        } catch (const Failure& failure) {
            trouble_.failed(failure.what());
        }
        const auto pause = kind_ == Kind::audiences ? poll_of_audiences : poll;
        if (!more) co_await gate_.wait(Steady::now() + pause);
    }
}

}  // namespace pawl::app
