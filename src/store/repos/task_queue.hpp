#pragma once

#include "base/clock.hpp"
#include "pg/pool.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

namespace asio = boost::asio;
namespace json = boost::json;

// A row of queues.task that this worker has taken.
struct QueuedTask {
    std::int64_t id = 0;
    std::string type;  // db_function, email, sms
    json::object payload;
    int deliveries = 1;   // this one included
    std::string problem;  // why it cannot be carried out; empty: none
};

struct TaskError {
    std::int64_t task = 0;
    std::string stage;  // task, db_function, before_handler, send, success_handler, error_handler
    std::string function;  // empty: none
    std::string message;
    json::object details;
};

// The queue of tasks in the database, seen as worker_service_user. `pool` is the engine's;
// functions run on connections of `functions`, since they may take long. Both outlive this.
class TaskQueue {
public:
    TaskQueue(pg::Pool& pool, pg::Pool& functions) : pool_(pool), functions_(functions) {}

    asio::awaitable<std::vector<QueuedTask>> claim(int limit);

    // internal.run_function, and in the same transaction the note that the task is dealt with.
    // Throws what the function throws.
    asio::awaitable<json::value> run(
        std::string function, json::object payload, std::optional<std::int64_t> finishes
    );
    asio::awaitable<void> finish(std::int64_t task);
    // False when it has been tried often enough, and is over now.
    asio::awaitable<bool> retry(std::int64_t task, Duration delay);
    asio::awaitable<void> record(TaskError error);

    // As the engine itself: removes tasks that were dealt with. Returns how many.
    asio::awaitable<std::int64_t> purge(Duration keep, int batch);

private:
    pg::Pool& pool_;
    pg::Pool& functions_;
};

}  // namespace pawl::store
