#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <string>
#include <vector>

namespace pawl::store {

// How a run of an organization's batch is now.
struct BatchRun {
    RunId run;
    std::string status;  // open: not yet done; waiting: nothing can be done for it now; or its end
    std::string error;
    std::int32_t last_seq = 0;  // of its log
    bool moved = false;         // something has happened to it since the caller began to wait

    // Nothing more can be done for it now, though what could be was.
    bool is_settled() const { return status != "open"; }
    bool is_done() const { return is_settled() && moved; }
};

// A message of an organization that has started no run: waiting to be read, tried in vain, or dead.
struct BatchMessage {
    std::string state;
    std::string execution;
    std::string problem;
};

// Document 004: what is due for one organization, done by one caller at a time. The pool must
// outlive it.
class Organizations {
public:
    explicit Organizations(pg::Pool& pool) : pool_(pool) {}

    // The id that other systems know the tenant by.
    asio::awaitable<Uuid> id_of(Tenant tenant);
    // False when another process has the place; it is lost after `at_most`.
    asio::awaitable<bool> enter(Tenant tenant, Duration at_most);
    asio::awaitable<void> leave(Tenant tenant, std::size_t batch_size);

    // Whether a worker is alive that could do it.
    asio::awaitable<bool> has_workers();
    asio::awaitable<std::vector<RunId>> to_do(Tenant tenant, int limit);
    asio::awaitable<std::vector<BatchRun>> look(Tenant tenant, std::vector<RunId> runs);
    // Those that were given up count when that was within the last `within`.
    asio::awaitable<std::vector<BatchMessage>> messages(Tenant tenant, Duration within);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
