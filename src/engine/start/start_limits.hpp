#pragma once

#include "base/clock.hpp"
#include "store/repos/tenants.hpp"

#include <map>
#include <optional>
#include <string>

namespace pawl::engine {

namespace asio = boost::asio;

// Why a tenant may not start runs.
struct StartRefusal {
    enum class Reason { payload, open_runs, rate };
    Reason reason = Reason::payload;
    std::string sentence;  // for a person

    // Whether it helps to try again later.
    bool passes() const { return reason != Reason::payload; }
};

// Whether a tenant may start more runs now. What it may is read from the database every few
// seconds, and how many runs are open every second, so a limit is kept about and not to the run;
// starts per second are counted here, beginning with those that the database has of the last
// second: a process that starts one run and ends keeps the limit too. Lives on one thread; the
// tenants outlive it.
class StartLimits {
public:
    explicit StartLimits(store::Tenants& tenants) : tenants_(tenants) {}

    // Counts them as started when there is no refusal. `bytes`: of the biggest of their data.
    // `wait`: a start that is refused waits, so that more than all there ever may be come when none
    // is open.
    asio::awaitable<std::optional<StartRefusal>> admit(
        store::Tenant tenant, std::size_t starts, std::size_t bytes, bool wait = false
    );
    // Whether admit() will look at the size of the data: to find it out may be work.
    bool asks_for_bytes(store::TenantId tenant) const;

private:
    struct State {
        store::TenantLimits limits;
        Steady::time_point limits_until{};
        double tokens = 0;                            // starts that are allowed now
        std::optional<Steady::time_point> filled_at;  // none: not yet
        std::int32_t open = 0;
        Steady::time_point open_until{};
    };
    asio::awaitable<void> fill(store::Tenant tenant, State& state);
    static std::optional<StartRefusal> take(State& state, std::size_t starts);

    store::Tenants& tenants_;
    std::map<store::TenantId, State> states_;
};

}  // namespace pawl::engine
