#pragma once

#include "api/principal.hpp"
#include "base/clock.hpp"
#include "store/tenants.hpp"

#include <map>

namespace pawl::api {

namespace asio = boost::asio;

// Whether a tenant may start more runs now. What it may is read from the database every few
// seconds, and how many runs are open every second, so a limit is kept about and not to the run;
// starts per second are counted in this process.
class Admission {
public:
    explicit Admission(store::Tenants& tenants) : tenants_(tenants) {}

    // Throws Refused: 413 when the data of a run is too big, 429 when there are too many.
    asio::awaitable<void> admit(store::Tenant tenant, std::size_t starts, std::size_t bytes);
    // The same, with the size of the data only looked at when it matters.
    asio::awaitable<void> admit(store::Tenant tenant, std::vector<const json::value*> data);

private:
    struct State {
        store::TenantLimits limits;
        Steady::time_point limits_until{};
        double tokens = 0;  // starts that are allowed now
        Steady::time_point filled_at{};
        std::int32_t open = 0;
        Steady::time_point open_until{};
    };
    void take(State& state, std::size_t starts);

    store::Tenants& tenants_;
    std::map<store::TenantId, State> states_;
};

}  // namespace pawl::api
