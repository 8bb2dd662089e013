#include "store/repos/message_templates.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

TemplateSummary summary_of(const pg::Rows& rows, int row) {
    TemplateSummary one;
    pg::RowReader(rows, row) >> one.name >> one.version >> one.category >> one.languages >>
        one.created_at;
    return one;
}

}  // namespace

asio::awaitable<TemplateSaved> MessageTemplates::put(
    TenantId tenant, std::string name, std::string category, json::object languages
) {
    pg::Params params;
    params.add(tenant).add(std::string_view(name)).add(some(category)).add_json(languages);
    const auto rows = co_await call_as(pool_, tenant, queries::put_template, std::move(params));
    co_return TemplateSaved{rows.int4(0, 0), rows.boolean(0, 1)};
}

asio::awaitable<std::optional<MessageTemplate>> MessageTemplates::find(
    TenantId tenant, std::string name, std::optional<std::int32_t> version
) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::find_template, params_of(tenant, name, version));
    if (rows.size() == 0) co_return std::nullopt;
    MessageTemplate found;
    found.name = std::move(name);
    found.version = rows.int4(0, 0);
    found.category = rows.text(0, 3);
    found.created_at = rows.instant(0, 4);
    for (int row = 0; row < rows.size(); ++row) {
        found.languages[rows.text(row, 1)] = rows.shown_jsonb(row, 2);
    }
    co_return found;
}

asio::awaitable<std::vector<TemplateSummary>> MessageTemplates::list(
    TenantId tenant, std::string after, int limit
) {
    const auto rows = co_await call_as(
        pool_, tenant, queries::list_templates, params_of(tenant, some(after), limit)
    );
    co_return pg::all_rows(rows, summary_of);
}

asio::awaitable<std::vector<std::string>> MessageTemplates::with_partials(TenantId tenant) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::templates_with_partials, params_of(tenant));
    co_return pg::all_rows(rows, [](const pg::Rows& all, int row) { return all.text(row, 0); });
}

asio::awaitable<bool> MessageTemplates::remove(TenantId tenant, std::string name) {
    return any_row_as(pool_, tenant, queries::delete_template, params_of(tenant, name));
}

}  // namespace pawl::store
