#pragma once

#include "engine/core/core.hpp"
#include "sim/swarm.hpp"
#include "store/mem/mem_tables.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pawl::sim {

// What must be true, kept apart from the code under test: its own copy of every log, folded as it
// grows, and what the outside world has seen. Every member throws Violation.
class Ledger {
public:
    explicit Ledger(const store::MemTables& tables) : tables_(tables) {}

    void know(engine::ProgramPtr program) { programs_[program->workflow] = std::move(program); }

    // --- what happened in the database ---
    void started(const store::StartBatch& batch);
    void committed(const store::CommitBatch& batch);
    void declared_dead(WorkerId worker) { dead_.insert(worker); }
    // The database forgot that this worker holds the run; the worker does not know it.
    void lease_lost(WorkerId worker, RunId run) { lost_.insert({worker, run}); }
    void cancel_asked(RunId run) { runs_.at(run).cancel_asked = true; }

    // --- what happened outside ---
    // A worker begins an attempt.
    void ordered(WorkerId worker, RunId run, const plan::ExecuteStep& step);
    // The effect of an attempt took place.
    void effect(RunId run, const std::string& node, std::int16_t attempt);
    // A caller was told that its run was started, or that its key belongs to an earlier one.
    void acknowledged(const store::NewRun& asked, RunId run);

    // --- what is true in between ---
    void check_tables() const;
    // `leaving`: runs whose release or close is in the database, but the worker has not heard.
    void check_holder(WorkerId worker, const engine::Core& core, const std::set<RunId>& leaving)
        const;
    void check_ended() const;

    bool all_closed() const;
    std::vector<RunId> runs() const;
    std::map<RunStatus, std::int64_t> outcomes() const;
    std::string describe(RunId run) const;

private:
    struct Run {
        engine::ProgramPtr program;
        std::vector<Event> log;
        plan::RunState state;
        bool cancel_asked = false;
        std::set<std::pair<std::string, std::int16_t>> effects;
    };
    void observe(RunId run);
    void check_next(RunId id, const Run& run, const Event& event) const;
    void check_message(RunId id, const Run& run, const Event& event) const;
    void check_undone(RunId id, const Run& run) const;
    void check_step(RunId id, const Run& run, const Event& event) const;
    [[noreturn]] void fail(RunId run, const std::string& what) const;

    const store::MemTables& tables_;
    std::map<store::WorkflowId, engine::ProgramPtr> programs_;
    std::map<RunId, Run> runs_;
    std::set<WorkerId> dead_;
    std::set<std::pair<WorkerId, RunId>> lost_;
    std::map<std::pair<store::WorkflowId, std::string>, RunId> keys_;
    std::set<RunId> acknowledged_;
};

// What two folds of one log must agree on. Not when it began: a run that is started with a lease is
// folded from the worker's clock until a worker reads the log.
bool same_state(const plan::RunState& a, const plan::RunState& b);

std::string short_id(const Uuid& uuid);

}  // namespace pawl::sim
