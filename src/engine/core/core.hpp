#pragma once

#include "base/rng.hpp"
#include "engine/core/program.hpp"
#include "plan/crossing.hpp"
#include "plan/planner.hpp"
#include "store/store.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace pawl::engine {

struct CoreOptions {
    store::Bucket bucket = 0;
    WorkerId worker;
    // How many runs are held at once: back-pressure. Bounds memory and what a crash sends through
    // recovery.
    std::size_t runs_max = 2000;
    // What they may weigh together, by the data of their events: a worker holds fewer large ones.
    std::size_t bytes_max = std::size_t{16} << 20;
    // Of one commit. More does not make a batch cheaper per event, but keeps others waiting longer.
    std::size_t batch_events_max = 1000;
    // The same in bytes, and what one run may have ready for a commit before it waits for that.
    std::size_t batch_bytes_max = std::size_t{8} << 20;
    // A run that waits longer than this is parked in the database; a shorter wait is sat out in
    // memory.
    Duration hold_below = std::chrono::seconds(1);
};

// One attempt of a step that should be carried out now.
struct StepOrder {
    RunId run;
    plan::ExecuteStep step;
    ProgramPtr program;
    // Rendered when everything that led here was committed: another branch may have gone on since.
    std::shared_ptr<const plan::Rendered> config = nullptr;
};

struct ClosedRun {
    RunId run;
    RunStatus status;
    ProgramPtr program;
};

// One commit under way and the runs it is about.
struct Flight {
    store::CommitBatch batch;
    std::vector<RunId> runs;
};

// The row that a run leaves when it ends.
store::Close close_of(RunId run, const Program& program, const plan::RunState& state);

// A statement under way that reads messages. Its answer may hold messages that a commit has
// consumed meanwhile: fresh() removes them.
struct MessageRead {
    std::unordered_set<std::int64_t> consumed;
};
std::vector<store::Signal> fresh(
    std::vector<store::Signal> signals, const MessageRead& message_read
);

// The worker's brain: holds runs, folds what happens to them, and says what to commit and what to
// execute. No I/O, no clock: time and randomness are given, so the simulator drives this very code.
// One thread.
//
// The rule it keeps: nothing with an effect is executed on the strength of an event that is not
// committed yet, and a run has at most one commit under way.
class Core {
public:
    Core(CoreOptions options, Rng& rng) : options_(options), rng_(rng) {}

    // --- what happened ---
    // A run that was claimed (its whole log) or started with a lease (its event 0). Messages that
    // came for it are looked at before its timers: what came in time counts, however late the run
    // is taken up. `versions`: every version that the log went through or that a message asks for,
    // the program's own included; none for a run that has had one and keeps it.
    void adopt(
        RunId run,
        ProgramPtr program,
        const std::vector<Event>& log,
        Instant now,
        const std::vector<store::Signal>& signals = {},
        const std::vector<ProgramPtr>& versions = {}
    );
    // After adopt() has thrown: as if it had not been called.
    void abandon(RunId run, Instant now) {
        const auto place = runs_.find(run);
        if (place != runs_.end() && !place->second.in_flight) forget(run, now);
    }
    // Ignored when the run is not held any more or has moved on.
    void step_finished(RunId run, plan::StepFinished finished, Instant now);
    void signals(const std::vector<store::Signal>& signals, Instant now);
    // Before messages are read; lasts until the answer was taken in.
    std::shared_ptr<MessageRead> begin_message_read();
    void timers_due(Instant now);
    void committed(Flight flight, Instant now);
    // Stop giving out work: what is idle is released, what is executing may finish.
    void begin_drain(Instant now);
    // There is room again.
    void end_drain() { draining_ = false; }
    // Release also what is executing; its steps will run again elsewhere.
    void release_all(Instant now);

    // Forgets a run that is no longer this worker's, or that has to be read again.
    void drop(RunId run, Instant now);

    // --- what to do ---
    // Everything that waits for a commit, up to the batch limit; nothing when there is none.
    std::optional<Flight> next_flight(Instant now);
    // Before a flight whose outcome is unknown is sent again. A run that was claimed back proves
    // that its release went through; to release it once more would give the new lease away. The
    // caller keeps claims and resends apart in time, so that no claim is in doubt meanwhile.
    void prepare_resend(Flight& flight) const;
    bool has_pending() const { return !pending_.empty(); }
    std::vector<StepOrder> take_orders();
    // Whether an order that was taken is still to be carried out; if not, it counts as not begun.
    bool is_due(const StepOrder& order);
    // It is being carried out from now on: a run that stops waits for it.
    void begun(const StepOrder& order);
    std::vector<ClosedRun> take_closed();
    std::optional<Instant> next_timer() const;
    // How many runs may be held, as large as they are now.
    std::size_t capacity() const;
    // How many more may be taken in.
    std::size_t room() const;
    // When there is no room: what may be taken in of tenants that have little here, and those that
    // have more.
    struct Beside {
        std::size_t room = 0;
        std::vector<store::TenantId> tenants;
    };
    Beside beside() const;
    void reserve(std::size_t runs) { reserved_ += runs; }
    void unreserve(std::size_t runs) { reserved_ -= runs; }

    // The run's state, for rendering a step's input; null when it is not held.
    const plan::RunState* state_of(RunId run) const;
    // The correlation key it was started with; empty when there is none or it is not held.
    std::string correlation_of(RunId run) const;
    std::size_t held() const { return runs_.size(); }
    std::vector<RunId> held_runs() const;
    std::size_t executing() const { return executing_; }
    bool draining() const { return draining_; }
    const CoreOptions& options() const { return options_; }

private:
    // abandon: the worker that takes the run over finishes what was begun, once this one has signed
    // off.
    enum class Exit { none, close, park, abandon };
    struct ClaimedAgain {
        ProgramPtr program;
        std::vector<Event> log;
        std::vector<store::Signal> signals;
        std::vector<ProgramPtr> versions;
    };

    // What a tenant has here.
    struct Share {
        std::size_t runs = 0;
        std::size_t bytes = 0;
    };
    struct Held {
        ProgramPtr program;
        std::string correlation;
        plan::RunState state;
        std::vector<Event> events;            // decided, not in a commit yet
        std::vector<plan::Stimulus> inbox;    // came while a commit was under way
        std::vector<store::Signal> consumed;  // to be removed by the next commit
        store::Projections projections;       // to be written by the next commit
        std::vector<std::int64_t> seen_signals;
        std::vector<plan::ExecuteStep> under_way;  // ordered; begun or not
        plan::Work work;                           // what of them was begun, here or elsewhere
        std::size_t bytes = 0;
        std::size_t uncommitted = 0;     // bytes of `events`
        std::vector<StepOrder> waiting;  // for a commit: too much is ready for it already
        Share* share = nullptr;
        Exit exit = Exit::none;  // how it leaves with the commit it is in
        std::optional<Instant> park_until;
        std::optional<Instant> timer;  // its entry in timers_
        // Released, and claimed back by this very worker before the end of the releasing commit was
        // heard.
        std::optional<ClaimedAgain> claimed_again;
        bool diverged = false;  // its plan is not the one that its log was made with
        bool in_flight = false;
        bool pending = false;
        // The next worker that claims it moves it to another version: nothing new begins here, and
        // it leaves when nothing is under way.
        bool lets_go = false;
    };
    void stimulate(RunId run, Held& held, plan::Stimulus stimulus, Instant now);
    void receive(Held& held, const store::Signal& signal, Instant now);
    void repin(
        Held& held,
        const store::Signal& signal,
        const std::vector<ProgramPtr>& versions,
        Instant now
    );
    // Whether it is to leave as soon as nothing is under way.
    bool leaves(const Held& held) const { return draining_ || held.lets_go; }
    void settle(RunId run, Held& held, Instant now);
    bool may_ask_first(const Held& held, Instant now) const;
    // It has enough ready for one commit: nothing is added before that is through.
    bool is_full(const Held& held) const { return held.uncommitted >= options_.batch_bytes_max; }
    void empty_inbox(RunId run, Held& held, Instant now);
    void order_steps(RunId run, Held& held, const plan::Wants& wants);
    void set_timer(RunId run, Held& held, std::optional<Instant> at);
    void calm_down(RunId run, Instant now);
    void forget(RunId run, Instant now);
    void push(RunId run, Held& held);
    void enter(Held& held);
    void weigh(Held& held, const std::vector<Event>& events);
    void weigh_no_more(const Held& held);
    void load(Flight& flight, RunId run, Held& held, Instant now);
    void leave(RunId run, Held& held, std::optional<Instant> until);
    void note_interruption(Held& held, const std::vector<store::Signal>& signals, Instant now);
    bool wants_to_wait(const Held& held, const plan::Wants& wants, Instant now) const;

    // The last one: runs that are moved together need the same.
    struct LastCrossing {
        ProgramPtr from;
        ProgramPtr to;
        plan::Crossing crossing;
    };
    const plan::Crossing& crossing(
        const ProgramPtr& from, const ProgramPtr& to, const plan::NodeMap& map
    );

    CoreOptions options_;
    Rng& rng_;
    std::unique_ptr<LastCrossing> last_crossing_;
    std::unordered_map<RunId, Held> runs_;
    std::deque<RunId> pending_;
    std::vector<StepOrder> orders_;
    std::vector<ClosedRun> closed_;
    std::set<std::pair<Instant, RunId>> timers_;
    std::vector<std::weak_ptr<MessageRead>> message_reads_;
    std::unordered_map<store::TenantId, Share> shares_;
    std::size_t bytes_ = 0;         // of all that are held
    std::size_t bytes_at_end_ = 0;  // of one that left, on average
    std::size_t reserved_ = 0;
    std::size_t executing_ = 0;
    bool draining_ = false;
};

}  // namespace pawl::engine
