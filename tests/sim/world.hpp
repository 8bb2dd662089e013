#pragma once

#include "engine/core/core.hpp"
#include "sim/ledger.hpp"
#include "sim/swarm.hpp"
#include "store/mem/mem_tables.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pawl::sim {

// One life of a worker process: the next process in its place must not hear its answers.
struct Address {
    std::size_t worker = 0;
    std::uint64_t life = 0;
};

// A request on its way to the database, or its answer on the way back.
struct Call {
    std::string what;
    Address from;
    std::function<void()> apply;
    std::function<void()> done;
    std::function<void(const Failure&)> failed;
    bool answered = false;
    std::optional<Failure> failure;
};

enum class Outcome { success, retryable, permanent, ambiguous };

// An attempt of a step that is being carried out somewhere.
struct Execution {
    Address from;
    std::uint64_t session = 0;
    RunId run;
    std::string node;
    plan::ExecuteStep step;
    Outcome outcome = Outcome::success;
    Duration finish_at{};
};

// Everything around the workers: the database and its clock, the network, the outside world.
class World {
public:
    World(std::uint64_t seed, Broken broken);

    Rng rng;
    Swarm swarm;
    Broken broken;
    store::MemTables tables;
    Ledger ledger{tables};
    Tally tally;
    bool chaos = true;   // faults are injected
    Duration elapsed{};  // the monotonic time all machines share
    Duration skew{};     // how far the database's clock has jumped
    std::vector<Call> calls;
    std::vector<Execution> executions;
    std::vector<bool> wakes;  // a worker was told that there is something to claim
    std::map<store::WorkflowId, engine::ProgramPtr> programs;
    // What the tables were like before each claim that has not reached the disk. A claim does not
    // wait for that; whatever is committed after it takes it along.
    std::vector<store::MemTables> unflushed;
    double database_crash = 0;  // chance per action
    // By worker: released or closed in the database, but the worker does not know yet.
    std::map<WorkerId, std::set<RunId>> leaving;

    Instant db_now() const;
    RunId new_run() { return RunId{ids_.next(unix_ms())}; }
    WorkerId new_worker() { return WorkerId{ids_.next(unix_ms())}; }

    template <class Reply>
    void send(
        Address from,
        std::string what,
        std::function<Reply(store::MemTables&)> apply,
        std::function<void(Reply)> done,
        std::function<void(const Failure&)> failed
    ) {
        auto reply = std::make_shared<std::optional<Reply>>();
        calls.push_back(
            {std::move(what),
             from,
             [this, reply, apply = std::move(apply)] { *reply = apply(tables); },
             [reply, done = std::move(done)] { done(std::move(**reply)); },
             std::move(failed)}
        );
    }
    Instant commit(const store::CommitBatch& batch);
    std::vector<store::SweptWorker> sweep(Duration ttl);
    store::NewRun random_run(engine::ProgramPtr program);
    Outcome draw_outcome();
    // The effect of a finished attempt, as the outside world sees it.
    void take_effect(const Execution& execution);
    void wake(std::size_t worker);
    void wake_all();
    // A worker process is gone; what it was executing may still take effect.
    void abandon(Address from);

    // The database loses its last claims, or some of them, and nothing else.
    void crash_database();
    bool database_crashes() { return chaos && chance(crash_rng_, database_crash); }

    bool inject(double rate, const char* what);
    void note(std::string action);
    std::string trace() const;

private:
    std::uint64_t unix_ms() const;
    void draw_limits(Definition& definition);

    Rng limits_rng_;  // of its own, so that a seed goes as it went without limits
    Rng crash_rng_;   // as well
    IdMaker ids_;
    std::deque<std::string> trace_;
};

// What the worker is told about an attempt.
plan::StepFinished report(const Execution& execution);

}  // namespace pawl::sim
