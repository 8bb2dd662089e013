#include "app/doctor/checks.hpp"

#include "base/error.hpp"
#include "base/spoken.hpp"
#include "store/pg/migrate.hpp"
#include "store/queries.gen.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <iterator>

namespace pawl::app {

namespace {

constexpr Duration limit = std::chrono::seconds(20);
constexpr std::int16_t only_bucket = 0;
constexpr double backlog_age_s_max = 60;

Duration seconds(double count) {
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(count));
}

Verdict verdict_of(const std::string& text) {
    return text == "ok" ? Verdict::ok : text == "warn" ? Verdict::warn : Verdict::fail;
}

// What a row names, as text: numbers are written as its sentence has them.
json::object texts_of(const json::value& row) {
    json::object texts;
    for (const auto& [name, value] : row.as_object()) {
        if (value.is_null()) continue;
        texts[name] = value.is_string() ? value : json::value(json::serialize(value));
    }
    return texts;
}

void append(std::vector<Finding>& all, std::vector<Finding> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
}

asio::awaitable<std::vector<Finding>> one(asio::awaitable<Finding> check) {
    std::vector<Finding> findings;
    findings.push_back(co_await std::move(check));
    co_return findings;
}

// A check that throws has found something as well.
asio::awaitable<std::vector<Finding>> attempt(
    std::string name, asio::awaitable<std::vector<Finding>> check
) {
    try {
        co_return co_await std::move(check);
    } catch (const Failure& failure) {
        std::vector<Finding> findings;
        findings.push_back(
            {name,
             Verdict::fail,
             failure.error().message,
             "pawl doctor, with the same login, says more",
             "check_failed",
             {{"error", failure.error().message}}}
        );
        co_return findings;
    }
}

}  // namespace

const std::vector<RowCheck>& row_checks() {
    using Takes = RowCheck::Takes;
    namespace queries = store::queries;
    static const std::vector<RowCheck> all = {
        {"server", queries::doctor_server, Takes::nothing},
        {"settings", queries::doctor_settings, Takes::nothing},
        {"roles", queries::doctor_roles, Takes::nothing},
        {"connections", queries::doctor_connections, Takes::nothing},
        {"snapshots", queries::doctor_snapshots, Takes::patience},
        {"partitions", queries::doctor_partitions, Takes::nothing},
        {"dead workers", queries::doctor_dead_workers, Takes::bucket_and_patience},
        {"stuck runs", queries::doctor_stuck_runs, Takes::bucket_and_patience},
        {"lag", queries::doctor_lag, Takes::bucket_and_patience},
        {"closed runs", queries::doctor_closed_runs, Takes::bucket},
        {"limits", queries::doctor_flow, Takes::bucket},
        {"watches", queries::doctor_watches, Takes::nothing},
        {"webhooks", queries::doctor_webhooks, Takes::bucket_and_patience},
    };
    return all;
}

asio::awaitable<std::vector<Finding>> check_rows(
    pg::Connection& connection, RowCheck check, Duration patience
) {
    using Takes = RowCheck::Takes;
    pg::Params params;
    if (check.takes == Takes::bucket || check.takes == Takes::bucket_and_patience)
        params.add(only_bucket);
    if (check.takes == Takes::patience || check.takes == Takes::bucket_and_patience)
        params.add(patience);
    const auto rows = co_await connection.run(check.query, std::move(params), limit);
    std::vector<Finding> findings;
    for (int row = 0; row < rows.size(); ++row) {
        findings.push_back(
            {check.name,
             verdict_of(rows.text(row, 0)),
             rows.text(row, 1),
             rows.text(row, 2),
             rows.text(row, 3),
             texts_of(rows.jsonb(row, 4))}
        );
    }
    co_return findings;
}

asio::awaitable<Finding> check_migrations(pg::Connection& connection) {
    const auto schema = co_await store::schema_status(connection);
    const auto total = schema.files.size();
    Finding finding{
        "migrations",
        Verdict::ok,
        fmt::format("all {} applied", total),
        "",
        "migrated",
        {{"count", std::to_string(total)}}};
    if (schema.pending_files() > 0) {
        finding.detail = fmt::format("{} of {} pending", schema.pending_files(), total);
        finding.code = "migrations_pending";
        finding.values["pending"] = std::to_string(schema.pending_files());
    } else if (schema.pending_texts() > 0) {
        finding.detail =
            fmt::format("{} files of functions and views differ", schema.pending_texts());
        finding.code = "functions_differ";
        finding.values["count"] = std::to_string(schema.pending_texts());
    } else {
        co_return finding;
    }
    finding.verdict = Verdict::fail;
    finding.next = "pawl migrate up";
    co_return finding;
}

asio::awaitable<std::vector<Finding>> check_health(store::PgStore& store) {
    const auto health = co_await store.health(0);
    Finding workers{
        "workers",
        Verdict::ok,
        fmt::format("{} at work", health.workers),
        "",
        "workers",
        {{"count", std::to_string(health.workers)}}};
    if (health.workers == 0) {
        workers.verdict = Verdict::warn;
        workers.detail = "none at work";
        workers.next = "pawl worker";
        workers.code = "no_workers";
    }
    const auto ready = static_cast<std::uint64_t>(health.ready);
    Finding backlog{
        "backlog",
        Verdict::ok,
        counted(ready, "run"),
        "",
        "backlog",
        {{"count", std::to_string(ready)}}};
    backlog.detail += ready == 1 ? " is due" : " are due";
    if (health.oldest_ready_age_s > backlog_age_s_max) {
        backlog.verdict = Verdict::warn;
        const std::string age = human_duration(seconds(health.oldest_ready_age_s));
        backlog.detail += ", the oldest for " + age;
        backlog.code = "backlog_old";
        backlog.values["age"] = age;
        backlog.next = "start more workers, or see what the present ones do: /metrics";
    }
    std::vector<Finding> findings;
    findings.push_back(std::move(workers));
    findings.push_back(std::move(backlog));
    co_return findings;
}

asio::awaitable<Finding> check_queues(pg::Connection& connection) {
    const auto rows = co_await connection.run(store::queries::queue_provider, {}, limit);
    Finding finding{
        "queues",
        Verdict::ok,
        "pgmq: " + rows.text(0, 0),
        "",
        "queues",
        {{"provider", rows.text(0, 0)}}};
    if (!rows.boolean(0, 1)) {
        finding.verdict = Verdict::warn;
        finding.detail += "; workflow_queue or workflow_dlq is not there";
        finding.code = "queues_missing";
        finding.next =
            "select pgmq.create('workflow_queue'), pgmq.create('workflow_dlq'), if messages should "
            "start runs and failed runs should be sent";
    }
    co_return finding;
}

asio::awaitable<std::vector<Finding>> examine_database(
    pg::Pool& pool, store::PgStore& store, Duration patience
) {
    std::vector<Finding> all;
    auto connection = co_await pool.acquire();
    append(all, co_await attempt("migrations", one(check_migrations(*connection))));
    // The rest looks at tables that may not be there.
    if (all.back().verdict == Verdict::fail) co_return all;
    append(all, co_await attempt("health", check_health(store)));
    for (const RowCheck& check : row_checks()) {
        append(all, co_await attempt(check.name, check_rows(*connection, check, patience)));
    }
    append(all, co_await attempt("queues", one(check_queues(*connection))));
    co_return all;
}

}  // namespace pawl::app
