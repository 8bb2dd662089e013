#include "pg/pg_error.hpp"
#include "store/pg/pg_batches.hpp"
#include "store/pg/pg_store.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <algorithm>
#include <set>

namespace pawl::store {

namespace {

constexpr std::string_view head_changed = "PW002";

// How long a batch of a worker waits for a transaction that is held open. Nothing of it was started
// then: the worker sends its tenants apart.
constexpr Duration worker_patience = std::chrono::milliseconds(250);

bool names_head(const NewRun& run) {
    return run.head != 0;
}

bool names_heads(const StartBatch& batch) {
    return !batch.resend && std::any_of(batch.runs.begin(), batch.runs.end(), names_head);
}

pg::Statement assert_heads(const StartBatch& batch) {
    std::set<std::pair<WorkflowId, std::int64_t>> heads;
    for (const NewRun& run : batch.runs) {
        if (names_head(run)) heads.emplace(run.workflow, run.head);
    }
    pg::Array workflow(pg::Type::int4), stamp(pg::Type::int8);
    for (const auto& head : heads) {
        workflow.add(head.first);
        stamp.add(head.second);
    }
    pg::Statement statement;
    statement.query = &queries::assert_heads;
    statement.params.add(std::move(workflow)).add(std::move(stamp));
    return statement;
}

// Whether one of them may meet a row that another transaction has not committed.
bool may_wait(const StartBatch& batch) {
    return std::any_of(batch.runs.begin(), batch.runs.end(), [](const NewRun& run) {
        return !run.correlation.empty() || !run.subject.empty() || !run.flow.is_null();
    });
}

pg::Statement limit_waits(Duration patience) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(patience).count();
    pg::Statement statement;
    statement.query = &queries::limit_waits;
    statement.params.add(std::string_view(std::to_string(ms)));
    return statement;
}

// Takes those that name a head out of the batch: they are not started.
std::vector<Existing> take_outdated(StartBatch& batch) {
    std::vector<Existing> outdated;
    for (const NewRun& run : batch.runs) {
        if (names_head(run)) outdated.push_back({run.id, RunId{}});
    }
    std::erase_if(batch.runs, names_head);
    return outdated;
}

bool was_there(const Existing& one) {
    return !one.queued() && !one.outdated() && !one.kept_out;
}

}  // namespace

std::vector<Existing> PgStore::started(const StartBatch& batch, const pg::Rows& answer) {
    std::vector<Existing> existing;
    for (int row = 0; row < answer.size(); ++row) {
        if (answer.is_null(row, 0)) {
            known_rows_.learn(batch, answer.text(row, 2));
        } else {
            const bool kept_out = answer.is_null(row, 1);
            const RunId there = kept_out ? RunId{} : RunId{answer.uuid(row, 1)};
            existing.push_back({RunId{answer.uuid(row, 0)}, there, kept_out});
        }
    }
    return existing;
}

asio::awaitable<std::vector<Existing>> PgStore::start_at_once(
    const StartBatch& batch, std::optional<pg::Statement> then
) {
    std::vector<pg::Statement> statements;
    // Only a server's own starts wait longer; those of a worker are of many tenants.
    if (!then && may_wait(batch)) statements.push_back(limit_waits(worker_patience));
    if (names_heads(batch)) statements.push_back(assert_heads(batch));
    const std::size_t place = statements.size();
    statements.push_back({&start_query(batch), start_params(batch)});
    if (then) statements.push_back(std::move(*then));
    if (statements.size() == 1) {
        const auto rows = co_await run(*statements[0].query, std::move(statements[0].params));
        co_return started(batch, rows);
    }
    auto connection = co_await pool_.acquire();
    const auto results = co_await connection->run_all(std::move(statements), call_limit);
    co_return started(batch, results[place]);
}

asio::awaitable<std::vector<Existing>> PgStore::start_current(
    const StartBatch& batch, std::optional<pg::Statement> then
) {
    try {
        co_return co_await start_at_once(batch, then);
    } catch (const pg::PgError& error) {
        if (error.detail().sqlstate != head_changed) throw;
    }
    // The batch failed as a whole. Starts that name a head are outdated; the others are sent again.
    StartBatch rest = batch;
    std::vector<Existing> existing = take_outdated(rest);
    if (rest.runs.empty()) co_return existing;
    for (const Existing& one : co_await start_at_once(rest, std::move(then))) {
        existing.push_back(one);
    }
    co_return existing;
}

asio::awaitable<std::vector<Existing>> PgStore::start_and(
    const StartBatch& batch, std::optional<pg::Statement> then
) {
    std::vector<Existing> existing = co_await start_current(batch, std::move(then));
    if (batch.resend || std::any_of(existing.begin(), existing.end(), was_there)) {
        co_await confirm_found(pool_);
    }
    co_return existing;
}

asio::awaitable<std::vector<Existing>> PgStore::start_runs(const StartBatch& batch) {
    return start_and(batch, std::nullopt);
}

asio::awaitable<std::vector<Existing>> PgStore::start_runs_and_notify(const StartBatch& batch) {
    return start_and(batch, wake_for_runs());
}

}  // namespace pawl::store
