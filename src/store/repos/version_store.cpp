#include "store/repos/version_store.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/pg_store.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/pg/version_rows.hpp"
#include "store/queries.gen.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::store {

namespace {

pg::Params of(TenantId tenant, const std::string& name) {
    pg::Params params;
    params.add(tenant).add(std::string_view(name));
    return params;
}

std::optional<std::int32_t> number_or_none(const pg::Rows& rows) {
    if (rows.size() == 0 || rows.is_null(0, 0)) return std::nullopt;
    return rows.int4(0, 0);
}

}  // namespace

json::array to_json(const std::vector<VersionShare>& shares) {
    json::array list;
    for (const VersionShare& one : shares) {
        json::object share{{"version", one.version}};
        // Whole numbers stay whole.
        if (one.share % 100 == 0) {
            share["share"] = one.share / 100;
        } else {
            share["share"] = one.share / 100.0;
        }
        list.push_back(std::move(share));
    }
    return list;
}

asio::awaitable<std::optional<Error>> Versions::taken_label(
    TenantId tenant, Definition definition
) {
    if (definition.label.empty()) co_return std::nullopt;
    const auto taken = co_await number(tenant, definition.name, definition.label);
    if (!taken) co_return std::nullopt;
    PgStore store(pool_);
    const auto other = co_await store.find_version_by_name(tenant, definition.name, *taken);
    if (!other) co_return std::nullopt;
    // Not as JSON: there 2 is not 2.0, and the database writes it shorter.
    const auto read = definition_from_json(other->definition);
    if (read && *read == definition) co_return std::nullopt;
    co_return Error{
        Errc::conflict,
        "version " + definition.label + " of workflow '" + definition.name +
            "' is another definition, and never changes: raise the version",
        {}};
}

asio::awaitable<std::vector<Error>> Versions::missing_parts(
    TenantId tenant, Definition definition
) {
    std::vector<Error> missing;
    const bool names =
        std::any_of(definition.nodes.begin(), definition.nodes.end(), [](const Node& node) {
            return node.type == NodeType::action || node.type == NodeType::message ||
                   node.type == NodeType::condition || node.type == NodeType::agent ||
                   node.reads_person;
        });
    if (!names || !definition.code.empty()) co_return missing;
    pg::Params params;
    params.add(tenant).add_json(pawl::to_json(definition).at("nodes"));
    // As the engine: a tenant sees neither actions nor which tables may be asked.
    const auto rows = co_await call(pool_, queries::missing_parts, std::move(params), tenant);
    for (int i = 0; i < rows.size(); ++i) {
        std::string what =
            fmt::format("{}.{}: {}", rows.text(i, 0), rows.text(i, 1), rows.text(i, 2));
        if (!rows.is_null(i, 3)) what += fmt::format(": {}", rows.text(i, 3));
        missing.push_back({Errc::invalid, std::move(what), {}});
    }
    co_return missing;
}

asio::awaitable<Applied> Versions::save_draft(Author author, Definition definition) {
    pg::Params params = of(author.tenant, definition.name);
    params.add_json(pawl::to_json(definition));
    const auto rows =
        co_await call_as(pool_, std::move(author), queries::save_draft, std::move(params));
    co_return Applied{rows.int4(0, 0), rows.int4(0, 1), rows.boolean(0, 2)};
}

asio::awaitable<std::optional<std::int32_t>> Versions::number(
    TenantId tenant, std::string name, std::string written
) {
    pg::Params params = of(tenant, name);
    params.add(std::string_view(written));
    co_return number_or_none(
        co_await call_as(pool_, tenant, queries::version_number, std::move(params))
    );
}

asio::awaitable<std::optional<std::int32_t>> Versions::before(TenantId tenant, std::string name) {
    co_return number_or_none(
        co_await call_as(pool_, tenant, queries::version_before, of(tenant, name))
    );
}

asio::awaitable<std::string> Versions::set_canary(
    Author author, std::string name, std::vector<VersionShare> shares
) {
    pg::Params params = of(author.tenant, name);
    params.add_json(store::to_json(shares));
    const auto rows =
        co_await call_as(pool_, std::move(author), queries::set_canary, std::move(params));
    co_return text_or_none(rows, 0, 0).value_or("");
}

asio::awaitable<bool> Versions::switch_off(
    Author author, std::string name, std::optional<std::string> reason
) {
    pg::Params params = of(author.tenant, name);
    std::optional<std::string_view> why;
    if (reason) why = *reason;
    params.add(why);
    const auto rows =
        co_await call_as(pool_, std::move(author), queries::switch_workflow, std::move(params));
    co_return rows.boolean(0, 0);
}

asio::awaitable<std::optional<Versions::Removed>> Versions::remove(
    Author author, std::string name
) {
    pg::Params params = of(author.tenant, name);
    const auto rows =
        co_await call_as(pool_, std::move(author), queries::delete_workflow, std::move(params));
    if (rows.size() == 0) co_return std::nullopt;
    co_return Removed{rows.int4(0, 0), rows.int8(0, 1), rows.int8(0, 2)};
}

asio::awaitable<bool> Versions::set_owner(
    TenantId tenant, std::string name, std::optional<std::string> owner
) {
    pg::Params params = of(tenant, name);
    std::optional<std::string_view> who;
    if (owner) who = *owner;
    params.add(who);
    return any_row_as(pool_, tenant, queries::set_workflow_owner, std::move(params));
}

asio::awaitable<std::string> Versions::retire(
    Author author, std::string name, std::int32_t version, bool drain, bool retired
) {
    pg::Params params = of(author.tenant, name);
    params.add(version).add(drain).add(retired);
    const auto rows =
        co_await call_as(pool_, std::move(author), queries::retire_version, std::move(params));
    co_return text_or_none(rows, 0, 0).value_or("");
}

asio::awaitable<std::map<std::int32_t, std::int64_t>> Versions::open_runs(
    TenantId tenant, std::string name
) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::count_open_versions, of(tenant, name));
    std::map<std::int32_t, std::int64_t> counts;
    for (int row = 0; row < rows.size(); ++row) counts[rows.int4(row, 0)] = rows.int8(row, 1);
    co_return counts;
}

asio::awaitable<std::vector<VersionChange>> Versions::changes(
    TenantId tenant, std::string name, int limit
) {
    pg::Params params = of(tenant, name);
    params.add(static_cast<std::int64_t>(limit));
    const auto rows =
        co_await call_as(pool_, tenant, queries::list_version_changes, std::move(params));
    std::vector<VersionChange> changes;
    for (int row = 0; row < rows.size(); ++row) {
        VersionChange& change = changes.emplace_back();
        pg::RowReader(rows, row) >> change.at >> change.action >> change.version >> change.by >>
            pg::shown(change.detail);
    }
    co_return changes;
}

}  // namespace pawl::store
