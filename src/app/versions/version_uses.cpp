#include "app/versions/version_uses.hpp"

#include "app/refusal.hpp"
#include "base/json.hpp"

#include <algorithm>

namespace pawl::app {

Error no_workflow(const std::string& name) {
    return not_found("there is no workflow '" + name + "'").with("workflow", name);
}

asio::awaitable<Result<store::WorkflowVersion>> find_workflow(
    VersionUses& uses, store::TenantId tenant, std::string name
) {
    auto workflow = co_await uses.store.find_workflow(tenant, name);
    if (!workflow) co_return no_workflow(name);
    co_return std::move(*workflow);
}

namespace {

asio::awaitable<Error> no_version(
    VersionUses& uses, store::TenantId tenant, std::string name, std::string written
) {
    const auto known = co_await uses.store.list_versions(tenant, name);
    if (known.empty()) co_return no_workflow(name);
    co_return not_found("workflow '" + name + "' has no version " + written)
        .with("workflow", name)
        .with("version", written);
}

}  // namespace

asio::awaitable<Result<std::int32_t>> version_number(
    VersionUses& uses, store::TenantId tenant, std::string name, std::string written
) {
    const auto number = co_await uses.versions.number(tenant, name, written);
    if (!number) co_return co_await no_version(uses, tenant, name, written);
    co_return *number;
}

asio::awaitable<Result<store::WorkflowVersion>> find_version(
    VersionUses& uses, store::TenantId tenant, std::string name, std::string written
) {
    const auto number = co_await version_number(uses, tenant, name, written);
    if (!number) co_return number.error();
    auto version = co_await uses.store.find_version_by_name(tenant, name, *number);
    if (!version) co_return co_await no_version(uses, tenant, name, written);
    co_return std::move(*version);
}

namespace {

bool asks_by_sql(const Node& node) {
    if (node.type == NodeType::sql) return true;
    const json::value* tools = node.config.if_contains("tools");
    if (tools == nullptr || !tools->is_array()) return false;
    const json::array& list = tools->get_array();
    return std::any_of(list.begin(), list.end(), [](const json::value& tool) {
        return find(tool, "sql") != nullptr;
    });
}

}  // namespace

Result<void> check_sql_steps(const Caller& caller, const Definition& definition) {
    if (caller.admin) return {};
    for (const Node& node : definition.nodes) {
        if (!asks_by_sql(node)) continue;
        return Error{
            Errc::forbidden,
            (node.type == NodeType::sql ? "step '" + node.id + "' is a statement"
                                        : "a tool of step '" + node.id + "' is a query") +
                " of SQL: to publish it needs the scope admin",
            {}};
    }
    for (const Trigger& trigger : definition.triggers) {
        if (trigger.audience.empty()) continue;
        return Error{
            Errc::forbidden,
            "an audience is a query of SQL: to publish it needs the scope admin",
            {}};
    }
    return {};
}

asio::awaitable<Result<void>> check_sql_version(
    VersionUses& uses, Caller caller, std::string name, std::optional<std::int32_t> number
) {
    if (caller.admin) co_return Result<void>();
    const store::TenantId tenant = caller.tenant.id;
    std::optional<store::WorkflowVersion> version;
    if (number) {
        version = co_await uses.store.find_version_by_name(tenant, name, *number);
    } else {
        version = co_await uses.store.find_workflow(tenant, name);
    }
    if (!version) co_return Result<void>();
    const auto definition = definition_from_json(version->definition);
    if (!definition) co_return Result<void>();
    co_return check_sql_steps(caller, *definition);
}

}  // namespace pawl::app
