#include "store/repos/message_templates.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

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
    pg::Params params;
    params.add(tenant).add(std::string_view(name)).add(version);
    const auto rows = co_await call_as(pool_, tenant, queries::find_template, std::move(params));
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
    pg::Params params;
    params.add(tenant).add(some(after)).add(std::int32_t{limit});
    const auto rows = co_await call_as(pool_, tenant, queries::list_templates, std::move(params));
    std::vector<TemplateSummary> all;
    for (int row = 0; row < rows.size(); ++row) {
        TemplateSummary& one = all.emplace_back();
        pg::RowReader(rows, row) >> one.name >> one.version >> one.category >> one.languages >>
            one.created_at;
    }
    co_return all;
}

asio::awaitable<bool> MessageTemplates::remove(TenantId tenant, std::string name) {
    pg::Params params;
    params.add(tenant).add(std::string_view(name));
    const auto rows = co_await call_as(pool_, tenant, queries::delete_template, std::move(params));
    co_return rows.size() > 0;
}

}  // namespace pawl::store
