#pragma once

#include "base/clock.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pawl {

namespace events {
struct RunStarted;
}

// Which runs share a limit: those of one workflow, or all of its tenant. Definitions are a
// tenant's, so `global` is no more than that; limits over tenants are the operator's
// (--target-limit).
enum class FlowScope { workflow, tenant, global };

// How many runs with the same key may be under way at once.
struct ConcurrencyLimit {
    std::string name;
    std::string key;  // a template over the input; empty: all runs share it
    std::int32_t limit = 1;
    FlowScope scope = FlowScope::workflow;

    bool operator==(const ConcurrencyLimit&) const = default;
};

// How many runs with the same key may begin in a time.
struct RateLimit {
    std::string name;
    std::string key;
    std::int32_t limit = 1;
    Duration per{};
    std::int32_t burst = 1;  // how many may begin at once after a quiet time
    FlowScope scope = FlowScope::workflow;
    bool drop = false;  // what comes too soon is cancelled instead of waiting for its turn

    bool operator==(const RateLimit&) const = default;
};

// Starts with the same key become one run: of the last input (debounce), or of all of them (batch).
struct Gathering {
    bool batch = false;
    std::string key;
    Duration period{};      // debounce: begins when nothing came for so long
    std::int32_t size = 0;  // batch: begins when so many came
    Duration max_wait{};    // begins at the latest so long after the first; zero: no such bound

    bool operator==(const Gathering&) const = default;
};

// What holds runs back before they begin.
struct FlowControl {
    std::vector<ConcurrencyLimit> concurrency;  // all of them must have room
    // A run that waits for long gives its places back, and queues again to go on.
    bool free_while_waiting = false;
    std::optional<RateLimit> rate;
    std::optional<Gathering> gathering;

    bool empty() const { return concurrency.empty() && !rate && !gathering; }
    bool operator==(const FlowControl&) const = default;
};

// Whose limits a run is under.
struct FlowOwner {
    std::int32_t tenant = 1;
    std::int32_t workflow = 0;
};

// What a run brings to the limits, with its keys rendered; null when nothing holds it back:
//   {slots: [[gate, limit], ...], free?: true, rate?: [gate, limit, per_us, burst, drop],
//    gather?: [gate, size, period_us, max_wait_us]}
// A gate is "tenant/workflow/name/key", with 0 for what is shared. A path of a key that leads
// nowhere counts as empty: a start is checked before (validate_input).
boost::json::value flow_ticket(
    const FlowControl& flow,
    FlowOwner owner,
    const boost::json::value& input,
    const std::string& subject
);

// The gates at which a run keeps a place until its end, also while it waits: of its own ticket, and
// those of the runs that wait for it.
std::vector<std::string> gates_of_run(const events::RunStarted& started);
// Whether a ticket asks for a place at one of these gates.
bool asks_at(const boost::json::value& ticket, const std::vector<std::string>& gates);
// The ticket of a run that needs no place of its own there, because a run that waits for it has
// one.
boost::json::value without_gates(boost::json::value ticket, const std::vector<std::string>& gates);

}  // namespace pawl
