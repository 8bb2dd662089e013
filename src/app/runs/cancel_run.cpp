#include "app/runs/cancel_run.hpp"

#include "app/runs/folded_run.hpp"

namespace pawl::app {

asio::awaitable<Result<CancelAnswer>> cancel_run(
    RunUses& uses, store::Tenant tenant, RunId id, store::CancelOrder order
) {
    const auto before = co_await find_run(uses.store, tenant, id);  // of this tenant only
    if (!before) co_return before.error();
    const bool asked = co_await uses.store.request_cancel(tenant.bucket, id, std::move(order));
    if (asked) uses.wake_workers();
    auto after = co_await find_run(uses.store, tenant, id);
    if (!after) co_return after.error();
    co_return CancelAnswer{asked, std::move(*after)};
}

}  // namespace pawl::app
