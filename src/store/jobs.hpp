#pragma once

#include "pg/pool.hpp"
#include "store/dead_letters.hpp"
#include "store/store.hpp"

namespace pawl::store {

// Work that takes longer than the call that asked for it.
struct Job {
    Uuid id;
    Tenant tenant;
    std::string kind;  // "replay"
    json::value filter;
    std::string status;  // queued, running, done, failed
    std::int64_t total = 0;
    std::int64_t done = 0;
    std::int64_t failed = 0;
    std::string error;  // why the job as a whole failed
    Instant created_at{};
    Instant updated_at{};

    bool is_over() const { return status == "done" || status == "failed"; }
};

// pawl.job. Progress is written with the work, in one transaction: a server that dies in the middle
// loses nothing, and whoever claims the job next repeats nothing. The pool must outlive it.
class Jobs {
public:
    explicit Jobs(pg::Pool& pool) : pool_(pool) {}

    // A job that replays the dead letters that match and are there now. The same id again gives
    // the job that has it; Errc::conflict when that is another tenant's.
    asio::awaitable<Job> create_replay(Uuid id, std::int32_t tenant, DeadLetterFilter filter);
    asio::awaitable<std::optional<Job>> find(std::int32_t tenant, Uuid id);
    // The oldest job that nobody works on; it is the caller's for that long.
    asio::awaitable<std::optional<Job>> claim(Duration lease);
    // Does the next part of a replay and prolongs the lease: looks at up to `limit` dead letters
    // and retries those that match. Workers are told. Returns the job as it is now; none when it is
    // gone.
    asio::awaitable<std::optional<Job>> replay_batch(Job job, int limit, Duration lease);
    // The job as a whole cannot go on.
    asio::awaitable<void> fail(Uuid id, std::string error);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
