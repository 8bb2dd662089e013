#include "cli/names.hpp"

#include "model/suggest.hpp"
#include "store/pg_store.hpp"

#include <fmt/core.h>

namespace pawl::cli {

boost::asio::awaitable<Error> unknown_workflow(
    store::Store& store, store::TenantId tenant, std::string name
) {
    const auto workflows = co_await store.list_workflows(tenant, {});
    std::vector<std::string_view> known;
    known.reserve(workflows.size());
    for (const auto& workflow : workflows) known.push_back(workflow.name);
    Error error{
        Errc::not_found,
        fmt::format("there is no workflow named '{}'{}", name, suggest(name, known)),
        {{"workflow", name}}};
    error.context.emplace_back(
        "next", known.empty() ? "pawl workflows apply -f FILE" : "pawl workflows list"
    );
    co_return error;
}

boost::asio::awaitable<std::optional<Error>> misspelt_workflow(
    pg::Pool& pool, store::TenantId tenant, std::string name
) {
    if (name.empty()) co_return std::nullopt;
    store::PgStore store(pool);
    if (co_await store.find_workflow(tenant, name)) co_return std::nullopt;
    co_return co_await unknown_workflow(store, tenant, name);
}

Error inactive_workflow(const store::WorkflowVersion& workflow) {
    const std::string& name = workflow.name;
    if (workflow.off_reason) {
        return {
            Errc::conflict,
            fmt::format("workflow '{}' is switched off: {}", name, *workflow.off_reason),
            {{"workflow", name}, {"next", "pawl versions on " + name}}};
    }
    return {
        Errc::conflict,
        fmt::format("workflow '{}' is not active: it cannot be started", name),
        {{"workflow", name}, {"next", "pawl workflows apply -f FILE makes it active again"}}};
}

}  // namespace pawl::cli
