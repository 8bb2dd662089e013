#include "store/repos/limit_names.hpp"

#include "model/definition.hpp"
#include "model/suggest.hpp"

#include <fmt/format.h>

#include <set>

namespace pawl::store {

namespace {

constexpr int limits_max = 1000;

void add_names(
    std::set<std::string>& names, const WorkflowVersion& workflow, bool of_one_workflow
) {
    const auto definition = definition_from_json(workflow.definition);
    if (!definition) return;
    const auto add = [&names, of_one_workflow](const auto& limit) {
        if ((limit.scope == FlowScope::workflow) == of_one_workflow) names.insert(limit.name);
    };
    for (const ConcurrencyLimit& limit : definition->flow.concurrency) add(limit);
    if (definition->flow.rate) add(*definition->flow.rate);
}

}  // namespace

asio::awaitable<std::string> limit_problem(
    Store& store, Limits& limits, Tenant tenant, FlowLimitName name
) {
    std::set<std::string> names;
    for (const FlowLimit& one : co_await limits.list(tenant, {name.workflow, "", limits_max})) {
        if (one.workflow == name.workflow) names.insert(one.name);
    }
    if (names.contains(name.name)) co_return "";
    if (name.workflow.empty()) {
        for (const auto& workflow : co_await store.list_workflows(tenant.id, {})) {
            add_names(names, workflow, false);
        }
    } else if (const auto head = co_await store.find_workflow(tenant.id, name.workflow)) {
        add_names(names, *head, true);
    }
    if (names.contains(name.name)) co_return "";
    const std::vector<std::string_view> known(names.begin(), names.end());
    if (name.workflow.empty()) {
        co_return fmt::format(
            "workflows share no limit named '{}'{}; {}",
            name.name,
            suggest(name.name, known),
            known.empty() ? "say whose it is: --workflow (workflow in the API)"
                          : fmt::format("they share: {}", fmt::join(known, ", "))
        );
    }
    co_return fmt::format(
        "workflow '{}' has no limit named '{}'{}; {}",
        name.workflow,
        name.name,
        suggest(name.name, known),
        known.empty() ? "it has none: flow in its definition makes some"
                      : fmt::format("it has: {}", fmt::join(known, ", "))
    );
}

}  // namespace pawl::store
