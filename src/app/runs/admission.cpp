#include "app/runs/admission.hpp"

#include "app/refusal.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>

namespace pawl::app {

asio::awaitable<Result<void>> Admission::admit(
    store::Tenant tenant, std::vector<const json::value*> data
) {
    using Reason = engine::StartRefusal::Reason;
    std::size_t largest = 0;
    if (limits_.asks_for_bytes(tenant.id)) {
        for (const json::value* one : data) {
            largest = std::max(largest, json::serialize(*one).size());
        }
    }
    const auto refused = co_await limits_.admit(tenant, data.size(), largest);
    if (!refused) co_return Result<void>();
    if (refused->reason == Reason::payload) {
        co_return refusal(Errc::too_large, "payload_too_large", refused->sentence);
    }
    const bool open = refused->reason == Reason::open_runs;
    co_return refusal(
        Errc::unavailable, open ? "too_many_open_runs" : "too_many_starts", refused->sentence
    );
}

}  // namespace pawl::app
