#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

struct Retry {
    RunId run;
    RunId new_run;  // a fresh id for the run that goes on from it
};

struct Rerun {
    RunId run;
    RunId new_run;
    std::int32_t before = 0;
    json::value input = {};     // null: that of the other
    json::array released = {};  // the records that the other has undone since
    std::string key = {};       // asked for again, it is made once; empty: as often as asked
};

// The outcome of a retry that was asked for.
struct Retried {
    RunId run;
    std::string status;               // of the old run; empty: the tenant has no such run
    std::optional<RunId> retried_as;  // none: it cannot be retried, its status says why
    bool created = false;             // false: it had been retried before
};

// New runs that go on where failed or cancelled ones stopped. The pool must outlive it.
class Retries {
public:
    explicit Retries(pg::Pool& pool) : pool_(pool) {}

    // All of them in one transaction, answered in the order of the old ids; notifies workers. May
    // be sent again when the outcome is unknown: a run is retried once.
    asio::awaitable<std::vector<Retried>> retry(Tenant tenant, std::vector<Retry> retries);

    // A new run with the log of another up to (without) event `before`; notifies workers. Returns
    // it, or the run that was made with the same key before; none: the tenant has no such run.
    asio::awaitable<std::optional<RunId>> rerun_from(Tenant tenant, Rerun rerun);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
