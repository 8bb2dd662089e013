#pragma once

#include "app/numbers/simulate.hpp"
#include "rehearse/check.hpp"
#include "rehearse/journal.hpp"

#include <set>
#include <string>
#include <vector>

namespace pawl::app {

// One run of a definition in virtual time, for a person who writes it.
struct TrialParams {
    Definition definition;
    // A case as in a file of tests, without a name; `expect` may be left out.
    json::object test;
};

struct Trial {
    Definition definition;
    Instant start{};
    json::value person;  // what {{ user }} stood for
    rehearse::Recording recording;
    std::vector<rehearse::Visit> visits;
    std::set<std::string> assumed;  // steps whose answer is made up
    bool checked = false;           // the case says what must come of it
    std::vector<rehearse::Mismatch> mismatches;
};

// Nothing is sent, called or kept. The person is that of the case, or the one that its subject
// names. An error when the case or its input is wrong.
asio::awaitable<Result<Trial>> try_out(
    SimulateUses& uses, store::Tenant tenant, TrialParams params
);

json::object to_json(const Trial& trial);

}  // namespace pawl::app
