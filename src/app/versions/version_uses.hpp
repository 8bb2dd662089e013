#pragma once

#include "app/audiences/audiences.hpp"
#include "app/caller.hpp"
#include "app/jobs/job_runner.hpp"
#include "app/runs/programs.hpp"
#include "model/problems.hpp"
#include "store/pg/pg_store.hpp"
#include "store/repos/actions.hpp"
#include "store/repos/drafts.hpp"
#include "store/repos/jobs.hpp"
#include "store/repos/messages.hpp"
#include "store/repos/version_store.hpp"

#include <functional>
#include <string>
#include <vector>

namespace pawl::app {

// What is wrong with the programs in a definition; unset: they are not compiled here.
using CheckPrograms =
    std::function<asio::awaitable<std::vector<Problem>>(Definition, store::TenantId)>;

// What the use cases of workflows and their versions work with. All of it outlives them.
struct VersionUses {
    store::PgStore& store;
    store::Versions& versions;
    store::Jobs& jobs;
    Programs& programs;
    JobRunner& job_runner;
    const CheckPrograms& check_programs;
    store::Drafts& drafts;
    Audiences& audiences;
    store::Messages& messages;
    store::Actions& actions;
};

// The head of a workflow; an error when there is none.
asio::awaitable<Result<store::WorkflowVersion>> find_workflow(
    VersionUses& uses, store::TenantId tenant, std::string name
);
// The number of a version that is written as a number or a label.
asio::awaitable<Result<std::int32_t>> version_number(
    VersionUses& uses, store::TenantId tenant, std::string name, std::string written
);
asio::awaitable<Result<store::WorkflowVersion>> find_version(
    VersionUses& uses, store::TenantId tenant, std::string name, std::string written
);
Error no_workflow(const std::string& name);

// Statements run with the rights of a login that the caller who publishes or activates them need
// not have: an error for callers that are no admin.
Result<void> check_sql_steps(const Caller& caller, const Definition& definition);
// The same for a version that is there; without a number, for the newest.
asio::awaitable<Result<void>> check_sql_version(
    VersionUses& uses, Caller caller, std::string name, std::optional<std::int32_t> number
);

}  // namespace pawl::app
