#pragma once

#include "base/error.hpp"
#include "model/step_error.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

// The conversation of an `agent` step, as far as it needs no I/O. Its turns are what the log has:
//   {turn, reply: {content, tool_calls?}, usage, problem?}    the model answered
//   {turn, tool: {id, name, arguments}, result | error}       a tool was called
namespace pawl::steps {

namespace json = boost::json;

// What the turns have cost so far.
struct AgentUse {
    std::int64_t calls = 0;  // of the model
    std::int64_t tool_calls = 0;
    std::int64_t prompt_tokens = 0;
    std::int64_t completion_tokens = 0;

    std::int64_t tokens() const { return prompt_tokens + completion_tokens; }
    // In the unit of the prices, which are for a million tokens.
    double cost(const json::object& config) const;
};
AgentUse use_of(const json::array& turns);

// What comes next: the body of a request to the model, the call of a tool, or why it ends.
struct AskModel {
    json::object body;
};
struct CallTool {
    std::string id;
    std::string name;
    json::value arguments;
    std::string problem;  // the arguments are none; empty: they are fine
};
std::variant<AskModel, CallTool, StepError> next_of(
    const json::object& config, const json::array& turns
);

// What a reply of the model means: it goes on (a turn), the step is done (a result), or it fails.
struct AgentTurn {
    json::object said;
};
struct AgentResult {
    json::object result;
};
std::variant<AgentTurn, AgentResult, StepError> read_reply(
    const json::object& config, const json::array& turns, const json::value& answer
);

// What an answer must fit: the schema of the config, with the decision; null: it is text.
json::value answer_schema(const json::object& config);

}  // namespace pawl::steps
