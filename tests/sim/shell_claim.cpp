#include "plan/repin.hpp"
#include "sim/shell.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::sim {

namespace {

constexpr Duration poll = std::chrono::milliseconds(500);
constexpr Duration heartbeat_every = std::chrono::seconds(2);
constexpr Duration dead_after = std::chrono::seconds(8);
constexpr std::size_t start_batch_max = 4;

}  // namespace

// --- Claiming -----------------------------------------------------------------------------------

void Shell::claim() {
    world_.wakes[address_.worker] = false;
    const std::size_t room = registered_ ? core_->room() : 0;
    const std::size_t limit = std::min(room, world_.swarm.claim_max);
    claim_at_ = world_.elapsed + poll;
    if (limit == 0) return;
    claiming_ = true;
    core_->reserve(limit);
    if (answer_lost_ && world_.broken != Broken::lost_claim_ignored) {
        ask_lost(limit, session_);
    } else {
        send_claim(limit, session_);
    }
}

void Shell::ask_lost(std::size_t limit, std::uint64_t begun) {
    auto held = core_->held_runs();
    // Runs that it is starting are leased to it as well, and will be taken up when it hears.
    const bool own = starting_ && starting_->session == session_ && starting_->batch.worker;
    if (own && world_.broken != Broken::starts_asked_for) {
        for (const store::NewRun& run : starting_->batch.runs) {
            if (run.lease) held.push_back(run.id);
        }
    }
    answer_lost_ = false;
    asking_lost_ = true;
    world_.note(fmt::format("{} asks for lost claims", address_.worker));
    world_.send<std::vector<store::LogRow>>(
        address_,
        "leased",
        [id = id(), held = std::move(held)](store::MemTables& tables) {
            return tables.leased_runs(0, id, held);
        },
        [this, limit, begun](const std::vector<store::LogRow>& log) {
            asking_lost_ = false;
            if (begun != session_) {
                claiming_ = false;
                return;
            }
            if (adopt(log) > 0) ++world_.tally["lost claim found"];
            pump();
            send_claim(limit, begun);
        },
        [this, limit, begun](const Failure& failure) { claim_failed(limit, begun, failure); }
    );
}

void Shell::send_claim(std::size_t limit, std::uint64_t begun) {
    const store::ClaimParams params{0, id(), static_cast<int>(limit)};
    world_.note(fmt::format("{} claims {}", address_.worker, limit));
    const auto message_read = core_->begin_message_read();
    world_.send<store::Claimed>(
        address_,
        "claim",
        [params](store::MemTables& tables) { return tables.claim_runs(params); },
        [this, limit, begun, message_read](const store::Claimed& claimed) {
            if (begun != session_) {
                claiming_ = false;
                return;
            }
            const std::size_t count = adopt(claimed.log, seen(claimed.signals, *message_read));
            pump();
            core_->unreserve(limit);
            if (count == limit) claim_at_ = world_.elapsed;
            read_versions(claimed.signals, message_read, begun);
        },
        [this, limit, begun](const Failure& failure) { claim_failed(limit, begun, failure); }
    );
}

// A worker that reads a version for one of the runs commits those that it has taken up meanwhile.
void Shell::read_versions(
    std::vector<store::Signal> signals,
    std::shared_ptr<engine::MessageRead> message_read,
    std::uint64_t begun
) {
    world_.send<bool>(
        address_,
        "version",
        [](store::MemTables&) { return true; },
        [this, signals = std::move(signals), message_read, begun](bool) {
            claiming_ = false;
            if (begun != session_) return;
            core_->signals(seen(signals, *message_read), now());
            pump();
        },
        [this, begun](const Failure& failure) { claim_failed(0, begun, failure); }
    );
}

std::vector<store::Signal> Shell::seen(
    const std::vector<store::Signal>& signals, const engine::MessageRead& message_read
) const {
    if (world_.broken == Broken::signal_left_behind) return {};
    if (world_.broken == Broken::old_signals_taken) return signals;
    return fresh(signals, message_read);
}

void Shell::claim_failed(std::size_t limit, std::uint64_t begun, const Failure& failure) {
    claiming_ = asking_lost_ = false;
    if (begun != session_) {
        answer_lost_ = false;
        return;
    }
    core_->unreserve(limit);
    answer_lost_ = true;
    claim_at_ = soon();
    if (!is_passing(failure)) renew_session(begun, failure.what());
}

std::size_t Shell::adopt(
    const std::vector<store::LogRow>& log, const std::vector<store::Signal>& signals
) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < log.size(); ++count) {
        const RunId run = log[i].run;
        std::vector<Event> events;
        for (; i < log.size() && log[i].run == run; ++i) events.push_back(log[i].event);
        const auto workflow = find(events.front().data, "workflow")->get_int64();
        const auto& program = world_.programs.at(static_cast<store::WorkflowId>(workflow));
        auto twin = std::make_shared<engine::Program>(*program);
        twin->version = 2;
        const bool moved = plan::pinned_version(events) == 2;
        std::vector<store::Signal> repins;
        for (const store::Signal& signal : signals) {
            if (signal.run == run && signal.kind == "repin") repins.push_back(signal);
        }
        if (core_->state_of(run) != nullptr) ++world_.tally["claimed while leaving"];
        const engine::ProgramPtr other = std::move(twin);
        core_->adopt(run, moved ? other : program, events, now(), repins, {program, other});
    }
    return count;
}

// --- Heartbeat ----------------------------------------------------------------------------------

void Shell::beat() {
    beat_at_ = world_.elapsed + heartbeat_every;
    if (!registered_) return;
    beating_ = true;
    world_.note(fmt::format("{} beats", address_.worker));
    world_.send<Instant>(
        address_,
        "heartbeat",
        [id = id()](store::MemTables& tables) { return tables.heartbeat(id); },
        [this, begun = session_](Instant db) {
            observe(db);
            sweep(begun);
        },
        [this, begun = session_](const Failure& failure) { beat_failed(begun, failure); }
    );
}

void Shell::sweep(std::uint64_t begun) {
    beating_ = true;
    world_.send<std::vector<store::SweptWorker>>(
        address_,
        "sweep",
        [&world = world_](store::MemTables&) { return world.sweep(dead_after); },
        [this, begun](const std::vector<store::SweptWorker>& swept) {
            if (!swept.empty()) world_.wake_all();
            look_for_signals(begun);
        },
        [this, begun](const Failure& failure) { beat_failed(begun, failure); }
    );
}

void Shell::look_for_signals(std::uint64_t begun) {
    const auto message_read = core_->begin_message_read();
    world_.send<std::vector<store::Signal>>(
        address_,
        "signals",
        [id = id(), held = core_->held_runs()](store::MemTables& tables) {
            return tables.pending_signals(0, id, held);
        },
        [this, begun, message_read](const std::vector<store::Signal>& signals) {
            beating_ = false;
            if (begun != session_) return;
            core_->signals(seen(signals, *message_read), now());
            pump();
        },
        [this, begun](const Failure& failure) { beat_failed(begun, failure); }
    );
}

void Shell::beat_failed(std::uint64_t begun, const Failure& failure) {
    beating_ = false;
    if (failure.error().code == Errc::fenced) renew_session(begun, failure.what());
}

// --- Starting -----------------------------------------------------------------------------------

void Shell::start(store::NewRun run) {
    starts_.push_back(std::move(run));
}

void Shell::start_batch() {
    if (!starting_) {
        starting_.emplace();
        starting_->session = session_;
        // No new leases while it asks which leases it does not know of.
        const bool asking = asking_lost_ && world_.broken != Broken::starts_asked_for;
        const std::size_t room = registered_ && !asking ? core_->room() : 0;
        auto& runs = starting_->batch.runs;
        while (!starts_.empty() && runs.size() < start_batch_max) {
            runs.push_back(std::move(starts_.front()));
            starts_.pop_front();
            runs.back().lease = room > starting_->leases && !runs.back().due_at;
            if (runs.back().lease) ++starting_->leases;
        }
        if (starting_->leases > 0) starting_->batch.worker = id();
        core_->reserve(starting_->leases);
    }
    send_starts();
}

void Shell::send_starts() {
    starting_->on_the_wire = true;
    const store::StartBatch& batch = starting_->batch;
    world_.note(fmt::format(
        "{} starts {} runs, {} leased{}",
        address_.worker,
        batch.runs.size(),
        batch.worker ? starting_->leases : 0,
        batch.resend ? ", again" : ""
    ));
    world_.send<std::vector<store::Existing>>(
        address_,
        "start",
        [&world = world_, batch](store::MemTables& tables) {
            auto existing = tables.start_runs(batch);
            world.ledger.started(batch);
            return existing;
        },
        [this](const std::vector<store::Existing>& existing) { starts_done(existing); },
        [this](const Failure& failure) { starts_failed(failure); }
    );
}

void Shell::starts_failed(const Failure& failure) {
    starting_->on_the_wire = false;
    starting_->retry_at = soon();
    starting_->batch.resend = true;
    if (failure.error().code == Errc::fenced) {
        // Declared dead meanwhile: start them all the same, for another worker to claim.
        starting_->batch.worker.reset();
        for (store::NewRun& run : starting_->batch.runs) run.lease = false;
        ++world_.tally["start fenced"];
    } else if (!is_passing(failure)) {
        throw Violation(fmt::format("a start was refused: {}", failure.what()));
    } else if (world_.inject(0.1, "start given up")) {
        if (starting_->session == session_) core_->unreserve(starting_->leases);
        starting_.reset();
        // They may have been started all the same, and leased.
        answer_lost_ = world_.broken != Broken::given_up_forgotten;
    }
}

void Shell::starts_done(const std::vector<store::Existing>& existing) {
    const Starting starting = std::move(*starting_);
    starting_.reset();
    const bool same = starting.session == session_;
    if (same) core_->unreserve(starting.leases);
    for (const store::NewRun& run : starting.batch.runs) {
        const auto taken =
            std::find_if(existing.begin(), existing.end(), [&](const store::Existing& one) {
                return one.requested == run.id;
            });
        world_.ledger.acknowledged(run, taken == existing.end() ? run.id : taken->existing);
        if (taken != existing.end()) {
            ++world_.tally[taken->queued() ? "started into a queue" : "key taken"];
            continue;
        }
        if (!same || !starting.batch.worker || !run.lease) {
            world_.wake_all();
            continue;
        }
        ++world_.tally["started with a lease"];
        std::vector<Event> log(1);
        log[0].data = run.data;
        log[0].at = now();
        core_->adopt(run.id, world_.programs.at(run.workflow), log, now());
    }
    pump();
}

}  // namespace pawl::sim
