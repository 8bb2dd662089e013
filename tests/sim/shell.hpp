#pragma once

#include "sim/world.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace pawl::sim {

// A commit that is under way, or waits to be sent again.
struct Lane {
    std::shared_ptr<engine::Flight> flight;
    bool on_the_wire = false;
    Duration retry_at{};
};
// The same of a batch of starts.
struct Starting {
    store::StartBatch batch;
    std::uint64_t session = 0;
    std::size_t leases = 0;
    bool on_the_wire = false;
    Duration retry_at{};
};

// A worker process around the real engine::Core. Does what engine::Worker does with coroutines (the
// loops have the same names), but as single actions that a scheduler orders at random.
class Shell {
public:
    Shell(World& world, Address address);

    // One of the things it could do now, at random; false when there is none.
    bool act();
    // When it will have something to do, if nothing comes from outside.
    Duration next_wake() const;
    void start(store::NewRun run);
    void stop();
    // Deliver the end of an attempt.
    void finish(const Execution& execution);
    bool finished() const { return finished_; }
    const Address& address() const { return address_; }
    WorkerId id() const { return core_ ? core_->options().worker : WorkerId{}; }
    void check() const;

private:
    enum class Activity { register_session, lane, claim, beat, tick, start_batch, drain };

    std::vector<std::pair<Activity, std::size_t>> possible() const;
    Instant now() const { return clock_ + world_.elapsed; }
    bool in_doubt() const;  // the outcome of a commit is unknown
    Duration soon();
    void observe(Instant db) { clock_ = db - world_.elapsed; }
    void pump();
    void execute(const engine::StepOrder& order);

    // shell.cpp
    void register_session();
    void renew_session(std::uint64_t lost, const std::string& why);
    void lane(std::size_t index);
    void send_commit(std::size_t index);
    void commit_done(std::size_t index, std::uint64_t begun);
    void commit_failed(std::size_t index, std::uint64_t begun, const Failure& failure);
    void let_go(Lane& lane, const Failure& failure);
    void execute_early(const engine::Flight& flight);
    void drain();

    // shell_claim.cpp
    void claim();
    void ask_lost(std::size_t limit, std::uint64_t begun);
    void send_claim(std::size_t limit, std::uint64_t begun);
    void read_versions(
        std::vector<store::Signal> signals,
        std::shared_ptr<engine::MessageRead> message_read,
        std::uint64_t begun
    );
    std::vector<store::Signal> seen(
        const std::vector<store::Signal>& signals, const engine::MessageRead& message_read
    ) const;
    void claim_failed(std::size_t limit, std::uint64_t begun, const Failure& failure);
    std::size_t adopt(
        const std::vector<store::LogRow>& log, const std::vector<store::Signal>& signals = {}
    );
    void beat();
    void sweep(std::uint64_t begun);
    void look_for_signals(std::uint64_t begun);
    void beat_failed(std::uint64_t begun, const Failure& failure);
    void start_batch();
    void send_starts();
    void starts_done(const std::vector<store::Existing>& existing);
    void starts_failed(const Failure& failure);

    World& world_;
    Address address_;
    std::unique_ptr<engine::Core> core_;
    Instant clock_{};  // the database's clock when elapsed was zero, as far as it knows
    std::uint64_t session_ = 0;
    bool registered_ = false;
    bool registering_ = false;
    bool renewing_ = true;  // until the first session
    std::vector<Lane> lanes_;
    bool claiming_ = false;
    bool answer_lost_ = false;
    bool asking_lost_ = false;
    Duration claim_at_{};
    bool beating_ = false;
    Duration beat_at_{};
    std::deque<store::NewRun> starts_;
    std::optional<Starting> starting_;
    bool stopping_ = false;
    bool released_ = false;
    bool finished_ = false;
    Duration drain_until_{};
};

// True when the same call may simply be sent again.
bool is_passing(const Failure& failure);

}  // namespace pawl::sim
