#pragma once

#include "base/clock.hpp"
#include "model/definition.hpp"
#include "model/event.hpp"
#include "model/events/list_events.hpp"
#include "model/events/signal_kind.hpp"
#include "model/events/wait.hpp"
#include "model/events/whole_run_events.hpp"
#include "model/step_error.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pawl::plan {

using TokenId = std::uint32_t;
// Stands for the run as a whole where a token is asked for: events that end it.
inline constexpr TokenId token_of_run = 0x7fffffff;
using FrameId = std::uint32_t;  // 0: the run itself; else one item of a foreach

enum class TokenPhase {
    arrived,    // came to a node without an effect; the next decide settles it
    ready,      // stands on a node whose effect should be (or is being) carried out
    backoff,    // failed, tried again at `until`
    waiting,    // goes on at `until`, or when what it waits for has come
    routing,    // its node ended; which of the conditional edges are taken is decided next
    joining,    // came to a join and waits for others
    iterating,  // on a foreach whose items are under way
    resting,    // waited in vain, begins its wait anew at `until`
};

// A position of a run in its graph. Its id is stable for the life of the run.
struct Token {
    TokenId id = 0;
    NodeIndex node = 0;
    TokenPhase phase = TokenPhase::ready;
    std::int16_t attempt = 1;  // the attempt that is due or under way
    std::uint32_t visit = 1;   // how often it has come to this node; part of the idempotency key
    // The attempt whose effect is still without an outcome: later attempts repeat that one, under
    // the same identity, until it is known how it ended.
    std::int16_t since = 1;
    Instant until{};  // for backoff and waiting; Instant{} when waiting without an end
    FrameId frame = 0;
    std::uint32_t via = 0;   // the edge it came by; for joins
    std::string handle;      // by which it leaves; for routing
    events::Wait waits_for;  // time alone, unless it waits for something else
    // What its node was called when it came to it, if a later version has another name for it: the
    // idempotency key of this visit stays what it was.
    std::string came_to;
    // Nothing comes after it any more: how its step ends is awaited and noted, then undone.
    bool withdrawn = false;
    // Withdrawn because a person let its step be: another token went on in its place.
    bool skipped = false;
    // An attempt of this visit ended without an answer: it may have taken place.
    bool maybe = false;
    std::optional<std::size_t> undoes;  // the record that it undoes
    // What its branch has done that can be undone, as records; known only where a join may ask.
    std::vector<std::size_t> done;
    boost::json::value caught;  // the error that its branch caught last
    boost::json::array turns;   // of a step that is done in turns: what came of them so far

    bool operator==(const Token&) const = default;
};

// What a step left behind, in the order steps ended.
struct StepRecord {
    NodeIndex node = 0;
    boost::json::value result;
    std::optional<StepError> error;  // set when the step gave up and the run went on
    FrameId frame = 0;
    bool maybe = false;        // it failed, but may have taken place: to be undone as if it had
    bool undone = false;       // or about to be
    bool undoing = false;      // of a step that undid another
    bool withdrawn = false;    // nothing came after it: its result stays unseen
    bool stopped = false;      // it failed, and the run with it: kept to be undone
    bool skipped = false;      // it went on without it: nothing took place that could be undone
    boost::json::value input;  // what it was given, when something can undo it
    std::int32_t seq = 0;      // the event that left it

    bool operator==(const StepRecord&) const = default;
};

// A step that the plan of a code workflow asked for, in the order they were.
struct PlannedStep {
    std::string id;
    NodeIndex node = 0;
    TokenId token = 0;
    boost::json::object config;         // what the plan gave
    std::string handle;                 // how it ended; empty: it has not
    std::optional<std::size_t> record;  // what it left

    bool operator==(const PlannedStep&) const = default;
};

// How often nodes were come to, by node; short until a later node is.
using Visits = std::vector<std::uint32_t>;

// One item of a foreach that is under way: what its steps see and leave is theirs alone.
struct Frame {
    FrameId id = 0;
    FrameId parent = 0;
    TokenId token = 0;  // of the foreach
    std::uint32_t index = 0;
    boost::json::value item;
    Visits visits;
    bool closed = false;  // kept only because something may have to be undone
    bool scope = false;   // no item of a list: it sees what is around it
    // Why the item failed, while steps of it are still under way.
    std::optional<boost::json::value> error;

    bool operator==(const Frame&) const = default;
};

// A foreach that has begun.
struct Iteration {
    TokenId token = 0;
    NodeIndex node = 0;
    boost::json::array items;  // those begun are null: their frame holds them
    std::uint32_t concurrency = 1;
    std::int64_t tolerated = 0;  // items that may fail
    bool fail_fast = false;      // begins no more items once too many have failed
    std::uint32_t begun = 0;
    bool halted = false;  // begins no more items at all
    std::uint32_t open = 0;
    std::uint32_t failed = 0;
    std::int32_t failed_at = 0;  // the event with which the last one did
    std::vector<FrameId> again;  // items that failed before and are due once more
    boost::json::array results;
    boost::json::value last_error;
    // A list that comes in pages: `items` and `begun` are of the page that is under way, and its
    // results are counted, not kept. None: the list is here.
    std::optional<events::PagedList> source;
    std::uint32_t page = 0;    // the newest that was listed
    std::uint32_t before = 0;  // items of the pages before it
    Instant until{};           // when the time of all items is over, if they have one

    bool in_pages() const { return source.has_value(); }
    std::size_t size() const;  // of the whole list
    bool has_more_pages() const;

    bool operator==(const Iteration&) const = default;
};

// A join that fired before all had come: those of these that come later are let in silently.
struct FiredJoin {
    NodeIndex node = 0;
    std::vector<TokenId> stragglers;

    bool operator==(const FiredJoin&) const = default;
};

// What withdrawn branches have done, undone one after the other.
struct UndoChain {
    std::vector<TokenId> after;     // what is over before the next one begins
    std::vector<std::size_t> left;  // records, the next one last

    bool operator==(const UndoChain&) const = default;
};

// How often a loop has gone round since it was entered.
struct LoopCount {
    NodeIndex node = 0;
    FrameId frame = 0;
    std::uint32_t rounds = 0;

    bool operator==(const LoopCount&) const = default;
};

// What stood in an item when it failed, for the retry that goes on there. Kept only of events that
// a retry has from the run that it tries again.
struct KeptItem {
    FrameId frame = 0;
    TokenId owner = 0;  // of the foreach
    std::vector<Token> tokens;
    std::vector<Frame> frames;  // itself, and those inside
    std::vector<Iteration> iterations;
    std::vector<LoopCount> loops;
    std::vector<std::size_t> maybe;  // records of steps that may have taken place
    std::vector<std::size_t> ended;  // and of those that ended after it had failed
    bool anew = false;  // some of it was undone, or held a lock: it cannot go on where it stood

    bool operator==(const KeptItem&) const = default;
};

// A critical section that a token is in.
struct HeldLock {
    TokenId token = 0;  // who is in it
    TokenId place = 0;  // who came in; another one when branches have joined since
    std::string key;

    bool operator==(const HeldLock&) const = default;
};

// A message that came and that no step has taken yet.
struct Mail {
    std::int64_t id = 0;
    SignalKind kind = SignalKind::unknown;
    TokenId token = 0;        // whom it is for, if it says so
    boost::json::value data;  // of the signal: model/events/signal_data.hpp

    bool operator==(const Mail&) const = default;
};

// A run that begins nothing new and waits for what is under way.
struct Stopping {
    RunStatus status = RunStatus::failed;  // how it will end
    std::string reason;                    // of a cancel

    bool operator==(const Stopping&) const = default;
};

// A run that is undoing what it did.
struct Unwinding {
    RunStatus status = RunStatus::failed;  // how it will end
    std::string reason;                    // of a cancel
    std::vector<std::size_t> left;         // records to undo, the next one last

    bool operator==(const Unwinding&) const = default;
};

// A step that could not be undone.
struct NotUndone {
    std::size_t record = 0;
    NodeIndex by = 0;  // the node that gave up
    boost::json::value error;

    bool operator==(const NotUndone&) const = default;
};

// Why the engine holds a run.
struct HeldBy {
    std::string code;
    std::string reason;

    bool operator==(const HeldBy&) const = default;
};

using events::Caller;
using events::Owner;

// Stands for a node that the definition does not have any more.
inline constexpr NodeIndex no_node = 0xffffffff;

// The fold of a run's log.
struct RunState {
    RunStatus status = RunStatus::running;
    bool started = false;  // event 0 was seen
    std::int32_t next_seq = 0;
    std::int32_t workflow = 0;
    std::int32_t version = 0;
    std::string subject;
    std::string run_id;  // given by the holder of the run: its log does not tell
    Instant started_at{};
    Instant begun_at{};               // the same of the first run, when this is a copy of one
    std::optional<Instant> deadline;  // of the whole run
    boost::json::value input;
    boost::json::value person;  // of a rehearsal; else null: a worker reads it for each step
    std::vector<Token> tokens;  // empty once the run is over
    std::vector<StepRecord> records;
    boost::json::value output;
    boost::json::value error;  // of a failed run, or of the step that is about to fail it

    std::string first_run;  // whose steps it tries again, when it is a retry
    // The first of these retries that began anew, because what was done had been undone.
    std::string anew_run;
    // The first of them that took over from a child before it without its log: what branches and
    // items do, and what undoes, has its name. Empty: that of `anew_run`.
    std::string branch_run;
    std::vector<Owner> owners;          // of the events that a rerun has from others, oldest first
    std::int32_t copied = 0;            // the last event that a retry has from the run before
    std::vector<std::size_t> released;  // records that the run it was copied from has undone
    std::string parent;                 // the run that called this one
    std::optional<Caller> caller;       // where in it
    // Gates at which it has a place while it waits: its own, and those of the runs that wait for
    // it.
    std::vector<std::string> gates;

    // Only runs that branch, wait for messages or undo things use the rest.
    TokenId next_token = 1;
    FrameId next_frame = 1;
    Visits visits;
    std::vector<Frame> frames;
    std::vector<Iteration> iterations;
    std::vector<FiredJoin> fired;
    std::vector<UndoChain> chains;
    std::vector<LoopCount> loops;
    std::vector<HeldLock> locks;
    std::vector<Mail> mailbox;
    std::optional<events::EventWait> exit_watch;  // events that end the run
    bool has_waited = false;                      // rows may tell others what it waits for
    bool paused = false;
    std::optional<HeldBy> held;        // when the engine did it
    std::vector<PlannedStep> planned;  // of a code workflow
    bool plan_due = false;             // something happened that its plan has not seen
    bool ended = false;                // an exit was passed: `output` and `error` are final
    std::optional<Stopping> stopping;
    std::optional<Unwinding> unwinding;
    std::vector<NotUndone> not_undone;
    std::vector<KeptItem> kept;

    Token* find_token(TokenId id);
    const Token* find_token(TokenId id) const;
    const Frame* find_frame(FrameId id) const;
    Iteration* find_iteration(TokenId token);
    const Iteration* find_iteration(TokenId token) const;
    PlannedStep* find_planned(TokenId token);
    const PlannedStep* find_planned(TokenId token) const;

    bool operator==(const RunState&) const = default;
};

}  // namespace pawl::plan
