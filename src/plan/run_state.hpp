#pragma once

#include "base/clock.hpp"
#include "model/definition.hpp"
#include "model/event.hpp"
#include "model/step_error.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pawl::plan {

enum class TokenPhase {
    arrived,  // came to a node without an effect; the next decide settles it
    ready,    // stands on a node whose effect should be (or is being) carried out
    backoff,  // failed, tried again at `until`
    waiting,  // on a wait node, goes on at `until`
};

// A position of a run in its graph. Its id is stable for the life of the run.
struct Token {
    std::uint32_t id = 0;
    NodeIndex node = 0;
    TokenPhase phase = TokenPhase::ready;
    std::int16_t attempt = 1;  // the attempt that is due or under way
    std::uint32_t visit = 1;   // how often it has come to this node; part of the idempotency key
    Instant until{};           // for backoff and waiting

    bool operator==(const Token&) const = default;
};

// What a step left behind, in the order steps ended.
struct StepRecord {
    NodeIndex node = 0;
    boost::json::value result;
    std::optional<StepError> error;  // set when the step gave up and the run went on

    bool operator==(const StepRecord&) const = default;
};

// The fold of a run's log.
struct RunState {
    RunStatus status = RunStatus::running;
    bool started = false;  // event 0 was seen
    std::int32_t next_seq = 0;
    std::int32_t workflow = 0;
    std::int32_t version = 0;
    std::string subject;
    Instant started_at{};
    std::optional<Instant> deadline;  // of the whole run
    boost::json::value input;
    std::vector<Token> tokens;  // empty once the run is over
    std::vector<StepRecord> records;
    boost::json::value output;
    boost::json::value error;  // of a failed run, or of the step that is about to fail it

    bool operator==(const RunState&) const = default;
};

}  // namespace pawl::plan
