#pragma once

#include "app/numbers/funnel.hpp"
#include "app/runs/run_uses.hpp"

namespace pawl::app {

inline constexpr int moved_max = 1000;  // places of one call

// People who wait at a node are let go on, or taken out.
struct MoveParams {
    std::string workflow;
    std::string at;
    bool exit = false;        // their runs are cancelled
    std::string handle;       // by which way they leave the node; empty: default
    std::string version;      // of this version alone; empty: of all
    std::vector<RunId> runs;  // only these; empty: all who are there, page by page
    std::optional<store::PlaceCursor> after;
    int limit = moved_max;
    std::string by;
    std::string reason;
};

struct MoveProblem {
    RunId run;
    std::string problem;
};

struct Moved {
    int reached = 0;  // runs that got the message, and will react to it
    std::vector<MoveProblem> problems;
    std::optional<store::PlaceCursor> next;  // there are more after this one
};

// An error when there is no such workflow, version, node or way out.
asio::awaitable<Result<Moved>> move_people(
    FunnelUses& uses, RunUses& runs, store::Tenant tenant, MoveParams params
);

}  // namespace pawl::app
