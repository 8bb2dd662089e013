#include "store/repos/drafts.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

WorkflowDraft draft_of(const pg::Rows& rows, int row) {
    WorkflowDraft draft;
    pg::RowReader(rows, row) >> draft.name >> draft.text >> draft.etag >> draft.updated_at >>
        draft.updated_by >> draft.updated_by_name;
    return draft;
}

}  // namespace

asio::awaitable<void> Drafts::put_layout(TenantId tenant, std::string name, json::value layout) {
    pg::Params params;
    params.add(tenant).add(std::string_view(name)).add_json(layout);
    co_await call_as(pool_, tenant, queries::put_layout, std::move(params));
}

asio::awaitable<json::value> Drafts::find_layout(TenantId tenant, std::string name) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::find_layout, params_of(tenant, name));
    if (rows.size() == 0) co_return json::value();
    co_return rows.jsonb(0, 0);
}

asio::awaitable<std::optional<WorkflowDraft>> Drafts::write(
    const pg::Query& query, TenantId tenant, NewDraft draft
) {
    pg::Params params;
    params.add(tenant).add(std::string_view(draft.name)).add(std::string_view(draft.text));
    params.add(std::string_view(draft.by)).add(some(draft.seen));
    const auto rows = co_await call_as(pool_, tenant, query, std::move(params));
    co_return pg::first_row(rows, draft_of);
}

asio::awaitable<std::optional<WorkflowDraft>> Drafts::look(
    const pg::Query& query, TenantId tenant, std::string name
) {
    const auto rows = co_await call_as(pool_, tenant, query, params_of(tenant, name));
    co_return pg::first_row(rows, draft_of);
}

asio::awaitable<bool> Drafts::take_away(
    const pg::Query& query, TenantId tenant, std::string name, std::string seen
) {
    return any_row_as(pool_, tenant, query, params_of(tenant, name, some(seen)));
}

asio::awaitable<std::optional<WorkflowDraft>> Drafts::put(TenantId tenant, NewDraft draft) {
    return write(queries::put_workflow_draft, tenant, std::move(draft));
}

asio::awaitable<std::optional<WorkflowDraft>> Drafts::find(TenantId tenant, std::string name) {
    return look(queries::find_workflow_draft, tenant, std::move(name));
}

asio::awaitable<std::vector<WorkflowDraft>> Drafts::list(
    TenantId tenant, std::string after, std::int32_t limit
) {
    const auto rows = co_await call_as(
        pool_, tenant, queries::list_workflow_drafts, params_of(tenant, after, limit)
    );
    co_return pg::all_rows(rows, draft_of);
}

asio::awaitable<bool> Drafts::remove(TenantId tenant, std::string name, std::string seen) {
    return take_away(queries::delete_workflow_draft, tenant, std::move(name), std::move(seen));
}

asio::awaitable<std::optional<WorkflowDraft>> Drafts::put_tests(TenantId tenant, NewDraft tests) {
    return write(queries::put_workflow_tests, tenant, std::move(tests));
}

asio::awaitable<std::optional<WorkflowDraft>> Drafts::find_tests(
    TenantId tenant, std::string name
) {
    return look(queries::find_workflow_tests, tenant, std::move(name));
}

asio::awaitable<bool> Drafts::remove_tests(TenantId tenant, std::string name, std::string seen) {
    return take_away(queries::delete_workflow_tests, tenant, std::move(name), std::move(seen));
}

}  // namespace pawl::store
