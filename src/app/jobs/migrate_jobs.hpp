#pragma once

#include "app/runs/programs.hpp"
#include "store/repos/bulk.hpp"
#include "store/repos/jobs.hpp"
#include "store/repos/version_store.hpp"

namespace pawl::app {

// The part of bulk jobs that brings runs to another version: finds out what that means for each, by
// folding its log. The re-pin itself is a message that the run's next holder reacts to. What it
// refers to must outlive it.
class MigrateJobs {
public:
    MigrateJobs(store::Jobs& jobs, Programs& programs, store::Versions& versions)
        : jobs_(jobs), programs_(programs), versions_(versions) {}

    // Those of `runs` that are of the versions in question and can go on or are to end, with what
    // stands against the others, and counts of all.
    asio::awaitable<store::BulkPart> judge(
        store::Job job, store::BulkPart part, std::vector<store::RunSummary> runs
    );
    // When all were looked at: the old versions are retired, if that was asked for.
    asio::awaitable<void> finish(store::Job job);

private:
    store::Jobs& jobs_;
    Programs& programs_;
    store::Versions& versions_;
};

}  // namespace pawl::app
