#include "store/repos/task_queue.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/pg/version_rows.hpp"
#include "store/queries.gen.hpp"

#include <utility>

namespace pawl::store {

namespace {

constexpr const char* worker_role = "worker_service_user";
// Shorter than the lease of a task that is a function: when it comes again, the first is over.
constexpr const char* function_timeout_ms = "25000";

pg::Statement statement(const pg::Query& query, pg::Params params) {
    pg::Statement made;
    made.query = &query;
    made.params = std::move(params);
    return made;
}

// The role and the limits last as long as the transaction, whatever it runs into.
std::vector<pg::Statement> as_worker() {
    std::vector<pg::Statement> statements;
    statements.push_back(statement(
        queries::limit_transaction, pg::Params().add(function_timeout_ms).add(function_timeout_ms)
    ));
    statements.push_back(statement(queries::become_role, pg::Params().add(worker_role)));
    return statements;
}

asio::awaitable<pg::Rows> call_as_worker(
    pg::Pool& pool, const pg::Query& query, pg::Params params
) {
    std::vector<pg::Statement> statements = as_worker();
    statements.push_back(statement(query, std::move(params)));
    auto connection = co_await pool.acquire();
    auto rows = co_await connection->run_all(std::move(statements), call_limit);
    co_return std::move(rows.back());
}

}  // namespace

asio::awaitable<std::vector<QueuedTask>> TaskQueue::claim(int limit) {
    const auto rows = co_await call_as_worker(pool_, queries::claim_tasks, params_of(limit));
    std::vector<QueuedTask> tasks;
    tasks.reserve(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) {
        QueuedTask& task = tasks.emplace_back();
        task.id = rows.int8(row, 0);
        task.type = rows.text(row, 1);
        const auto payload = rows.readable_jsonb(row, 2);
        if (!payload) {
            task.problem = unreadable("its payload");
        } else if (!payload->is_object()) {
            task.problem = "its payload is not an object";
        } else {
            task.payload = payload->get_object();
        }
        task.deliveries = rows.int4(row, 3);
    }
    co_return tasks;
}

asio::awaitable<json::value> TaskQueue::run(
    std::string function, json::object payload, std::optional<std::int64_t> finishes
) {
    std::vector<pg::Statement> statements = as_worker();
    pg::Params params;
    params.add(std::string_view(function)).add_json(std::move(payload));
    statements.push_back(statement(queries::run_function, std::move(params)));
    const std::size_t place = statements.size() - 1;
    if (finishes) {
        // The function may have changed the role.
        statements.push_back(statement(queries::become_role, pg::Params().add(worker_role)));
        statements.push_back(statement(queries::finish_task, pg::Params().add(*finishes)));
    }
    auto connection = co_await functions_.acquire();
    const auto rows = co_await connection->run_all(std::move(statements), call_limit);
    co_return rows[place].jsonb(0, 0);
}

asio::awaitable<void> TaskQueue::finish(std::int64_t task) {
    co_await call_as_worker(pool_, queries::finish_task, pg::Params().add(task));
}

asio::awaitable<bool> TaskQueue::retry(std::int64_t task, Duration delay) {
    const auto rows = co_await call_as_worker(pool_, queries::retry_task, params_of(task, delay));
    co_return rows.boolean(0, 0);
}

asio::awaitable<void> TaskQueue::record(TaskError error) {
    pg::Params params;
    params.add(error.task).add(std::string_view(error.stage)).add(some(error.function));
    params.add(std::string_view(error.message)).add_json(std::move(error.details));
    co_await call_as_worker(pool_, queries::record_task_error, std::move(params));
}

asio::awaitable<std::int64_t> TaskQueue::purge(Duration keep, int batch) {
    const auto rows = co_await call(pool_, queries::purge_tasks, params_of(keep, batch));
    co_return rows.int4(0, 0);
}

}  // namespace pawl::store
