#pragma once

#include "model/definition.hpp"
#include "model/event.hpp"
#include "model/step_error.hpp"
#include "plan/planner.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pawl::rehearse {

// --- What the world around a run does ---

// One call of a step, as its executor would see it.
struct Call {
    const Node& node;
    const boost::json::object& config;  // rendered
    boost::json::value context;         // of the run, for a transform
    int attempt = 1;
    int number = 1;  // the how manieth call of this node in the run, attempts included
};

// What comes of a call; or of waiting, for a person or a message.
struct Answer {
    boost::json::value result;
    std::optional<StepError> error;
    Duration takes{};
    std::string decision;  // of a person: approved or rejected
    std::string by;
    std::string reason;
    std::string event;  // that comes, where the run waits for one of several
};

// The outside of the run under test.
class World {
public:
    World() = default;
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    virtual ~World() = default;

    virtual Answer call(const Call& call) = 0;
    // Whether it has an answer of its own for calls of this node.
    virtual bool mocks(const Node& node) const = 0;
    // What a person decides, or what message comes, once the run waits at `node` for the `number`th
    // time; nothing when the wait gets no answer by itself.
    virtual std::optional<Answer> meet(const Node& node, int number) = 0;
};

// Something that happens at a time, whatever the run does.
struct Happening {
    enum class Kind { event, signal, decide, cancel, pause, resume, skip };
    Duration after{};  // the start of the run
    Kind kind = Kind::event;
    std::string name;  // of the event, signal or node; the reason of a cancel or pause
    std::string key;
    boost::json::value data;
    Answer answer;  // of a person
};

struct Script {
    boost::json::value input = boost::json::object();
    std::string subject;
    boost::json::value person;  // what {{ user }} stands for
    Instant start{};
    std::vector<Happening> happenings;
    // A run that is still open after this long is left alone.
    Duration limit = std::chrono::hours(24) * 366 * 20;
    // So is one that decides more often: it goes in circles.
    int decisions_max = 200'000;
};

// --- What was seen ---

struct CallRecord {
    std::string node;
    int attempt = 1;
    Instant at{};
    boost::json::object config;
    plan::TokenId token = 0;
    std::size_t events = 0;  // of the log that came before it
};

// A branch came to a node.
struct Arrival {
    std::size_t event = 0;  // by which event of the log
    plan::TokenId token = 0;
    NodeIndex node = 0;
    std::optional<std::size_t> edge;  // nothing: it begins there
};

struct Emitted {
    std::string event;
    std::string key;
    boost::json::value data;
};

struct Recording {
    RunStatus status = RunStatus::running;  // running: nothing more would happen
    boost::json::value output;
    boost::json::value error;
    Instant ended{};
    std::vector<Event> log;
    std::vector<std::string> path;      // nodes in the order in which they ended
    std::vector<std::size_t> visits;    // by node
    std::vector<std::size_t> taken;     // by edge
    std::vector<Arrival> arrivals;      // in their order
    std::vector<CallRecord> calls;      // steps that were called, attempts included
    std::vector<Emitted> emitted;       // by emit nodes
    std::vector<std::string> waits_at;  // nodes, when it is still open
    std::vector<std::string> remarks;   // happenings that no step waited for
    bool stopped = false;               // at the limit of the script, or of patience
};

// Runs a definition on the real planner in virtual time. Deterministic: the same world, the same
// recording. Steps end in the order of their times; what happens at the same time comes in the
// order it was asked for, and before timers.
Recording rehearse(const Definition& definition, const Script& script, World& world);

}  // namespace pawl::rehearse
