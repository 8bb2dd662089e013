#include "app/limits/limit_uses.hpp"

#include "app/refusal.hpp"
#include "store/repos/limit_names.hpp"

#include <fmt/core.h>

namespace pawl::app {

asio::awaitable<Result<void>> set_limit(
    LimitUses& uses,
    store::Tenant tenant,
    store::FlowLimitName name,
    std::optional<std::int32_t> number
) {
    if (!name.workflow.empty()) {
        const auto workflow = co_await uses.store.find_workflow(tenant.id, name.workflow);
        if (!workflow) {
            co_return not_found(fmt::format("there is no workflow '{}'", name.workflow))
                .with("workflow", name.workflow);
        }
    }
    if (number) {
        auto problem = co_await store::limit_problem(uses.store, uses.limits, tenant, name);
        if (!problem.empty()) {
            co_return not_found(std::move(problem)).with("limit", name.name);
        }
    }
    co_await uses.limits.set(tenant, std::move(name), number);
    uses.wake_workers();
    co_return Result<void>();
}

}  // namespace pawl::app
