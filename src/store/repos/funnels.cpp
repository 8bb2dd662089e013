#include "store/repos/funnels.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <algorithm>
#include <iterator>

namespace pawl::store {

using pg::Params;

namespace {

// Transactions of one look, and runs of one step of a walk over the log.
constexpr std::int32_t look_transactions = 2000;
constexpr std::int32_t look_runs = 1000;
// One transaction may have started a million runs, and is counted as a whole.
constexpr Duration look_limit = std::chrono::minutes(10);

constexpr std::int16_t status_number(std::string_view state) {
    if (state == "completed") return 1;
    if (state == "failed") return 2;
    return state == "cancelled" ? 3 : 0;
}

Projection projection_of(const pg::Rows& rows, int row) {
    Projection one;
    pg::RowReader(rows, row) >> one.name >> one.bucket >> one.rebuilding >> one.counted >>
        one.started_at >> one.looked_at >> one.complete_since >> one.goals_pending >>
        one.transactions_behind;
    return one;
}

PersonPlace place_in(const pg::Rows& rows, int row) {
    return {
        RunId{rows.uuid(row, 0)},
        rows.int4(row, 1),
        rows.int4(row, 2),
        rows.text(row, 3),
        rows.text(row, 4),
        rows.instant(row, 5),
        rows.text(row, 6)};
}

pg::Array texts(const std::vector<std::string>& all) {
    pg::Array list(pg::Type::text);
    for (const std::string& one : all) list.add(std::string_view(one));
    return list;
}

}  // namespace

asio::awaitable<std::optional<Projected>> Funnels::project(Bucket bucket) {
    Params params;
    params.add(bucket).add(look_transactions).add(look_runs);
    auto connection = co_await pool_.acquire(0);
    const auto rows =
        co_await connection->run(queries::project_funnels, std::move(params), look_limit);
    if (rows.size() == 0 || rows.is_null(0, 0)) co_return std::nullopt;
    co_return Projected{rows.int8(0, 0), rows.boolean(0, 1)};
}

asio::awaitable<void> Funnels::summarize() {
    co_await call(pool_, queries::summarize_log, Params());
}

asio::awaitable<std::vector<GoalDoubt>> Funnels::doubts(Bucket bucket, int limit) {
    Params params;
    params.add(bucket).add(std::int32_t{limit});
    const auto rows = co_await call(pool_, queries::goal_doubts, std::move(params));
    std::vector<GoalDoubt> all;
    for (int row = 0; row < rows.size(); ++row) {
        GoalDoubt one;
        one.run = RunId{rows.uuid(row, 0)};
        one.goal = rows.text(row, 1);
        one.event_id = rows.int8(row, 2);
        if (!rows.is_null(row, 3)) one.filter = rows.jsonb(row, 3);
        one.event = rows.jsonb(row, 4);
        all.push_back(std::move(one));
    }
    co_return all;
}

asio::awaitable<void> Funnels::settle(Bucket bucket, std::vector<GoalDoubt> doubts) {
    pg::Array run(pg::Type::uuid), goal(pg::Type::text), event(pg::Type::int8),
        passes(pg::Type::boolean);
    for (const GoalDoubt& one : doubts) {
        run.add(one.run.uuid);
        goal.add(std::string_view(one.goal));
        event.add(std::int64_t{one.event_id});
        passes.add(one.passes);
    }
    Params params;
    params.add(bucket).add(std::move(run)).add(std::move(goal)).add(std::move(event));
    params.add(std::move(passes));
    co_await call(pool_, queries::settle_doubts, std::move(params));
}

asio::awaitable<int> Funnels::rebuild() {
    auto connection = co_await pool_.acquire(0);
    const auto rows = co_await connection->run(queries::rebuild_funnels, Params(), look_limit);
    co_return rows.size();
}

asio::awaitable<std::vector<Projection>> Funnels::projections() {
    const auto rows = co_await call(pool_, queries::projections, Params());
    co_return pg::all_rows(rows, projection_of);
}

asio::awaitable<FunnelCounts> Funnels::counts(Tenant tenant, FunnelFilter filter) {
    std::vector<pg::Statement> statements(5);
    statements[0].query = &queries::funnel_rows;
    statements[0].params.add(tenant.id).add(filter.workflow).add(filter.from).add(filter.to);
    statements[0].params.add(filter.version).add(some(filter.by));
    statements[1].query = &queries::funnel_people_of;
    statements[1].params.add(tenant.id).add(filter.workflow).add(filter.from).add(filter.to);
    statements[1].params.add(some(filter.by));
    statements[2].query = &queries::funnel_now;
    statements[2].params.add(tenant.id).add(filter.workflow).add(filter.version);
    statements[3].query = &queries::funnels_as_of;
    statements[3].params.add(tenant.bucket);
    statements[4].query = &queries::workflow_counted;
    statements[4].params.add(tenant.id).add(filter.workflow);
    const auto results = co_await call_all_as(pool_, tenant.id, std::move(statements));
    FunnelCounts counts;
    for (int row = 0; row < results[0].size(); ++row) {
        const pg::Rows& rows = results[0];
        counts.rows.push_back(
            {rows.text(row, 0),
             rows.text(row, 1),
             rows.text(row, 2),
             rows.text(row, 3),
             rows.int8(row, 4)}
        );
    }
    for (int row = 0; row < results[1].size(); ++row) {
        counts.people.push_back({results[1].text(row, 0), "", "", "", results[1].int8(row, 1)});
    }
    for (int row = 0; row < results[2].size(); ++row) {
        const pg::Rows& rows = results[2];
        counts.now.push_back(
            {"", rows.text(row, 0), rows.text(row, 1), rows.text(row, 2), rows.int8(row, 3)}
        );
    }
    if (results[3].size() > 0) {
        counts.as_of = results[3].instant(0, 0);
        counts.rebuilding = results[3].boolean(0, 1);
    }
    if (results[4].size() > 0) {
        counts.counted = results[4].boolean(0, 0);
        counts.counted_from = results[4].instant_or_none(0, 1);
    }
    co_return counts;
}

asio::awaitable<void> Funnels::count_workflow(Tenant tenant, std::string name) {
    Params params;
    params.add(name);
    co_await call_as(pool_, tenant.id, queries::count_workflow, std::move(params));
}

asio::awaitable<std::vector<PersonPlace>> Funnels::places(Tenant tenant, PlaceFilter filter) {
    std::vector<PersonPlace> places;
    Params params;
    params.add(tenant.id).add(filter.workflow);
    std::optional<Uuid> after;
    if (filter.after) after = filter.after->run.uuid;
    const std::int16_t status = status_number(filter.state);
    const bool plain = filter.at.empty() && !filter.from && !filter.to;
    if (status != 0 && plain) {
        params.add(status).add(filter.version).add(after).add(tenant.bucket);
        params.add(std::int32_t{filter.limit} + 1);
        const auto rows =
            co_await call_as(pool_, tenant.id, queries::people_out, std::move(params));
        for (int row = 0; row < rows.size(); ++row) {
            places.push_back(
                {RunId{rows.uuid(row, 0)},
                 0,
                 rows.int4(row, 1),
                 "",
                 filter.state,
                 rows.instant(row, 2),
                 rows.text(row, 3)}
            );
        }
        co_return places;
    }
    if (std::find(std::begin(ends_known), std::end(ends_known), filter.state) !=
        std::end(ends_known)) {
        co_return co_await ended(tenant, std::move(filter));
    }
    std::optional<std::string_view> node;
    std::optional<std::int32_t> token;
    if (filter.after) {
        node = filter.after->node;
        token = filter.after->token;
    }
    params.add(some(filter.at)).add(some(filter.state)).add(filter.version).add(node).add(after);
    params.add(token).add(std::int32_t{filter.limit} + 1);
    const auto rows = co_await call_as(pool_, tenant.id, queries::people_at, std::move(params));
    for (int row = 0; row < rows.size(); ++row) places.push_back(place_in(rows, row));
    co_return places;
}

asio::awaitable<std::vector<PersonPlace>> Funnels::ended(Tenant tenant, PlaceFilter filter) {
    std::optional<Uuid> after;
    if (filter.after) after = filter.after->run.uuid;
    Params params;
    params.add(tenant.bucket).add(filter.workflow).add(std::string_view(filter.state));
    params.add(some(filter.at)).add(filter.version).add(filter.from).add(filter.to).add(after);
    params.add(std::int32_t{filter.limit} + 1);
    const auto rows = co_await call_as(pool_, tenant.id, queries::people_ended, std::move(params));
    std::vector<PersonPlace> places;
    for (int row = 0; row < rows.size(); ++row) {
        places.push_back(
            {RunId{rows.uuid(row, 0)},
             0,
             rows.int4(row, 1),
             filter.at,
             rows.text(row, 2),
             rows.instant(row, 3),
             rows.text(row, 4)}
        );
    }
    co_return places;
}

asio::awaitable<std::vector<PersonPlace>> Funnels::places_of(
    Tenant tenant, WorkflowId workflow, std::string node, std::vector<RunId> runs
) {
    pg::Array ids(pg::Type::uuid);
    for (const RunId& run : runs) ids.add(run.uuid);
    Params params;
    params.add(tenant.bucket).add(tenant.id).add(workflow).add(std::move(ids));
    params.add(std::string_view(node));
    const auto rows =
        co_await call_as(pool_, tenant.id, queries::people_of_runs, std::move(params));
    std::vector<PersonPlace> places;
    for (int row = 0; row < rows.size(); ++row) places.push_back(place_in(rows, row));
    co_return places;
}

asio::awaitable<std::map<std::string, RunId>> Funnels::runs_of_keys(
    Tenant tenant, WorkflowId workflow, std::vector<std::string> keys
) {
    Params params;
    params.add(tenant.bucket).add(tenant.id).add(workflow).add(texts(keys));
    const auto rows = co_await call_as(pool_, tenant.id, queries::runs_of_keys, std::move(params));
    std::map<std::string, RunId> runs;
    for (int row = 0; row < rows.size(); ++row) {
        runs.emplace(rows.text(row, 0), RunId{rows.uuid(row, 1)});
    }
    co_return runs;
}

asio::awaitable<std::map<std::string, LastEntry>> Funnels::last_entries(
    Tenant tenant, WorkflowId workflow, std::vector<std::string> subjects
) {
    Params params;
    params.add(tenant.bucket).add(tenant.id).add(workflow).add(texts(subjects));
    const auto rows =
        co_await call_as(pool_, tenant.id, queries::entries_of_subjects, std::move(params));
    std::map<std::string, LastEntry> entries;
    for (int row = 0; row < rows.size(); ++row) {
        entries.emplace(
            rows.text(row, 0), LastEntry{RunId{rows.uuid(row, 1)}, rows.instant(row, 2)}
        );
    }
    co_return entries;
}

asio::awaitable<PastEvents> Funnels::past_events(
    Tenant tenant, std::vector<std::string> names, Duration since, int limit
) {
    Params params;
    params.add(tenant.bucket).add(tenant.id).add(texts(names)).add(since);
    params.add(std::int32_t{limit});
    const auto rows = co_await call_as(pool_, tenant.id, queries::past_events, std::move(params));
    PastEvents past;
    past.until = rows.instant(0, 6);
    past.from = rows.instant(0, 8);
    for (int row = 1; row < rows.size(); ++row) {
        InboxEvent& event = past.events.emplace_back();
        event.tenant = tenant.id;
        event.number = rows.int8(row, 0);
        event.id = rows.text(row, 1);
        event.name = rows.text(row, 2);
        event.key = rows.text(row, 3);
        event.subject = rows.text(row, 4);
        event.source = rows.text(row, 5);
        event.time = rows.instant_or_none(row, 6);
        if (auto data = rows.readable_jsonb(row, 7)) event.data = std::move(*data);
        event.at = rows.instant(row, 8);
    }
    co_return past;
}

}  // namespace pawl::store
