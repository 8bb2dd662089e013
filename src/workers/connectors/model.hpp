#pragma once

#include "embed/sessions.hpp"
#include "pawl/step.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pawl::workers {

namespace json = boost::json;

// A model behind any endpoint that speaks chat completions.
struct ModelSettings {
    std::string url;  // up to and including the version: https://api.example.com/v1
    std::string key;  // sent as a bearer token; empty: none
    std::string model = "default";
    int reply_tokens_max = 1000;           // of one reply
    std::int64_t run_tokens_max = 50'000;  // of all calls of one run, both ways
    double run_cost_max = 1.0;             // in the currency of the prices
    double price_in = 0;                   // of a million tokens
    double price_out = 0;
    bool stream = true;
    bool json_schema = true;                  // false: the schema is only told in words
    std::string tokens_field = "max_tokens";  // or max_completion_tokens
};

struct ChatMessage {
    std::string role;  // system, user, assistant
    std::string content;
};

struct ChatRequest {
    std::vector<ChatMessage> messages;
    std::string schema_name;
    json::object schema;  // the reply is JSON that fits it
};

// What earlier calls of the run have used, from their results.
struct Spent {
    std::int64_t tokens = 0;
    double cost = 0;
};

// The result is {reply, model, id, usage: {prompt_tokens, completion_tokens}, cost}, with {before:
// {tokens, cost}} when there were attempts before; it is the
// result of the step, so the reply is in the run's log before anything is done with it. Any thread.
class Model {
public:
    virtual ~Model() = default;
    virtual StepResult reply(
        const ChatRequest& request, const Spent& spent, const ExecutionContext& context
    ) = 0;
};

// The settings may be filled in until the first call.
std::shared_ptr<Model> make_model(
    std::shared_ptr<const ModelSettings> settings, std::shared_ptr<embed::Sessions> sessions
);

// Pure parts. The body of a request; what a body of an answer says.
json::object chat_body(const ModelSettings& settings, const ChatRequest& request, int tokens_max);

struct ChatReply {
    std::string text;
    std::string id;
    std::string model;
    std::string finish_reason;  // empty: the answer broke off
    std::int64_t prompt_tokens = 0;
    std::int64_t completion_tokens = 0;
    std::string error;  // what the endpoint said went wrong
};
ChatReply read_chat_reply(std::string_view body, bool streamed);

// What one more attempt may use, so that the limits of the run hold whatever comes of it.
struct Allowance {
    int reply_tokens = 0;  // 0: there is nothing left
    // What the attempts before this one may have used. That is unknown, so each of them counts as
    // if it had used all it was allowed to.
    Spent before;
};
Allowance allowance(
    const ModelSettings& settings, const json::object& body, const Spent& spent, int attempt
);
// The same for one attempt, also after a crash, and another one for the next: an endpoint that
// keeps replies would give the one that did not fit again.
std::string attempt_key(const ExecutionContext& context);

}  // namespace pawl::workers
