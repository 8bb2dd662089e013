#include "sim/simulation.hpp"

#include <fmt/format.h>

#include <array>

namespace pawl::sim {

// What comes from outside in the chaos phase: callers, crashes, clocks.
void Simulation::disturb() {
    const Swarm& swarm = world_.swarm;
    // Most of what follows writes, and waits for the disk.
    world_.unflushed.clear();
    const std::array<double, 8> weights = {
        1.5,
        0.3,
        swarm.cancel,
        swarm.crash * 0.3,
        swarm.declared_dead * 0.5,
        swarm.clock_jump * 0.5,
        swarm.signals,
        swarm.drain * 0.3};
    double total = 0;
    for (const double weight : weights) total += weight;
    double draw = world_.rng.unit() * total;
    std::size_t kind = 0;
    while (kind + 1 < weights.size() && (draw -= weights[kind]) >= 0) ++kind;
    const std::size_t worker = world_.rng.below(places_.size());
    switch (kind) {
        case 0: return start_run();
        case 1:
            if (world_.inject(swarm.wake_repeated, "wake repeated")) world_.wakes[worker] = true;
            return;
        case 2: return cancel_run();
        case 3:
            if (!places_[worker].shell) return;
            ++world_.tally["crash"];
            return crash(worker);
        case 4: return declare_dead();
        case 5: return jump_clock();
        case 6: return send_signal();
        default:
            if (!places_[worker].shell) return;
            world_.note(fmt::format("{} is told to stop", worker));
            ++world_.tally["drain"];
            places_[worker].shell->stop();
            if (places_[worker].shell->finished()) crash(worker);
            return;
    }
}

void Simulation::start_run() {
    if (started_ >= world_.swarm.runs) return;
    ++started_;
    auto program = world_.programs.begin();
    std::advance(program, static_cast<std::ptrdiff_t>(world_.rng.below(world_.programs.size())));
    store::NewRun run = world_.random_run(program->second);
    Place& place = places_[world_.rng.below(places_.size())];
    if (place.shell && chance(world_.rng, 0.8)) return place.shell->start(std::move(run));
    // A caller that speaks SQL. Workers find the run by polling.
    store::StartBatch batch;
    batch.runs.push_back(run);
    world_.note("a run is started from outside");
    world_.tables.now = world_.db_now();
    const auto existing = world_.tables.start_runs(batch);
    world_.ledger.started(batch);
    world_.ledger.acknowledged(run, existing.empty() ? run.id : existing.front().existing);
}

void Simulation::cancel_run() {
    const auto runs = world_.ledger.runs();
    if (runs.empty()) return;
    const RunId run = runs[world_.rng.below(runs.size())];
    world_.tables.now = world_.db_now();
    if (!world_.tables.request_cancel(0, run, {"enough"})) return;
    world_.note("a caller cancels " + short_id(run.uuid));
    world_.ledger.cancel_asked(run);
    ++world_.tally["cancel"];
}

// Messages of all kinds to any run, wanted or not.
void Simulation::send_signal() {
    const auto runs = world_.ledger.runs();
    if (runs.empty()) return;
    const RunId run = runs[world_.rng.below(runs.size())];
    world_.tables.now = world_.db_now();
    const std::uint64_t kind = world_.rng.below(4);
    json::object data{{"name", "go"}, {"data", 1}};
    if (kind == 1) data = {{"node", "n" + std::to_string(world_.rng.below(8))}, {"by", "sim"}};
    const char* const names[] = {"signal", "skip", "pause", "resume"};
    if (kind == 2) paused_.push_back(run);
    world_.note(std::string("a caller sends ") + names[kind] + " to " + short_id(run.uuid));
    world_.tables.send_signal(0, run, names[kind], kind < 2 ? data : json::object());
    ++world_.tally["signal"];
    // Another version that is the same but for its number; which runs get it is left to their ids.
    const std::uint8_t lot = run.uuid.bytes[15];
    if (kind != 3 || lot % 2 == 0) return;
    world_.note("a caller moves " + short_id(run.uuid) + " to another version");
    world_.tables.send_signal(0, run, "repin", json::object{{"version", lot % 4 == 1 ? 1 : 2}});
    ++world_.tally["repin"];
}

void Simulation::resume_all() {
    world_.tables.now = world_.db_now();
    for (const RunId run : paused_) world_.tables.send_signal(0, run, "resume", json::object());
    paused_.clear();
}

void Simulation::jump_clock() {
    const bool back = chance(world_.rng, 0.5);
    const Duration far = between(world_.rng, Duration(0), std::chrono::seconds(20));
    world_.skew += back ? -far : far;
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(far).count();
    world_.note(fmt::format("the database's clock jumps {}{} ms", back ? "-" : "+", ms));
    ++world_.tally[back ? "clock back" : "clock forward"];
}

// As after missed heartbeats, but without the wait.
void Simulation::declare_dead() {
    Place& place = places_[world_.rng.below(places_.size())];
    if (!place.shell) return;
    const WorkerId id = place.shell->id();
    if (!world_.tables.is_alive(id)) return;
    world_.note(fmt::format("{} is declared dead, but lives", place.shell->address().worker));
    world_.tables.now = world_.db_now();
    world_.tables.retire_worker(id);
    world_.ledger.declared_dead(id);
    ++world_.tally["declared dead"];
}

void Simulation::crash(std::size_t worker) {
    Place& place = places_[worker];
    world_.note(fmt::format("{} is gone", worker));
    world_.abandon(place.shell->address());
    place.shell.reset();
    place.restart_at = world_.elapsed + between(world_.rng, Duration(0), std::chrono::seconds(3));
}

void Simulation::restart_due() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        Place& place = places_[i];
        if (place.shell || place.restart_at > world_.elapsed) continue;
        ++place.lives;
        place.shell = std::make_unique<Shell>(world_, Address{i, place.lives});
    }
}

}  // namespace pawl::sim
