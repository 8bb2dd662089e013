#pragma once

#include "app/versions/version_uses.hpp"
#include "store/repos/bulk.hpp"

namespace pawl::app {

// Versions as they were written: numbers or labels.
struct MigrateParams {
    std::string workflow;
    std::string to;
    std::vector<std::string> from;  // empty: all others
    store::RunMigration migration;  // but for its versions
    store::RunFilter filter;        // fits a migration (store::fitting)
};

// A job that brings runs to another version, or only finds out what that would mean.
asio::awaitable<Result<store::Job>> migrate_runs(
    VersionUses& uses, Caller caller, MigrateParams params
);

struct RollbackParams {
    std::string workflow;
    std::string to;                 // empty: the head before this one
    bool repin = false;             // runs of the head go back too
    store::RunMigration migration;  // but for its versions
};
struct RolledBack {
    store::WorkflowVersion head;
    std::optional<store::Job> job;  // of the runs
};
asio::awaitable<Result<RolledBack>> roll_back(
    VersionUses& uses, Caller caller, RollbackParams params
);

}  // namespace pawl::app
