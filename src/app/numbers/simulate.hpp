#pragma once

#include "app/versions/version_uses.hpp"
#include "rehearse/past.hpp"
#include "store/repos/funnels.hpp"
#include "store/repos/persons.hpp"

#include <memory>
#include <optional>
#include <string>

namespace pawl::app {

// What a simulation over history works with. All of it outlives it.
struct SimulateUses {
    store::Funnels& funnels;
    store::Persons& persons;
    VersionUses& versions;
    asio::any_io_executor executor;
};

inline constexpr int simulated_max = 100'000;  // runs of one simulation

struct SimulateParams {
    std::string workflow;
    std::optional<Definition> definition;  // instead of the head
    Duration since = std::chrono::hours(24 * 7);
    int limit = 10'000;  // runs
};

struct Simulated {
    std::shared_ptr<const Definition> definition;  // what the history is about
    std::unique_ptr<rehearse::Past> history;
    Instant from{}, until{};
    std::size_t events = 0;  // that triggers look at
    bool truncated = false;  // there were more than could be looked at
    bool by_clock = false;   // it has triggers that no event tells of
};

// Replays the events that came since then, also those of watched tables, on the people as they are
// now. Nothing is sent or called. An error when there is no such workflow.
asio::awaitable<Result<Simulated>> simulate_history(
    SimulateUses& uses, store::Tenant tenant, SimulateParams params
);

json::object to_json(const Simulated& simulated);

}  // namespace pawl::app
