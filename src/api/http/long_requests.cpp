#include "api/http/long_requests.hpp"

#include "api/http/problem.hpp"
#include "base/fair_places.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::api {

void LongRequests::fit(std::size_t connections) {
    room_ = std::max<std::size_t>(connections / 2, 2);
}

LongRequests::Place LongRequests::take(std::int32_t tenant) {
    std::size_t& has = taken_->by_tenant[tenant];
    if (room_ > 0 && !may_have_more(has, taken_->all, room_, 2)) {
        Problem problem;
        problem.status = 429;
        problem.code = "too_many_streams";
        problem.detail = fmt::format(
            "{} streams and waiting requests of this tenant are open, and no more fit; close some, "
            "follow all runs by one GET /v1/stream, or start without `wait` and ask later",
            has
        );
        problem.headers.push_back({"Retry-After", "5"});
        if (has == 0) taken_->by_tenant.erase(tenant);
        throw Refused(std::move(problem));
    }
    ++has;
    ++taken_->all;
    // What a server still holds at its end may go after the services.
    return {nullptr, [taken = taken_, tenant](std::nullptr_t) {
                --taken->all;
                const auto own = taken->by_tenant.find(tenant);
                if (--own->second == 0) taken->by_tenant.erase(own);
            }};
}

}  // namespace pawl::api
