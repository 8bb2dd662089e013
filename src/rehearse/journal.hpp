#pragma once

#include "rehearse/rehearsal.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::rehearse {

// One visit of a branch at a node: how it came, what it took, what came of it.
struct Visit {
    NodeIndex node = 0;
    std::optional<std::size_t> edge;  // by which it came
    Instant at{};
    std::optional<Instant> ended;  // nothing: it is still there
    int attempts = 0;
    std::optional<boost::json::object> config;  // as its executor saw it; nothing: none was called
    boost::json::value waits_for;               // the data of wait_started; null: it did not wait
    boost::json::value result;
    boost::json::value error;
    std::string handle;     // by which it left; empty: no edge leads on
    bool disabled = false;  // it is switched off: the branch passed it
};

// Where the run came by, in the order in which it did. Pure.
std::vector<Visit> journal_of(const Definition& definition, const Recording& recording);

}  // namespace pawl::rehearse
