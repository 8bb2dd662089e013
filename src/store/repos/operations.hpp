#pragma once

#include "base/json.hpp"
#include "pg/pool.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pawl::store {

// What a worker tells of one target.
struct CircuitReport {
    TenantId tenant = 1;
    std::string target;
    std::string state;  // closed, open, half_open
    std::int64_t opened = 0;
    Duration wait{};
    std::string error;
};

// What it is told.
struct WorkerOrders {
    bool draining = false;
    std::vector<std::pair<TenantId, std::string>> close;  // targets whose circuit is to be closed
};

// What operators see and steer: workers, circuits, queues, where people are. Documents are as the
// API shows them. The pool must outlive it.
class Operations {
public:
    explicit Operations(pg::Pool& pool) : pool_(pool) {}

    // Of a worker itself, every other second.
    asio::awaitable<WorkerOrders> report(
        WorkerId worker, bool resting, std::int32_t runs, std::vector<CircuitReport> circuits
    );

    // Of the whole database.
    asio::awaitable<std::vector<json::object>> workers();
    // False: there is no such worker, or it does not listen yet.
    asio::awaitable<bool> drain(WorkerId worker, bool drain);

    asio::awaitable<std::vector<json::object>> circuits(TenantId tenant, std::string target = "");
    // How many workers were asked to.
    asio::awaitable<std::int32_t> close_circuit(TenantId tenant, std::string target);

    // Of the whole database: those of Pawl first, then those of pgmq.
    asio::awaitable<std::vector<json::object>> queues(Bucket bucket);
    asio::awaitable<bool> has_queue(std::string name);
    // The oldest messages after that one.
    asio::awaitable<std::vector<json::object>> peek(
        std::string name, std::int64_t after, std::int32_t limit
    );
    asio::awaitable<std::int64_t> purge(std::string name);

    // {source, redacted}: where people are (null: in Pawl), and which of their columns are hidden.
    asio::awaitable<json::object> person_source(TenantId tenant);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
