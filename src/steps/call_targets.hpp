#pragma once

#include "base/rng.hpp"
#include "http/client.hpp"
#include "model/circuit.hpp"
#include "steps/step_request.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pawl::steps {

namespace asio = boost::asio;

struct TargetSettings {
    TargetPolicy usual;
    std::map<std::string, TargetPolicy> by_origin;
    // A step that may not call yet waits here for so long before its run is put aside.
    Duration patience = std::chrono::seconds(2);
};

// A circuit as others see it.
struct CircuitView {
    std::string target;
    bool open = false;        // only a probe may call it
    std::int64_t opened = 0;  // how often
};

// The same in detail: of one tenant.
struct TargetView {
    std::int32_t tenant = 0;
    std::string target;
    Circuit::State state = Circuit::State::closed;
    std::int64_t opened = 0;
    Duration wait{};         // until it is probed
    std::string last_error;  // of what opened it
};

// Limits outgoing calls: a circuit for each origin and tenant, so that a tenant does not lose a
// target because of what others do to it; and limits for each origin, for all tenants together. A
// step whose call may not be made now is postponed: that is no failure of the step. Lives on one
// thread; each worker learns about a target by itself.
class CallTargets {
public:
    CallTargets(asio::any_io_executor executor, TargetSettings settings);
    ~CallTargets();

    // The response, or how a step ends whose call did not go out.
    struct Sent {
        std::optional<http::Outcome> outcome;
        std::optional<StepOutcome> unsent;
    };
    // What has to be done when a call may go out, before it does: nothing, or how the step ends
    // without it. It may write what the request says, not where it goes.
    using Before = std::function<asio::awaitable<std::optional<StepOutcome>>(http::Request&)>;
    // Time in line is not of the request's time.
    asio::awaitable<Sent> send(
        http::Client& client, std::int32_t tenant, http::Request request, Before before = {}
    );

    // Of those that were ever open, by origin.
    std::vector<CircuitView> circuits() const;
    // Likewise, at most so many: the open ones before the others.
    std::vector<TargetView> targets(std::size_t most) const;
    void close(std::int32_t tenant, const std::string& origin);
    std::size_t size() const { return targets_.size(); }

private:
    struct Target {
        explicit Target(TargetPolicy policy) : circuit(policy) {}
        Circuit circuit;
        std::string last_error;
    };
    // A call that waits for another to end; lives in the frame that waits.
    struct Waiter {
        explicit Waiter(const asio::any_io_executor& executor) : wake(executor) {}
        asio::steady_timer wake;
        std::list<Waiter*>::iterator place;
        bool in_line = true;
        bool called = false;  // a place is free for it
    };
    struct Limit {
        explicit Limit(TargetPolicy policy) : circuit(policy) {}
        void wake_next();
        Circuit circuit;  // that only counts
        std::list<Waiter*> line;
    };
    struct Entry {
        Circuit::Permit health;
        Circuit::Permit limit;
    };

    // Also held by the calls under way: their frames may outlive everything here.
    using Shared = std::shared_ptr<Target>;
    using SharedLimit = std::shared_ptr<Limit>;  // null: there is none

    const TargetPolicy& policy_of(const std::string& origin) const;
    Shared find(std::int32_t tenant, const std::string& origin);
    SharedLimit find_limit(const std::string& origin);
    void forget();
    Duration time_of_line(const Limit& limit, const TargetPolicy& policy) const;
    StepOutcome postpone(
        const std::string& origin,
        const Target& target,
        const SharedLimit& limit,
        const Entry& entry
    );
    static asio::awaitable<Entry> enter(
        asio::any_io_executor executor,
        Shared target,
        SharedLimit limit,
        Steady::time_point deadline
    );
    static asio::awaitable<bool> wait_in_line(
        asio::any_io_executor executor, SharedLimit limit, Steady::time_point until, bool in_front
    );

    asio::any_io_executor executor_;
    TargetSettings settings_;
    std::map<std::pair<std::int32_t, std::string>, Shared> targets_;  // by tenant and origin
    std::map<std::string, SharedLimit> limits_;                       // by origin
    Steady::time_point next_sweep_{};
    Rng rng_;
};

// What the outcome of a call with that timeout says about its target.
CallVerdict verdict_of(const http::Outcome& outcome, Duration timeout);

}  // namespace pawl::steps
