#include "app/jobs/job_uses.hpp"

#include "app/refusal.hpp"

#include <fmt/core.h>

namespace pawl::app {

Error no_job(std::string_view id) {
    const std::string shown(id.substr(0, 40));
    return not_found(fmt::format("there is no job {}; GET /v1/jobs lists them", shown))
        .with("job", shown);
}

namespace {

Error job_over(const store::Job& job, std::string_view verb) {
    return refusal(
               Errc::conflict,
               "job_over",
               fmt::format("the job is {}: there is nothing to {}", job.status, verb)
    )
        .with("status", job.status);
}

}  // namespace

asio::awaitable<Result<store::Job>> find_job(JobUses& uses, store::TenantId tenant, Uuid id) {
    auto job = co_await uses.jobs.find(tenant, id);
    if (!job) co_return no_job(to_string(id));
    co_return std::move(*job);
}

asio::awaitable<Result<store::Job>> cancel_job(
    JobUses& uses, store::TenantId tenant, Uuid id, std::string by
) {
    auto job = co_await uses.jobs.cancel(tenant, id, std::move(by));
    if (!job) co_return no_job(to_string(id));
    if (job->status != "cancelled") co_return job_over(*job, "stop");
    co_return std::move(*job);
}

asio::awaitable<Result<store::Job>> pause_job(JobUses& uses, store::TenantId tenant, Uuid id) {
    auto job = co_await uses.jobs.pause(tenant, id);
    if (!job) co_return no_job(to_string(id));
    if (job->kind != "audience") {
        co_return refusal(
            Errc::conflict, "not_pausable", "only the job of an audience can be paused; cancel it"
        );
    }
    if (job->is_over()) co_return job_over(*job, "pause");
    co_return std::move(*job);
}

asio::awaitable<Result<store::Job>> resume_job(JobUses& uses, store::TenantId tenant, Uuid id) {
    auto job = co_await uses.jobs.resume(tenant, id);
    if (!job) co_return no_job(to_string(id));
    if (job->is_over()) co_return job_over(*job, "resume");
    uses.audience_runner.look();
    co_return std::move(*job);
}

}  // namespace pawl::app
