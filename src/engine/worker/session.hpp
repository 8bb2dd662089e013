#pragma once

#include "base/clock.hpp"
#include "engine/core/core.hpp"
#include "engine/observe/run_traces.hpp"

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace pawl::engine {

// The time from a registration of the worker until it is declared dead: an id that the database
// knows, the runs leased to that id, and what is unsure about those leases. A worker that comes
// back has a new one. A coroutine works on the session that it began in: once that is over,
// whatever it still does there concerns the new one no more.
struct Session {
    Session(WorkerId given, std::string called, const CoreOptions& options, Rng& rng)
        : id(given), name(std::move(called)), core(options, rng) {}

    const WorkerId id;
    const std::string name;  // in the log: "host/pid"
    Core core;
    std::unique_ptr<RunTraces> traces;  // null: nothing is traced
    bool over = false;

    // A claim and a commit that is sent again must not overlap: if the claim takes a run back that
    // the commit has released, the second release would give the new lease away.
    bool claiming = false;
    std::size_t commits_in_doubt = 0;

    // Something may be leased to the worker without its knowing.
    bool answer_lost = false;
    bool asking_lost = false;
    Steady::time_point ask_lost_until{};
    Steady::time_point asked_lost_at{};
    std::vector<RunId> starting;             // leased by the start under way
    std::unordered_set<RunId> deferred;      // leased and not in the core: they are being set aside
    std::unordered_map<RunId, int> reloads;  // after another writer was met

    bool more_told = false;  // the last look at messages may have been a portion of them
};

using SessionPtr = std::shared_ptr<Session>;
// For what may take long: it does not keep the runs of a session that is over in memory.
using SessionRef = std::weak_ptr<Session>;

// The session, unless it is over.
inline SessionPtr alive(const SessionRef& ref) {
    SessionPtr session = ref.lock();
    return session && !session->over ? session : nullptr;
}

}  // namespace pawl::engine
