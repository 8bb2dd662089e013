#include "sim/shell.hpp"

#include "engine/core/flight_parts.hpp"
#include "engine/worker/commit_refusal.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::sim {

bool is_passing(const Failure& failure) {
    return info(failure.error().code).retryable && failure.error().code != Errc::fenced;
}

Shell::Shell(World& world, Address address) : world_(world), address_(address) {
    lanes_.resize(world.swarm.lanes);
    clock_ = world.db_now() - world.elapsed;
}

// --- What it could do ---------------------------------------------------------------------------

std::vector<std::pair<Shell::Activity, std::size_t>> Shell::possible() const {
    std::vector<std::pair<Activity, std::size_t>> all;
    if (finished_) return all;
    const Duration elapsed = world_.elapsed;
    if (renewing_ && !registering_) all.push_back({Activity::register_session, 0});
    if (!core_) return all;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const Lane& lane = lanes_[i];
        const bool go =
            lane.flight ? !lane.on_the_wire && lane.retry_at <= elapsed : core_->has_pending();
        if (go) all.push_back({Activity::lane, i});
    }
    const bool woken = world_.wakes[address_.worker];
    if (!claiming_ && !in_doubt() && (woken || claim_at_ <= elapsed))
        all.push_back({Activity::claim, 0});
    if (!beating_ && beat_at_ <= elapsed) all.push_back({Activity::beat, 0});
    const auto timer = core_->next_timer();
    if (timer && *timer <= now()) all.push_back({Activity::tick, 0});
    const bool idle = !starting_ && !starts_.empty();
    const bool again = starting_ && !starting_->on_the_wire && starting_->retry_at <= elapsed;
    if (idle || again) all.push_back({Activity::start_batch, 0});
    const bool empty = core_->held() == 0 && starts_.empty() && !starting_;
    if (stopping_ && (empty || drain_until_ <= elapsed)) all.push_back({Activity::drain, 0});
    return all;
}

bool Shell::in_doubt() const {
    if (world_.broken == Broken::released_twice) return false;
    return std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) {
        return lane.flight && lane.flight->batch.resend;
    });
}

bool Shell::act() {
    const auto all = possible();
    if (all.empty()) return false;
    const auto [activity, index] = all[world_.rng.below(all.size())];
    switch (activity) {
        case Activity::register_session: register_session(); break;
        case Activity::lane: lane(index); break;
        case Activity::claim: claim(); break;
        case Activity::beat: beat(); break;
        case Activity::tick:
            core_->timers_due(now());
            pump();
            break;
        case Activity::start_batch: start_batch(); break;
        case Activity::drain: drain(); break;
    }
    return true;
}

Duration Shell::next_wake() const {
    Duration next = Duration::max();
    if (!claiming_ && !in_doubt()) next = std::min(next, claim_at_);
    if (!beating_) next = std::min(next, beat_at_);
    for (const Lane& lane : lanes_) {
        if (lane.flight && !lane.on_the_wire) next = std::min(next, lane.retry_at);
    }
    if (starting_ && !starting_->on_the_wire) next = std::min(next, starting_->retry_at);
    if (stopping_) next = std::min(next, drain_until_);
    if (core_ && core_->next_timer()) next = std::min(next, *core_->next_timer() - clock_);
    return next;
}

Duration Shell::soon() {
    const auto most = std::chrono::milliseconds(200);
    return world_.elapsed + between(world_.rng, Duration(0), most);
}

// --- Sessions -----------------------------------------------------------------------------------

void Shell::register_session() {
    registering_ = true;
    // A fresh id each time, so that a fence stays a fence.
    const store::WorkerInfo info{world_.new_worker(), "sim", 1, "0"};
    world_.note(fmt::format("{} registers as {}", address_.worker, short_id(info.id.uuid)));
    world_.send<Instant>(
        address_,
        "register",
        [info](store::MemTables& tables) { return tables.register_worker(info); },
        [this, info](Instant db) {
            observe(db);
            engine::CoreOptions options;
            options.worker = info.id;
            options.runs_max = world_.swarm.runs_max;
            options.batch_events_max = world_.swarm.batch_events_max;
            options.hold_below = world_.swarm.hold_below;
            core_ = std::make_unique<engine::Core>(options, world_.rng);
            ++session_;
            registering_ = renewing_ = false;
            registered_ = true;
            claim_at_ = beat_at_ = world_.elapsed;
            if (stopping_) core_->begin_drain(now());
            if (session_ > 1) sweep(session_);
        },
        [this](const Failure&) { registering_ = false; }
    );
}

void Shell::renew_session(std::uint64_t lost, const std::string& why) {
    if (lost != session_ || renewing_) return;
    world_.note(fmt::format("{} drops its session: {}", address_.worker, why));
    ++world_.tally["session renewed"];
    renewing_ = true;
    registered_ = false;
}

// --- Commits and steps --------------------------------------------------------------------------

void Shell::lane(std::size_t index) {
    Lane& lane = lanes_[index];
    if (!lane.flight) {
        auto flight = core_->next_flight(now());
        if (!flight) return;
        lane.flight = std::make_shared<engine::Flight>(std::move(*flight));
        if (world_.broken == Broken::early_effects) execute_early(*lane.flight);
    }
    const bool careful = world_.broken != Broken::released_twice;
    if (lane.flight->batch.resend && careful) core_->prepare_resend(*lane.flight);
    send_commit(index);
}

void Shell::send_commit(std::size_t index) {
    Lane& lane = lanes_[index];
    lane.on_the_wire = true;
    const auto flight = lane.flight;
    const auto begun = session_;
    world_.note(fmt::format(
        "{} commits on lane {}: {} events, {} parks, {} closes{}",
        address_.worker,
        index,
        flight->batch.events.size(),
        flight->batch.parks.size(),
        flight->batch.closes.size(),
        flight->batch.resend ? ", again" : ""
    ));
    world_.send<Instant>(
        address_,
        "commit",
        [&world = world_, batch = flight->batch](store::MemTables&) { return world.commit(batch); },
        [this, index, begun](Instant db) {
            observe(db);
            commit_done(index, begun);
        },
        [this, index, begun](const Failure& failure) { commit_failed(index, begun, failure); }
    );
}

void Shell::commit_done(std::size_t index, std::uint64_t begun) {
    Lane& lane = lanes_[index];
    const auto flight = std::move(lane.flight);
    lane = {};
    if (begun != session_) return;
    for (const RunId run : flight->runs) world_.leaving[id()].erase(run);
    core_->committed(std::move(*flight), now());
    pump();
}

void Shell::commit_failed(std::size_t index, std::uint64_t begun, const Failure& failure) {
    Lane& lane = lanes_[index];
    const bool passing = is_passing(failure);
    const Errc code = failure.error().code;
    if (begun == session_ && (code == Errc::not_held || code == Errc::conflict)) {
        return let_go(lane, failure);
    }
    if (!passing) ++world_.tally[fmt::format("commit {}", info(failure.error().code).name)];
    if (begun != session_ || !passing) {
        lane = {};
        renew_session(begun, failure.what());
        return;
    }
    ++world_.tally["commit resent"];
    if (world_.broken == Broken::resend_skipped) return commit_done(index, begun);
    lane.flight->batch.resend = true;
    lane.on_the_wire = false;
    lane.retry_at = soon();
}

// Another worker has these runs, or had them: they are read anew if they are leased to this one.
void Shell::let_go(Lane& lane, const Failure& failure) {
    auto named = engine::named_runs(failure.error());
    if (named.empty()) named = lane.flight->runs;
    const engine::Flight lost = take_out(*lane.flight, {named.begin(), named.end()});
    for (const RunId run : lost.runs) {
        core_->drop(run, now());
        ++world_.tally["run let go"];
    }
    answer_lost_ = true;
    lane.on_the_wire = false;
    lane.retry_at = world_.elapsed;
    if (lane.flight->runs.empty()) lane = {};
    pump();
}

void Shell::execute_early(const engine::Flight& flight) {
    for (const RunId run : flight.runs) {
        const plan::RunState& state = *core_->state_of(run);
        for (const auto& step : plan::wants(state, now()).steps) {
            execute({run, step, world_.programs.at(state.workflow)});
        }
    }
}

void Shell::pump() {
    for (auto orders = core_->take_orders(); !orders.empty(); orders = core_->take_orders()) {
        for (const engine::StepOrder& order : orders) execute(order);
    }
    core_->take_closed();
}

void Shell::execute(const engine::StepOrder& order) {
    if (!core_->is_due(order)) return;
    core_->begun(order);
    world_.ledger.ordered(id(), order.run, order.step);
    Execution execution;
    execution.from = address_;
    execution.session = session_;
    execution.run = order.run;
    execution.node = order.program->definition.nodes[order.step.node].id;
    execution.step = order.step;
    execution.outcome = world_.draw_outcome();
    if (chance(world_.rng, world_.swarm.at_once)) {
        world_.take_effect(execution);
        core_->step_finished(order.run, report(execution), now());
        return;
    }
    const bool slow = world_.inject(world_.swarm.slow, "step slow");
    const auto most = slow ? std::chrono::seconds(30) : std::chrono::seconds(1);
    execution.finish_at = world_.elapsed + between(world_.rng, Duration(0), most);
    world_.executions.push_back(std::move(execution));
}

void Shell::finish(const Execution& execution) {
    if (execution.session != session_) return;
    core_->step_finished(execution.run, report(execution), now());
    pump();
}

// --- Stopping -----------------------------------------------------------------------------------

void Shell::stop() {
    if (stopping_) return;
    stopping_ = true;
    drain_until_ = world_.elapsed + std::chrono::seconds(5);
    if (!core_) {
        finished_ = true;
        return;
    }
    core_->begin_drain(now());
    pump();
}

void Shell::drain() {
    if (core_->held() > 0 && !released_) {
        released_ = true;
        ++world_.tally["drain deadline passed"];
        drain_until_ = world_.elapsed + std::chrono::seconds(2);
        core_->release_all(now());
        pump();
        return;
    }
    finished_ = true;
    if (core_->held() > 0) return;
    ++world_.tally["drained"];
    world_.send<bool>(
        address_,
        "retire",
        [&world = world_, id = id()](store::MemTables& tables) {
            tables.retire_worker(id);
            world.ledger.declared_dead(id);
            return true;
        },
        [](bool) {},
        [](const Failure&) {}
    );
}

void Shell::check() const {
    if (core_) world_.ledger.check_holder(id(), *core_, world_.leaving[id()]);
}

}  // namespace pawl::sim
