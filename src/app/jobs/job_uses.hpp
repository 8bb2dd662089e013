#pragma once

#include "app/caller.hpp"
#include "store/repos/jobs.hpp"

#include <string_view>

namespace pawl::app {

// What the use cases of jobs work with. All of it outlives them.
struct JobUses {
    store::Jobs& jobs;
};

// An error when the tenant has no such job.
asio::awaitable<Result<store::Job>> find_job(JobUses& uses, store::TenantId tenant, Uuid id);

// Nothing more is done; what was done stays. An error when it was over before.
asio::awaitable<Result<store::Job>> cancel_job(
    JobUses& uses, store::TenantId tenant, Uuid id, std::string by
);

Error no_job(std::string_view id);

}  // namespace pawl::app
