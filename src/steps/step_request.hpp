#pragma once

#include "base/clock.hpp"
#include "base/ids.hpp"
#include "model/definition.hpp"
#include "model/events/wait.hpp"
#include "model/step_error.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::steps {

namespace json = boost::json;

struct Callback {
    std::string token;
    std::string url;
    Instant until{};  // later answers do not count
};

// One attempt of a step: everything an executor may know.
struct StepRequest {
    std::string run_id;
    WorkerId worker;  // that holds the run
    std::int32_t tenant = 1;
    std::string workflow;
    std::int32_t workflow_id = 0;
    std::int32_t version = 1;
    std::string node;
    NodeType type = NodeType::code;
    int attempt = 1;          // the first is 1
    std::uint32_t token = 0;  // where in the run, for a later answer
    std::uint32_t visit = 1;
    std::string subject;
    std::string idempotency_key;  // the same for all attempts
    json::object config;          // rendered: no templates left
    // The config as the definition has it, when the executor puts something into it; outlives the
    // attempt.
    const json::object* templates = nullptr;
    bool wants_secrets = false;  // it asks for credentials
    bool wants_person = false;   // it asks for what is known of the person the run is about
    json::object known;  // with wants_person: what its other placeholders stand for, by path
    // Given to steps with `callback: true`: after a 202 the peer says there how it ended.
    std::optional<Callback> callback;
    std::string traceparent;  // what a peer is told; empty: the run is not traced
    json::array turns;        // of a step that is done in turns: what came of them so far
    json::value context;      // of a condition: what its paths lead to, by path
    Instant now{};            // when the attempt began, by the clock of the database
    Duration timeout = std::chrono::seconds(30);
    // Whether the run still waits for the outcome. Only for steps that do nothing but compute: an
    // effect that was begun is not broken off. None: to the end.
    std::function<bool()> wanted = {};
};

// What came of an attempt: a result, or an error.
struct StepOutcome {
    json::value result;
    std::optional<StepError> error;
    // The effect took place and its outcome comes later as a signal: the data of wait_started
    // (events::Wait). Null: it is over.
    json::value pending = nullptr;
    // A turn of the step has ended, and `result` is what came of it: the step goes on.
    bool advances = false;
    // With `pending` for a target: it was not begun, and is due again after this time.
    std::optional<Duration> postponed = {};
};

// How long an attempt may take unless its node says so.
Duration default_timeout(NodeType type);

StepOutcome completed(json::value result);
StepOutcome pending(events::Wait waits_for);
// The message may hold anything, also what a peer or an exception said: it is cut to a bearable
// length and made storable.
StepOutcome failed(ErrorClass error_class, std::string code, std::string_view message);
StepOutcome failed(StepError error);

// The config of a step is not what its type needs; trying again cannot help.
StepOutcome invalid_config(std::string_view message);

}  // namespace pawl::steps
