#include "app/runs/run_events.hpp"

namespace pawl::app {

asio::awaitable<EventPage> list_events(
    RunUses& uses, store::Tenant tenant, store::RunDetails run, std::int32_t after, int limit
) {
    auto found = co_await uses.tail.page_after(0, {run.id, after}, limit);
    EventPage page{{}, found.more};
    if (found.rows.empty()) co_return page;
    // Which item and visit an event is about follows from those before it.
    const store::ReadTo last{run.id, found.rows.back().event.seq};
    const auto log = co_await uses.tail.shape(tenant.bucket, last);
    const auto places = co_await uses.programs.places(run.workflow_id, log);
    for (store::LogRow& row : found.rows) {
        const auto at = static_cast<std::size_t>(row.event.seq);
        PlacedEvent placed{std::move(row.event), std::nullopt};
        if (places && at < places->size()) placed.place = (*places)[at];
        page.events.push_back(std::move(placed));
    }
    co_return page;
}

}  // namespace pawl::app
