#include "sim/world.hpp"

#include "sim/workflows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::sim {

namespace {

constexpr Instant epoch{std::chrono::seconds(1'700'000'000)};
constexpr std::size_t trace_max = 60;

}  // namespace

World::World(std::uint64_t seed, Broken given_broken)
    : rng(seed),
      swarm(draw_swarm(rng)),
      broken(given_broken),
      limits_rng_(seed + 1'000'003),
      crash_rng_(seed + 2'000'003),
      ids_(rng) {
    wakes.resize(swarm.workers);
    if (chance(crash_rng_, 0.5)) database_crash = crash_rng_.unit() * 0.03;
    // The check would catch what these leave undone.
    tables.checks_leases = broken != Broken::lease_unchecked && broken != Broken::old_signals_taken;
    tables.now = db_now();
    for (std::size_t i = 0; i < swarm.workflows; ++i) {
        Definition definition = random_workflow(rng, fmt::format("w{}", i));
        draw_limits(definition);
        const auto applied = tables.apply_workflow(store::default_tenant, definition);
        engine::Program program;
        program.workflow = applied.id;
        program.version = applied.version;
        program.definition = definition;
        programs[applied.id] = std::make_shared<const engine::Program>(std::move(program));
        ledger.know(programs[applied.id]);
    }
}

// Half of the workflows have limits that are soon reached.
void World::draw_limits(Definition& definition) {
    Rng& own = limits_rng_;
    if (chance(own, 0.5)) return;
    FlowControl& flow = definition.flow;
    flow.free_while_waiting = chance(own, 0.5);
    flow.concurrency.push_back(
        {"own", "{{ key }}", 1 + static_cast<int>(own.below(3)), FlowScope::workflow}
    );
    if (chance(own, 0.5)) {
        flow.concurrency.push_back({"all", "", 2, FlowScope::tenant});
    }
    if (chance(own, 0.3)) {
        flow.rate = RateLimit{"rate", "", 2, std::chrono::seconds(1), 2, FlowScope::workflow};
    }
}

Instant World::db_now() const {
    return epoch + elapsed + skew;
}

std::uint64_t World::unix_ms() const {
    return static_cast<std::uint64_t>(db_now().time_since_epoch().count() / 1000);
}

Instant World::commit(const store::CommitBatch& batch) {
    if (broken == Broken::fence_off && !tables.is_alive(batch.worker)) {
        tables.register_worker({batch.worker, "undead", 1, "0"});
    }
    const Instant db = tables.commit_runs(batch);
    ledger.committed(batch);
    auto& gone = leaving[batch.worker];
    for (const store::Park& park : batch.parks) gone.insert(park.run);
    for (const store::Close& close : batch.closes) gone.insert(close.run);
    return db;
}

void World::crash_database() {
    note("the database crashes");
    ++tally["database crash"];
    const auto before = tables.open_runs(0);
    if (!unflushed.empty()) {
        tables = unflushed[crash_rng_.below(unflushed.size())];
        ++tally["claims lost"];
    }
    unflushed.clear();
    std::set<std::pair<RunId, WorkerId>> leased;
    for (const auto& open : tables.open_runs(0)) {
        if (open.worker) leased.insert({open.id, *open.worker});
    }
    for (const auto& open : before) {
        if (open.worker && !leased.contains({open.id, *open.worker})) {
            ledger.lease_lost(*open.worker, open.id);
        }
    }
    // Nothing that was under way is answered.
    for (Call& call : calls) {
        call.answered = true;
        call.failure = Failure({Errc::unavailable, "the database crashed", {}});
    }
}

std::vector<store::SweptWorker> World::sweep(Duration ttl) {
    auto swept = tables.sweep_dead_workers(ttl);
    for (const store::SweptWorker& one : swept) ledger.declared_dead(one.worker);
    if (!swept.empty()) ++tally["workers swept"];
    return swept;
}

store::NewRun World::random_run(engine::ProgramPtr program) {
    store::NewRun run;
    run.id = new_run();
    run.workflow = program->workflow;
    run.version = program->version;
    run.priority = static_cast<std::int16_t>(rng.below(3));
    // Few keys, so that many are taken already.
    if (chance(rng, 0.3)) run.correlation = fmt::format("key{}", rng.below(4));
    if (chance(rng, 0.1))
        run.due_at = db_now() + between(rng, Duration(0), std::chrono::seconds(5));
    json::object input{{"n", rng.below(100)}};
    run.data = plan::run_started(
                   program->workflow, program->version, std::move(input), "", program->definition
    )
                   .data;
    const json::value limited = json::object{{"key", limits_rng_.below(2)}};
    run.flow = flow_ticket(program->definition.flow, {1, program->workflow}, limited, "");
    return run;
}

Outcome World::draw_outcome() {
    double draw = rng.unit();
    if ((draw -= swarm.retryable) < 0) return Outcome::retryable;
    if ((draw -= swarm.permanent) < 0) return Outcome::permanent;
    if ((draw -= swarm.ambiguous) < 0) return Outcome::ambiguous;
    return Outcome::success;
}

void World::take_effect(const Execution& execution) {
    static constexpr const char* names[] = {"success", "retryable", "permanent", "ambiguous"};
    ++tally[fmt::format("step {}", names[static_cast<int>(execution.outcome)])];
    const bool perhaps = execution.outcome == Outcome::ambiguous && chance(rng, 0.5);
    if (execution.outcome != Outcome::success && !perhaps) return;
    ledger.effect(execution.run, execution.node, execution.step.attempt);
}

void World::wake(std::size_t worker) {
    if (inject(swarm.wake_lost, "wake lost")) return;
    wakes[worker] = true;
}

void World::wake_all() {
    for (std::size_t i = 0; i < wakes.size(); ++i) wake(i);
}

void World::abandon(Address from) {
    std::erase_if(executions, [&](const Execution& execution) {
        return execution.from.worker == from.worker && execution.from.life == from.life &&
               chance(rng, 0.5);
    });
}

bool World::inject(double rate, const char* what) {
    // Drawn also when it cannot happen: the rest of the seed stays the same in both phases.
    if (!chance(rng, rate) || !chaos) return false;
    ++tally[what];
    note(what);
    return true;
}

void World::note(std::string action) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed);
    trace_.push_back(fmt::format("{:>8} ms  {}", ms.count(), std::move(action)));
    if (trace_.size() > trace_max) trace_.pop_front();
}

std::string World::trace() const {
    return fmt::format("{}", fmt::join(trace_, "\n"));
}

plan::StepFinished report(const Execution& execution) {
    plan::StepFinished finished;
    finished.visit = execution.step.visit;
    finished.node = execution.step.node;
    finished.token = execution.step.token;
    finished.attempt = execution.step.attempt;
    if (execution.outcome == Outcome::success) {
        finished.result = json::object{{"from", execution.node}};
        return finished;
    }
    constexpr ErrorClass classes[] = {
        ErrorClass::retryable, ErrorClass::retryable, ErrorClass::permanent, ErrorClass::ambiguous};
    finished.error =
        StepError{classes[static_cast<int>(execution.outcome)], "boom", "it broke", std::nullopt};
    return finished;
}

}  // namespace pawl::sim
