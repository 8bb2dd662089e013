#include "sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pawl::sim {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Longer than any line of steps takes with all its waits and retries, on clocks that were set back,
// when only one run may go on at a time.
constexpr Duration heal_time_max = std::chrono::hours(6);
constexpr int heal_actions_max = 100'000;

Failure unavailable() {
    return Failure({Errc::unavailable, "the connection was lost", {}});
}

}  // namespace

Simulation::Simulation(std::uint64_t seed, Broken broken)
    : world_(seed, broken), places_(world_.swarm.workers) {
    restart_due();
}

void Simulation::run() {
    chaos_phase();
    heal_phase();
    world_.ledger.check_ended();
    if (world_.tables.gate_count() > 0) throw Violation("a gate was left behind");
}

void Simulation::chaos_phase() {
    for (int i = 0; i < world_.swarm.actions; ++i) {
        act();
        check();
    }
    while (started_ < world_.swarm.runs) start_run();
}

void Simulation::heal_phase() {
    world_.chaos = false;
    world_.note("--- heal ---");
    resume_all();
    for (Place& place : places_) place.restart_at = world_.elapsed;
    const Duration deadline = world_.elapsed + heal_time_max;
    for (int i = 0;; ++i) {
        restart_due();
        if (!progress() && !advance()) break;
        check();
        const bool starting =
            std::any_of(world_.calls.begin(), world_.calls.end(), [](const Call& call) {
                return call.what == "start";
            });
        if (!starting && world_.ledger.all_closed()) break;
        if (i > heal_actions_max || world_.elapsed > deadline) break;
    }
}

// --- The scheduler ------------------------------------------------------------------------------

void Simulation::act() {
    restart_due();
    if (world_.database_crashes()) return world_.crash_database();
    if (chance(world_.rng, 0.08)) return disturb();
    if (chance(world_.rng, 0.08)) {
        world_.elapsed += between(world_.rng, Duration(0), milliseconds(50));
    }
    if (!progress()) advance();
}

// Something that could happen at this very moment; false when all processes wait.
bool Simulation::progress() {
    std::vector<std::size_t> due;
    for (std::size_t i = 0; i < world_.executions.size(); ++i) {
        if (world_.executions[i].finish_at <= world_.elapsed) due.push_back(i);
    }
    const std::size_t calls = world_.calls.size();
    const std::size_t choices = calls + due.size() + places_.size();
    const std::size_t first = world_.rng.below(choices);
    for (std::size_t i = 0; i < choices; ++i) {
        const std::size_t choice = (first + i) % choices;
        if (choice < calls) {
            travel(choice);
            return true;
        }
        if (choice < calls + due.size()) {
            finish_execution(due[choice - calls]);
            return true;
        }
        const std::size_t worker = choice - calls - due.size();
        Place& place = places_[worker];
        if (!place.shell || !place.shell->act()) continue;
        if (place.shell->finished()) crash(worker);
        return true;
    }
    return false;
}

// Time stands still until no process has anything to do, then jumps to the next moment of interest.
bool Simulation::advance() {
    Duration next = Duration::max();
    for (const Place& place : places_) {
        next = std::min(next, place.shell ? place.shell->next_wake() : place.restart_at);
    }
    for (const Execution& execution : world_.executions) {
        next = std::min(next, execution.finish_at);
    }
    if (next == Duration::max()) return false;
    world_.elapsed = std::max(next, world_.elapsed + Duration(1));
    return true;
}

// --- The network --------------------------------------------------------------------------------

Shell* Simulation::shell_at(Address address) {
    Place& place = places_[address.worker];
    return place.shell && place.lives == address.life ? place.shell.get() : nullptr;
}

void Simulation::travel(std::size_t index) {
    Call& call = world_.calls[index];
    if (call.answered) {
        Call answered = std::move(call);
        world_.calls.erase(world_.calls.begin() + static_cast<std::ptrdiff_t>(index));
        deliver(std::move(answered));
        return;
    }
    const Address from = call.from;
    const auto strikes = [&](double rate, const char* what) {
        return shell_at(from) != nullptr && world_.inject(rate, what);
    };
    if (strikes(world_.swarm.crash_before_effect, "crash before an effect")) crash(from.worker);
    apply(call);
    if (strikes(world_.swarm.crash_after_effect, "crash after an effect")) crash(from.worker);
}

void Simulation::apply(Call& call) {
    call.answered = true;
    if (world_.inject(world_.swarm.request_lost, "request lost")) {
        ++world_.tally[call.what + " request lost"];
        call.failure = unavailable();
        return;
    }
    world_.note(fmt::format("{} of {} is applied", call.what, call.from.worker));
    world_.tables.now = world_.db_now();
    // One that delivers an event waits for the disk, as everything else does.
    const std::size_t waiting = world_.tables.subscription_count();
    // Kept only where the database may crash: to copy all tables is more than most actions do.
    const bool crashes = world_.chaos && world_.database_crash > 0;
    if (crashes && call.what == "claim") world_.unflushed.push_back(world_.tables);
    try {
        call.apply();
    } catch (const Failure& failure) {
        world_.note(failure.what());
        call.failure = failure;
    }
    const bool waits = call.what != "claim" || world_.tables.subscription_count() < waiting;
    if (waits) world_.unflushed.clear();
    if (world_.inject(world_.swarm.reply_lost, "reply lost")) {
        ++world_.tally[call.what + " reply lost"];
        call.failure = unavailable();
    }
}

void Simulation::deliver(Call call) {
    if (shell_at(call.from) == nullptr) return;
    world_.note(fmt::format("{} of {} is answered", call.what, call.from.worker));
    if (call.failure) {
        call.failed(*call.failure);
    } else {
        call.done();
    }
}

void Simulation::finish_execution(std::size_t index) {
    const Execution execution = std::move(world_.executions[index]);
    world_.executions.erase(world_.executions.begin() + static_cast<std::ptrdiff_t>(index));
    world_.note(fmt::format(
        "{}#{} of {} ends", execution.node, execution.step.attempt, short_id(execution.run.uuid)
    ));
    world_.take_effect(execution);
    if (Shell* shell = shell_at(execution.from)) {
        shell->finish(execution);
    } else {
        ++world_.tally["effect after a crash"];
    }
}

// --- Checks -------------------------------------------------------------------------------------

void Simulation::check() {
    world_.ledger.check_tables();
    if (const auto problem = world_.tables.flow_problem(0); !problem.empty()) {
        throw Violation(problem);
    }
    if (world_.tables.waiting_count() > 0) ++world_.tally["waited at a gate"];
    for (const Place& place : places_) {
        if (place.shell) place.shell->check();
    }
}

std::string run_seed(std::uint64_t seed, Tally& tally, Broken broken) {
    Simulation simulation(seed, broken);
    std::string failure;
    try {
        simulation.run();
    } catch (const std::exception& caught) {
        failure = fmt::format(
            "seed {}: {}\nreplay with PAWL_SIM_SEED={}; the last actions:\n{}",
            seed,
            caught.what(),
            seed,
            simulation.world().trace()
        );
    }
    for (const auto& [what, count] : simulation.world().tally) tally[what] += count;
    for (const auto& [status, count] : simulation.world().ledger.outcomes()) {
        tally["run " + std::string(name(status))] += count;
    }
    return failure;
}

}  // namespace pawl::sim
