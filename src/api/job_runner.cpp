#include "api/job_runner.hpp"

#include "base/log.hpp"

#include <optional>

namespace pawl::api {

namespace {

constexpr Duration lease = std::chrono::seconds(15);
constexpr auto poll = std::chrono::seconds(5);
constexpr int batch = 500;

}  // namespace

asio::awaitable<bool> JobRunner::work_off_one() {
    auto job = co_await jobs_.claim(lease);
    if (!job) co_return false;
    while (job && !job->is_over()) {
        if (job->kind == "bulk") {
            job = co_await next_bulk_part(*job, lease);
        } else {
            job = co_await jobs_.replay_batch(*job, batch, lease);
        }
        on_ready();
    }
    if (job) {
        log::info(
            "a job is over",
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
            // The lease runs out and the job is taken up again.
            log::warn("a job was interrupted", {log::field("error", failure.what())});
        }
        if (!more) co_await gate_.wait(Steady::now() + poll);
    }
}

}  // namespace pawl::api
