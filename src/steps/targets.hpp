#pragma once

#include "base/rng.hpp"
#include "http/client.hpp"
#include "model/circuit.hpp"
#include "steps/step.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <list>
#include <map>
#include <memory>
#include <string>
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
    bool open = false;        // nobody may call it, but for a probe
    std::int64_t opened = 0;  // how often
};

// What goes out to whom: a circuit for each origin that steps call. A call that may not be made now
// is not made, and its step is postponed: that is no failure of the step. Lives on one thread; what
// one worker learns about a target, another one learns by itself.
class Targets {
public:
    Targets(asio::any_io_executor executor, TargetSettings settings);
    ~Targets();

    // The response, or a step that was postponed.
    struct Sent {
        std::optional<http::Outcome> outcome;
        std::optional<StepOutcome> postponed;
    };
    asio::awaitable<Sent> send(http::Client& client, http::Request request);

    // Of those that were ever open.
    std::vector<CircuitView> circuits() const;
    std::size_t size() const { return targets_.size(); }

private:
    struct Target {
        explicit Target(TargetPolicy policy) : circuit(policy) {}
        Circuit circuit;
        std::list<asio::steady_timer*> line;  // who waits for a call to end
        std::string last_error;
    };

    // Also held by the calls under way: their frames may outlive everything here.
    using Shared = std::shared_ptr<Target>;

    Shared find(const std::string& origin);
    void forget_idle();
    StepOutcome postpone(
        const std::string& origin, const Target& target, const Circuit::Permit& no
    );
    static asio::awaitable<Circuit::Permit> enter(
        asio::any_io_executor executor, Shared target, Steady::time_point deadline
    );

    asio::any_io_executor executor_;
    TargetSettings settings_;
    std::map<std::string, Shared> targets_;
    Rng rng_;
};

// What the outcome of a call says about its target.
CallVerdict verdict_of(const http::Outcome& outcome);

}  // namespace pawl::steps
