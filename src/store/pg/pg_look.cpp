#include "store/pg/pg_store.hpp"
#include "store/pg/run_filter_params.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"
#include "store/run_pages.hpp"

// How PgStore looks at runs.
namespace pawl::store {

namespace {

void read_summary(const pg::Rows& rows, int row, int first, RunSummary& summary) {
    summary.id = RunId{rows.uuid(row, first)};
    summary.workflow = rows.text(row, first + 1);
    summary.version = rows.int4(row, first + 2);
    summary.status = rows.text(row, first + 3);
    summary.subject = rows.text(row, first + 4);
    summary.started_at = rows.instant(row, first + 5);
    summary.closed_at = rows.instant_or_none(row, first + 6);
    summary.due_at = rows.instant_or_none(row, first + 7);
    summary.output = rows.shown_jsonb(row, first + 8);
    summary.error = rows.shown_jsonb(row, first + 9);
}

pg::Params list_params(const Tenant& tenant, const RunFilter& filter) {
    pg::Params params = filter_params(tenant, filter);
    // One more than asked for tells whether there is a next page.
    params.add(std::int32_t{filter.limit} + 1).add(std::int32_t{filter.scan_max});
    add_search(params, filter);
    return params;
}

// What count_runs takes to count the runs that were looked through down to this one.
pg::Params looked_params(const Tenant& tenant, const RunFilter& filter, RunId down_to) {
    RunFilter looked = filter;
    looked.error.clear();
    looked.where.clear();
    if (!filter.error.empty()) {
        // Only those have an error.
        const auto has_none = [](const std::string& status) {
            return status != "failed" && status != "cancelled";
        };
        if (looked.status.empty()) looked.status = {"failed", "cancelled"};
        std::erase_if(looked.status, has_none);
    }
    pg::Params params = filter_params(tenant, looked, down_to);
    params.add(std::int32_t{0}).add(std::int32_t{filter.look_max}).add(false);
    add_search(params, looked);
    return params;
}

}  // namespace

asio::awaitable<std::optional<RunDetails>> PgStore::find_run(Tenant tenant, RunId run_id) {
    const auto rows = co_await call_as(
        pool_, tenant.id, queries::find_run, params_of(tenant.bucket, tenant.id, run_id.uuid)
    );
    if (rows.size() == 0) co_return std::nullopt;
    RunDetails details;
    read_summary(rows, 0, 0, details);
    details.tenant = tenant.id;
    details.workflow_id = rows.int4(0, 10);
    add_start_data(rows.jsonb(0, 13), details);
    if (!rows.is_null(0, 11)) details.priority = rows.int2(0, 11);
    if (!rows.is_null(0, 12)) details.retried_as = RunId{rows.uuid(0, 12)};
    co_return details;
}

asio::awaitable<RunPage> PgStore::list_runs(Tenant tenant, RunFilter filter) {
    const auto rows =
        co_await call_as(pool_, tenant.id, queries::list_runs, list_params(tenant, filter));
    Walk open, closed;
    for (int row = 0; row < rows.size(); ++row) {
        Walk& walk = rows.boolean(row, 0) ? closed : open;
        if (!rows.is_null(row, 12)) walk.scanned = rows.int4(row, 12);
        if (!rows.is_null(row, 11)) {
            if (!walk.stopped_at) walk.stopped_at = RunId{rows.uuid(row, 11)};
        } else if (!rows.is_null(row, 1)) {
            read_summary(rows, row, 1, walk.runs.emplace_back());
        }
    }
    if (is_search(filter) && !closed.scanned) closed.scanned = 0;
    RunPage page = merged(std::move(open), std::move(closed), filter.limit);
    if (page.scanned && page.next) {
        // What a walk saw below the end of the page is looked through again for the next one.
        const auto looked = co_await call_as(
            pool_, tenant.id, queries::count_runs, looked_params(tenant, filter, *page.next)
        );
        if (looked.size() > 0) page.scanned = looked.int8(0, 0);
    }
    co_return page;
}

asio::awaitable<std::optional<EarlierChild>> PgStore::earlier_child(CallBefore call) {
    pg::Params params;
    params.add(call.bucket).add(call.tenant).add(call.workflow).add(call.run.uuid);
    params.add(std::int32_t{call.since}).add(std::string_view(call.place));
    params.add(call.until.uuid).add(call.version).add_json(call.input);
    params.add(std::string_view(call.subject));
    const auto rows = co_await run(queries::earlier_child, std::move(params));
    if (rows.size() == 0) co_return std::nullopt;
    EarlierChild child;
    child.run = RunId{rows.uuid(0, 0)};
    if (!rows.is_null(0, 1)) child.first_run = rows.text(0, 1);
    if (!rows.is_null(0, 2)) child.anew_run = rows.text(0, 2);
    child.undone = rows.boolean(0, 3);
    co_return child;
}

}  // namespace pawl::store
