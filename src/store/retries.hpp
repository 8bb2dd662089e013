#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

struct Retry {
    RunId run;
    RunId new_run;  // a fresh id for the run that goes on from it
};

// What became of a retry that was asked for.
struct Retried {
    RunId run;
    std::string status;               // of the old run; empty: the tenant has no such run
    std::optional<RunId> retried_as;  // none: it cannot be retried, its status says why
    bool created = false;             // false: somebody had retried it before
};

// New runs that go on where failed or cancelled ones stopped. The pool must outlive it.
class Retries {
public:
    explicit Retries(pg::Pool& pool) : pool_(pool) {}

    // All of them in one transaction, answered in the order of the old ids; workers are told. May
    // be sent again when the outcome is unknown: a run is retried once.
    asio::awaitable<std::vector<Retried>> retry(Tenant tenant, std::vector<Retry> retries);

    // A new run with the log of another up to (without) event `before`, and with `input` unless
    // that is null; workers are told. False: the tenant has no such run.
    // `released`: the records that the other has undone since.
    asio::awaitable<bool> rerun_from(
        Tenant tenant,
        Retry rerun,
        std::int32_t before,
        json::value input,
        json::array released = {}
    );

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
