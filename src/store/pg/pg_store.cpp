#include "store/pg/pg_store.hpp"

#include "base/log.hpp"
#include "store/pg/pg_batches.hpp"
#include "store/pg/pg_project.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <set>

namespace pawl::store {

namespace {

pg::Params held_by(Bucket bucket, WorkerId worker, const std::vector<RunId>& held) {
    pg::Array runs(pg::Type::uuid);
    for (const RunId& run_id : held) runs.add(run_id.uuid);
    pg::Params params;
    params.add(bucket).add(worker.uuid).add(std::move(runs));
    return params;
}

}  // namespace

asio::awaitable<pg::Rows> PgStore::run(const pg::Query& query, pg::Params params) {
    co_return co_await call(pool_, query, std::move(params));
}

asio::awaitable<Claimed> PgStore::claim_runs(ClaimParams params) {
    pg::Params given;
    given.add(params.bucket).add(params.worker.uuid).add(params.limit);
    given.add(static_cast<std::int32_t>(params.turn & 0x7fffffffU));
    if (params.beside) {
        pg::Array tenants(pg::Type::int4);
        for (const TenantId tenant : *params.beside) tenants.add(tenant);
        given.add(beside_each).add(std::move(tenants));
    }
    const auto& query = params.beside ? queries::claim_runs_beside : queries::claim_runs;
    const auto rows = co_await run(query, std::move(given));
    co_return claimed_of(rows);
}

asio::awaitable<std::vector<LogRow>> PgStore::leased_runs(
    Bucket bucket, WorkerId worker, std::vector<RunId> held
) {
    auto params = held_by(bucket, worker, held);
    co_return log_rows(co_await run(queries::leased_runs, std::move(params)));
}

Instant PgStore::committed_at(
    const CommitBatch& batch, const std::vector<RunId>& held, const pg::Rows& answer
) {
    if (!batch.resend) known_rows_.learn(batch, held, answer.text(0, 2));
    if (answer.boolean(0, 1) || batch.resend) on_made_room();
    return answer.instant(0, 0);
}

asio::awaitable<Instant> PgStore::commit_runs(const CommitBatch& batch) {
    const auto held = runs_of(batch);
    auto params = commit_params(batch, held, known_rows_.places_of(held));
    if (batch.projections.empty() && !batch.put_off) {
        const auto rows = co_await run(queries::commit_runs, std::move(params));
        co_return committed_at(batch, held, rows);
    }
    // One transaction, one round trip.
    const Projections& rows = batch.projections;
    std::vector<pg::Statement> statements;
    const auto add = [&](const pg::Query& query, pg::Params given) {
        statements.emplace_back();
        statements.back().query = &query;
        statements.back().params = std::move(given);
    };
    add(queries::commit_runs, std::move(params));
    if (!rows.only_messages()) add(queries::project_runs, project_params(batch));
    if (!rows.messages.empty()) {
        add(queries::project_messages, message_params(batch.bucket, rows.messages));
    }
    if (!rows.left.empty()) add(queries::leave_places, leave_params(batch.bucket, rows.left));
    if (!rows.ends.empty()) add(queries::end_children, end_params(batch.bucket, rows.ends));
    if (!rows.repinned.empty()) add(queries::repin_runs, repin_params(batch.bucket, rows.repinned));
    if (batch.put_off) add(queries::put_off_runs, put_off_params(batch));
    auto connection = co_await pool_.acquire();
    const auto results = co_await connection->run_all(std::move(statements), call_limit);
    co_return committed_at(batch, held, results[0]);
}

asio::awaitable<std::vector<Unclaimable>> PgStore::put_off_unclaimable(
    Bucket bucket, WorkerId worker, int limit
) {
    pg::Params params;
    params.add(bucket).add(worker.uuid).add(static_cast<std::int32_t>(limit));
    const auto rows = co_await run(queries::put_off_unclaimable, std::move(params));
    std::vector<Unclaimable> found;
    for (int row = 0; row < rows.size(); ++row) {
        found.push_back({RunId{rows.uuid(row, 0)}, rows.text(row, 1)});
    }
    co_return found;
}

asio::awaitable<std::vector<RunId>> PgStore::mend_runs(Bucket bucket, std::vector<RunId> runs) {
    pg::Array given(pg::Type::uuid);
    for (const RunId& run_id : runs) given.add(run_id.uuid);
    const auto rows = co_await run(queries::mend_runs, params_of(bucket, std::move(given)));
    std::vector<RunId> mended;
    for (int row = 0; row < rows.size(); ++row) mended.push_back(RunId{rows.uuid(row, 0)});
    co_return mended;
}

asio::awaitable<std::vector<Signal>> PgStore::pending_signals(
    Bucket bucket, WorkerId worker, std::vector<RunId> held
) {
    auto params = held_by(bucket, worker, held);
    co_return signals_of(co_await run(queries::pending_signals, std::move(params)));
}

asio::awaitable<Instant> PgStore::register_worker(WorkerInfo worker) {
    pg::Params params;
    params.add(worker.id.uuid).add(std::string_view(worker.host)).add(worker.pid);
    params.add(std::string_view(worker.version));
    const auto rows = co_await run(queries::register_worker, std::move(params));
    co_return rows.instant(0, 0);
}

asio::awaitable<Instant> PgStore::heartbeat(WorkerId worker) {
    const auto rows = co_await run(queries::heartbeat, params_of(worker.uuid));
    if (rows.size() == 0) {
        throw Failure(
            {Errc::fenced, "this worker was declared dead", {{"worker", to_string(worker)}}}
        );
    }
    co_return rows.instant(0, 0);
}

asio::awaitable<void> PgStore::retire_worker(WorkerId worker) {
    co_await run(queries::retire_worker, params_of(worker.uuid));
}

namespace {

// Once for each session: the sweep comes every two seconds, of one store for each thread.
void tell_of_silent_sessions(const pg::Rows& sessions) {
    thread_local std::set<std::int32_t> known;
    std::set<std::int32_t> denied;
    for (int row = 0; row < sessions.size(); ++row) {
        const std::int32_t pid = sessions.int4(row, 0);
        if (sessions.boolean(row, 1)) {
            log::warn(
                "a database session was ended: its client fell silent in the middle of a batch",
                {log::field("backend", pid)}
            );
            continue;
        }
        denied.insert(pid);
        if (known.contains(pid)) continue;
        log::warn(
            "a database session holds locks while its client is silent, and this login may not end "
            "it: grant pg_signal_backend to the login, or end it with pg_terminate_backend",
            {log::field("backend", pid)}
        );
    }
    known = std::move(denied);
}

}  // namespace

// What holds a dead worker's row is ended first; the row is free for the next sweep, if not this.
asio::awaitable<std::vector<SweptWorker>> PgStore::sweep_dead_workers(Duration ttl) {
    std::vector<pg::Statement> statements(2);
    statements[0].query = &queries::end_silent_sessions;
    statements[0].params.add(ttl);
    statements[1].query = &queries::sweep_dead_workers;
    statements[1].params.add(ttl);
    auto connection = co_await pool_.acquire();
    const auto results = co_await connection->run_all(std::move(statements), call_limit);
    tell_of_silent_sessions(results[0]);
    const pg::Rows& rows = results[1];
    std::vector<SweptWorker> swept;
    for (int row = 0; row < rows.size(); ++row) {
        swept.push_back({WorkerId{rows.uuid(row, 0)}, rows.int8(row, 1)});
    }
    co_return swept;
}

asio::awaitable<std::vector<Event>> PgStore::load_log(Bucket bucket, RunId run_id) {
    const auto rows = co_await run(queries::load_log, params_of(bucket, run_id.uuid));
    std::vector<Event> log;
    for (int row = 0; row < rows.size(); ++row) log.push_back(event_of(rows, row, 0));
    co_return log;
}

asio::awaitable<bool> PgStore::request_cancel(Bucket bucket, RunId run_id, CancelOrder order) {
    const auto rows = co_await run(
        queries::request_cancel, params_of(bucket, run_id.uuid, order.reason, order.force)
    );
    const bool asked = rows.boolean(0, 0);
    if (!asked) co_await confirm_found(pool_);  // that it is closed
    co_return asked;
}

asio::awaitable<bool> PgStore::enter_lock(LockPlace place) {
    pg::Params params;
    params.add(place.tenant.bucket).add(place.tenant.id).add(std::string_view(place.key));
    params.add(place.run.uuid).add(static_cast<std::int32_t>(place.token));
    const auto rows = co_await run(queries::enter_lock, std::move(params));
    co_return rows.boolean(0, 0);
}

asio::awaitable<void> PgStore::leave_lock(LockPlace place) {
    const LeavePlace left{place.run, place.token, std::move(place.key)};
    co_await run(queries::leave_places, leave_params(place.tenant.bucket, {left}));
}

asio::awaitable<Health> PgStore::health(Bucket bucket) {
    const auto rows = co_await run(queries::health, params_of(bucket));
    co_return Health{rows.int8(0, 0), rows.float8(0, 1), rows.float8(0, 2), rows.int8(0, 3)};
}

asio::awaitable<void> PgStore::notify_workers(Bucket bucket) {
    co_await run(queries::notify_workers, params_of(std::string_view(std::to_string(bucket))));
}

asio::awaitable<int> PgStore::ensure_partitions(int weeks_ahead) {
    const auto rows = co_await run(queries::ensure_partitions, params_of(weeks_ahead));
    co_return rows.int4(0, 0);
}

}  // namespace pawl::store
