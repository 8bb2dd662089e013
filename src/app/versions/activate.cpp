#include "app/versions/activate.hpp"

#include "app/refusal.hpp"
#include "app/versions/publish.hpp"

#include <cmath>

namespace pawl::app {

namespace {

Error not_possible(std::string why) {
    return refusal(Errc::conflict, "not_possible", std::move(why));
}

// A draft was never published: what it names may have gone meanwhile, or never been there.
asio::awaitable<Result<void>> check_draft(
    VersionUses& uses, store::TenantId tenant, std::string name, std::int32_t version
) {
    const auto found = co_await uses.store.find_version_by_name(tenant, name, version);
    if (!found || !found->draft) co_return Result<void>();
    const auto definition = definition_from_json(found->definition);
    if (!definition) co_return wrong_definition(definition.error().message);
    const auto wrong = co_await check_definition(uses, tenant, *definition);
    if (!wrong.empty()) co_return wrong_definition(wrong);
    co_return Result<void>();
}

}  // namespace

asio::awaitable<Result<store::WorkflowVersion>> activate(
    VersionUses& uses, Caller caller, std::string name, std::string version
) {
    const store::TenantId tenant = caller.tenant.id;
    std::optional<std::int32_t> wanted;
    if (!version.empty()) {
        const auto number = co_await version_number(uses, tenant, name, version);
        if (!number) co_return number.error();
        wanted = *number;
        const auto found = co_await uses.store.find_version_by_name(tenant, name, *wanted);
        if (found && found->retired_at) {
            co_return not_possible("version " + version + " is retired");
        }
        const auto checked = co_await check_draft(uses, tenant, name, *wanted);
        if (!checked) co_return checked.error();
    }
    const auto allowed = co_await check_sql_version(uses, caller, name, wanted);
    if (!allowed) co_return allowed.error();
    const auto applied = co_await uses.store.activate_workflow(author_of(caller), name, wanted);
    if (!applied) {
        co_return not_found("there is no such workflow or version: '" + name + "'")
            .with("workflow", name);
    }
    co_return co_await find_workflow(uses, tenant, name);
}

asio::awaitable<Result<store::WorkflowVersion>> deactivate(
    VersionUses& uses, Caller caller, std::string name
) {
    const bool found = co_await uses.store.deactivate_workflow(author_of(caller), name);
    if (!found) {
        co_return not_found(no_workflow(name).message + "; GET /v1/workflows lists them")
            .with("workflow", name);
    }
    co_return co_await find_workflow(uses, caller.tenant.id, name);
}

asio::awaitable<Result<store::WorkflowVersion>> set_canary(
    VersionUses& uses, Caller caller, std::string name, std::vector<WrittenShare> shares
) {
    const store::TenantId tenant = caller.tenant.id;
    const auto workflow = co_await find_workflow(uses, tenant, name);
    if (!workflow) co_return workflow.error();
    std::vector<VersionShare> numbers;
    for (const WrittenShare& one : shares) {
        const auto number = co_await version_number(uses, tenant, name, one.version);
        if (!number) co_return number.error();
        const auto allowed = co_await check_sql_version(uses, caller, name, *number);
        if (!allowed) co_return allowed.error();
        const auto checked = co_await check_draft(uses, tenant, name, *number);
        if (!checked) co_return checked.error();
        numbers.push_back({*number, static_cast<std::int32_t>(std::lround(one.percent * 100))});
    }
    const std::string problem =
        co_await uses.versions.set_canary(author_of(caller), name, std::move(numbers));
    if (!problem.empty()) co_return not_possible(problem);
    co_return co_await find_workflow(uses, tenant, name);
}

asio::awaitable<Result<store::WorkflowVersion>> switch_workflow(
    VersionUses& uses, Caller caller, std::string name, std::optional<std::string> reason
) {
    const bool found =
        co_await uses.versions.switch_off(author_of(caller), name, std::move(reason));
    if (!found) co_return no_workflow(name);
    co_return co_await find_workflow(uses, caller.tenant.id, name);
}

asio::awaitable<Result<store::WorkflowVersion>> retire_version(
    VersionUses& uses, Caller caller, RetireParams params
) {
    const store::TenantId tenant = caller.tenant.id;
    const auto number = co_await version_number(uses, tenant, params.workflow, params.version);
    if (!number) co_return number.error();
    const std::string problem = co_await uses.versions.retire(
        author_of(caller), params.workflow, *number, params.drain, params.retired
    );
    if (!problem.empty()) co_return not_possible(problem);
    co_return co_await find_version(uses, tenant, params.workflow, params.version);
}

}  // namespace pawl::app
