#include "store/repos/inbox.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/pg/version_rows.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

Watch watch_of(const pg::Rows& rows, int row) {
    Watch watch;
    pg::RowReader(rows, row) >> watch.source >> watch.event >> watch.operations >>
        watch.tenant_column >> watch.subject_column >> watch.workflows >> watch.problem;
    return watch;
}

ToldConditions told_of(const pg::Rows& rows, int row, int column) {
    ToldConditions told;
    if (rows.is_null(row, column)) return told;
    const json::value read = rows.jsonb(row, column);
    for (const auto& [place, holds] : read.as_object()) {
        told[std::stoul(std::string(place))] = holds.as_bool();
    }
    return told;
}

}  // namespace

asio::awaitable<InboxPage> Inbox::list(Tenant tenant, InboxFilter filter) {
    pg::Params params;
    params.add(tenant.bucket).add(tenant.id).add(some(filter.name)).add(some(filter.key));
    // One more than asked for tells whether there is a next page.
    params.add(filter.before).add(std::int32_t{filter.limit} + 1).add(filter.scan_max);
    const auto rows = co_await call_as(pool_, tenant.id, queries::list_inbox, std::move(params));
    InboxPage page;
    for (int row = 0; row < rows.size(); ++row) {
        if (rows.is_null(row, 2)) {
            if (!page.next) page.next = rows.int8(row, 0);
        } else if (static_cast<int>(page.events.size()) == filter.limit) {
            if (filter.limit > 0) page.next = page.events.back().number;
        } else {
            InboxEvent& event = page.events.emplace_back();
            event.tenant = tenant.id;
            pg::RowReader(rows, row) >> event.number >> event.id >> event.name >> event.key >>
                event.subject >> event.source >> event.time >> pg::shown(event.data) >> event.at >>
                event.pending >> event.problem;
        }
    }
    co_return page;
}

asio::awaitable<std::vector<TriggeringEvent>> Inbox::claim_triggers(
    Bucket bucket, int limit, Duration lease
) {
    const auto rows =
        co_await call(pool_, queries::claim_triggers, params_of(bucket, limit, lease));
    std::vector<TriggeringEvent> events;
    for (int row = 0; row < rows.size(); ++row) {
        const std::int64_t number = rows.int8(row, 0);
        if (events.empty() || events.back().event.number != number) {
            InboxEvent& event = events.emplace_back().event;
            pg::RowReader(rows, row) >> event.number >> event.tenant >> event.id >> event.name >>
                event.key >> event.subject >> event.source >> event.time;
            auto data = rows.readable_jsonb(row, 8);
            if (data) event.data = std::move(*data);
            if (!data) event.problem = unreadable("its data");
            event.at = rows.instant(row, 9);
        }
        if (rows.is_null(row, 10)) continue;
        events.back().workflows.push_back(
            {{rows.int4(row, 10), rows.int4(row, 11), shares_of(rows, row, 12)},
             told_of(rows, row, 13)}
        );
    }
    co_return events;
}

asio::awaitable<void> Inbox::finish_triggers(Bucket bucket, std::vector<TriggerOutcome> outcomes) {
    for (const bool held : {false, true}) {
        pg::Array number(pg::Type::int8), problem(pg::Type::text);
        bool any = false;
        for (const TriggerOutcome& outcome : outcomes) {
            if (outcome.held != held) continue;
            any = true;
            number.add(outcome.number);
            problem.add_or_null(outcome.problem);
        }
        if (!any) continue;
        pg::Params params;
        params.add(bucket).add(std::move(number)).add(std::move(problem));
        const auto& query = held ? queries::hold_triggers : queries::finish_triggers;
        co_await call(pool_, query, std::move(params));
    }
}

asio::awaitable<std::vector<HeldTriggers>> Inbox::release_triggers(
    Bucket bucket, const std::vector<TenantId>& busy
) {
    pg::Array tenants(pg::Type::int4);
    for (const TenantId tenant : busy) tenants.add(tenant);
    const auto rows =
        co_await call(pool_, queries::release_triggers, params_of(bucket, std::move(tenants)));
    std::vector<HeldTriggers> held;
    for (int row = 0; row < rows.size(); ++row) {
        held.push_back({rows.int4(row, 0), rows.int8(row, 1)});
    }
    co_return held;
}

asio::awaitable<std::int64_t> Inbox::purge(Bucket bucket, Duration keep, int limit) {
    const auto rows = co_await call(pool_, queries::purge_inbox, params_of(bucket, keep, limit));
    co_return rows.int8(0, 0);
}

asio::awaitable<std::vector<Watch>> Inbox::watches(TenantId tenant) {
    const auto rows = co_await call_as(pool_, tenant, queries::list_watches, params_of(tenant));
    co_return pg::all_rows(rows, watch_of);
}

}  // namespace pawl::store
