#pragma once

#include "app/caller.hpp"
#include "app/jobs/job_runner.hpp"
#include "store/repos/jobs.hpp"

#include <string_view>

namespace pawl::app {

// What the use cases of jobs work with. All of it outlives them.
struct JobUses {
    store::Jobs& jobs;
    JobRunner& audience_runner;
};

// An error when the tenant has no such job.
asio::awaitable<Result<store::Job>> find_job(JobUses& uses, store::TenantId tenant, Uuid id);

// Nothing more is done; what was done stays. An error when it was over before.
asio::awaitable<Result<store::Job>> cancel_job(
    JobUses& uses, store::TenantId tenant, Uuid id, std::string by
);

// Starts no more runs of an audience until it is resumed. An error when it is over, or is no job of
// an audience. Twice is once.
asio::awaitable<Result<store::Job>> pause_job(JobUses& uses, store::TenantId tenant, Uuid id);
asio::awaitable<Result<store::Job>> resume_job(JobUses& uses, store::TenantId tenant, Uuid id);

Error no_job(std::string_view id);

}  // namespace pawl::app
