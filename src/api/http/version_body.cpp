#include "api/http/version_body.hpp"

namespace pawl::api {

std::string read_version(Body& body, const json::object& object, std::string_view key) {
    const json::value* given = object.if_contains(key);
    if (given == nullptr || !given->is_number()) return body.text(key, 100).value_or("");
    const auto number = body.whole(key, 1, 2147483647);
    return number ? std::to_string(*number) : "";
}

asio::awaitable<std::int32_t> version_number(
    Services& services, store::TenantId tenant, std::string name, std::string written
) {
    const auto number = co_await services.versions.number(tenant, name, written);
    if (!number) refuse_not_found("workflow '" + name + "' has no version " + written);
    co_return *number;
}

void refuse_sql_steps(const Call& call, const Definition& definition) {
    if (call.principal.scopes.allows(Scope::admin)) return;
    for (const Node& node : definition.nodes) {
        if (node.type != NodeType::sql) continue;
        refuse(
            403,
            "forbidden",
            "step '" + node.id + "' is a statement of SQL: to publish it needs the scope admin"
        );
    }
}

asio::awaitable<void> refuse_sql_version(
    Services& services, Call call, std::string name, std::optional<std::int32_t> number
) {
    if (call.principal.scopes.allows(Scope::admin)) co_return;
    const auto tenant = call.principal.tenant;
    std::optional<store::WorkflowVersion> version;
    if (number) {
        version = co_await services.store.find_version_by_name(tenant, name, *number);
    } else {
        version = co_await services.store.find_workflow(tenant, name);
    }
    if (!version) co_return;
    const auto definition = definition_from_json(version->definition);
    if (definition) refuse_sql_steps(call, *definition);
}

}  // namespace pawl::api
