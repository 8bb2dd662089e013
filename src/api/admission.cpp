#include "api/admission.hpp"

#include "api/http/problem.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>

namespace pawl::api {

asio::awaitable<void> Admission::admit(store::Tenant tenant, std::vector<const json::value*> data) {
    using Reason = engine::StartRefusal::Reason;
    std::size_t largest = 0;
    if (limits_.asks_for_bytes(tenant.id)) {
        for (const json::value* one : data) {
            largest = std::max(largest, json::serialize(*one).size());
        }
    }
    const auto refusal = co_await limits_.admit(tenant, data.size(), largest);
    if (!refusal) co_return;
    if (refusal->reason == Reason::payload) refuse(413, "payload_too_large", refusal->sentence);
    const bool open = refusal->reason == Reason::open_runs;
    throw Refused(
        {429,
         open ? "too_many_open_runs" : "too_many_starts",
         refusal->sentence,
         {},
         {{"Retry-After", "1"}}}
    );
}

}  // namespace pawl::api
