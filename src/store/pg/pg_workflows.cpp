#include "pg/pg_error.hpp"
#include "pg/row_reader.hpp"
#include "store/pg/pg_store.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/pg/version_rows.hpp"
#include "store/queries.gen.hpp"

// The part of PgStore that is about workflows and their versions.
namespace pawl::store {

namespace {

constexpr std::string_view refused_definition = "22023";  // pawl.refuse_definition

WorkflowVersion version_of(const pg::Rows& rows, int row) {
    WorkflowVersion version;
    pg::RowReader(rows, row) >> version.id >> version.tenant >> version.bucket >> version.version >>
        version.name >> version.created_at;
    // One that cannot be read is none (null): runs of it are held, others of the claim go on.
    version.definition = rows.readable_jsonb(row, 6).value_or(nullptr);
    pg::RowReader(rows, row, 7) >> version.active >> version.label >> version.draft >>
        version.retired_at;
    version.canary = shares_of(rows, row, 11);
    version.off_reason = text_or_none(rows, row, 12);
    pg::RowReader(rows, row, 13) >> version.owner >> version.changed_by >> version.changed_at;
    return version;
}

std::optional<WorkflowVersion> first_version(const pg::Rows& rows) {
    if (rows.size() == 0) return std::nullopt;
    return version_of(rows, 0);
}

std::vector<WorkflowVersion> all_versions(const pg::Rows& rows) {
    std::vector<WorkflowVersion> all;
    all.reserve(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) all.push_back(version_of(rows, row));
    return all;
}

Applied applied_of(const pg::Rows& rows) {
    return {rows.int4(0, 0), rows.int4(0, 1), rows.boolean(0, 2)};
}

// Throws what only the database knows is wrong with a definition as Errc::invalid: a queue that is
// not the tenant's, an action that is not registered.
asio::awaitable<pg::Rows> write_definition(
    pg::Pool& pool, Author author, const pg::Query& query, pg::Params params
) {
    try {
        co_return co_await call_as(pool, std::move(author), query, std::move(params));
    } catch (const pg::PgError& error) {
        if (error.detail().sqlstate != refused_definition) throw;
        throw Failure({Errc::invalid, error.detail().message, {{"hint", error.detail().hint}}});
    }
}

}  // namespace

asio::awaitable<Applied> PgStore::apply_workflow(Author author, const Definition& definition) {
    pg::Params params;
    params.add(author.tenant).add(std::string_view(definition.name)).add_json(to_json(definition));
    const Applied applied = applied_of(co_await write_definition(
        pool_, std::move(author), queries::apply_workflow, std::move(params)
    ));
    if (!applied.changed) co_await confirm_found(pool_);
    co_return applied;
}

asio::awaitable<std::optional<Applied>> PgStore::publish_sample(
    TenantId tenant, Definition definition
) {
    pg::Params params;
    params.add(tenant).add(std::string_view(definition.name)).add_json(to_json(definition));
    const auto rows = co_await write_definition(
        pool_, Author(tenant, "pawl dev"), queries::publish_sample, std::move(params)
    );
    if (rows.size() == 0) co_return std::nullopt;
    co_return applied_of(rows);
}

asio::awaitable<std::optional<WorkflowVersion>> PgStore::find_workflow(
    TenantId tenant, std::string name
) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::find_workflow, params_of(tenant, name));
    co_return first_version(rows);
}

asio::awaitable<std::optional<WorkflowVersion>> PgStore::find_version(
    WorkflowId id, std::int32_t version
) {
    const auto rows = co_await run(queries::find_version, params_of(id, version));
    co_return first_version(rows);
}

asio::awaitable<std::optional<WorkflowVersion>> PgStore::find_version_by_name(
    TenantId tenant, std::string name, std::int32_t version
) {
    const auto rows = co_await call_as(
        pool_, tenant, queries::find_version_by_name, params_of(tenant, name, version)
    );
    co_return first_version(rows);
}

asio::awaitable<std::vector<WorkflowVersion>> PgStore::list_workflows(
    TenantId tenant, WorkflowFilter filter
) {
    const auto limit = static_cast<std::int64_t>(filter.limit);
    const auto rows = co_await call_as(
        pool_,
        tenant,
        queries::list_workflows,
        params_of(tenant, filter.inactive, filter.after, limit)
    );
    co_return all_versions(rows);
}

asio::awaitable<std::vector<WorkflowVersion>> PgStore::list_versions(
    TenantId tenant, std::string name
) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::list_versions, params_of(tenant, name));
    co_return all_versions(rows);
}

asio::awaitable<std::optional<Applied>> PgStore::activate_workflow(
    Author author, std::string name, std::optional<std::int32_t> version
) {
    auto params = params_of(author.tenant, name, version);
    const auto rows = co_await write_definition(
        pool_, std::move(author), queries::activate_workflow, std::move(params)
    );
    if (rows.size() == 0) co_return std::nullopt;
    co_return applied_of(rows);
}

asio::awaitable<bool> PgStore::deactivate_workflow(Author author, std::string name) {
    auto params = params_of(author.tenant, name);
    const auto rows =
        co_await call_as(pool_, std::move(author), queries::deactivate_workflow, std::move(params));
    co_return rows.boolean(0, 0);
}

}  // namespace pawl::store
