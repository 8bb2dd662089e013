#include "steps/agent.hpp"

#include "base/json.hpp"
#include "connect/form.hpp"
#include "model/json_schema.hpp"
#include "model/template.hpp"
#include "steps/agent_talk.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::steps {

namespace {

const json::object* find_tool(const json::object& config, std::string_view name) {
    const json::value* tools = config.if_contains("tools");
    if (tools == nullptr || !tools->is_array()) return nullptr;
    for (const json::value& tool : tools->get_array()) {
        if (text_in(tool, "name") == name) return tool.if_object();
    }
    return nullptr;
}

// An argument that the author of the tool has not listed; empty: none. A schema that says itself
// what else there may be has its way.
std::string_view unlisted(const json::value& parameters, const json::object& arguments) {
    const json::value* properties = find(parameters, "properties");
    if (properties == nullptr || !properties->is_object()) return {};
    if (find(parameters, "additionalProperties") != nullptr) return {};
    for (const auto& member : arguments) {
        if (!properties->get_object().contains(member.key())) return member.key();
    }
    return {};
}

// What is wrong with a call; empty: nothing.
std::string misuse(const json::object* tool, const CallTool& call) {
    if (tool == nullptr) return fmt::format("there is no tool '{}'", call.name);
    if (!call.problem.empty()) return call.problem;
    if (!call.arguments.is_object()) return "its arguments must be an object";
    const json::value* parameters = tool->if_contains("parameters");
    if (parameters == nullptr) {
        return call.arguments.get_object().empty() ? "" : "it takes no arguments";
    }
    const auto problems = check_document(*parameters, call.arguments);
    if (!problems.empty()) return fmt::format("{} {}", problems[0].pointer, problems[0].message);
    const std::string_view extra = unlisted(*parameters, call.arguments.get_object());
    return extra.empty() ? "" : fmt::format("it takes no argument '{}'", extra);
}

StepRequest as_step(const StepRequest& request, NodeType type, json::object config) {
    StepRequest step = request;
    step.type = type;
    step.config = std::move(config);
    step.turns.clear();
    step.templates = nullptr;
    step.idempotency_key += fmt::format(":{}", request.turns.size());
    return step;
}

std::string with_query(std::string url, const json::object& arguments) {
    char before = url.find('?') == std::string::npos ? '?' : '&';
    for (const auto& [key, value] : arguments) {
        std::string text;
        append_text(text, value);
        url += before + connect::percent_encoded(key) + "=" + connect::percent_encoded(text);
        before = '&';
    }
    return url;
}

json::object http_config(const json::value& tool, const json::object& arguments) {
    json::object config = tool.as_object();
    std::string method(text_in(config, "method"));
    if (method.empty()) method = "GET";
    config["method"] = method;
    if (method == "GET" || method == "DELETE") {
        config["url"] = with_query(std::string(text_in(config, "url")), arguments);
    } else {
        config["body"] = arguments;
    }
    return config;
}

json::object sql_config(const json::value& tool, const json::object& arguments) {
    json::array params;
    if (const json::value* written = find(tool, "params"); written && written->is_array()) {
        for (const json::value& one : written->get_array()) {
            const json::string* text = one.if_string();
            const bool named = text != nullptr && text->starts_with('$');
            const json::value* given =
                named ? arguments.if_contains(std::string_view(*text).substr(1)) : nullptr;
            params.push_back(named ? (given ? *given : json::value()) : one);
        }
    }
    return {
        {"statement", text_in(tool, "statement")},
        {"params", std::move(params)},
        {"read_only", true}};
}

StepOutcome turn_of(json::object turn) {
    StepOutcome outcome = completed(std::move(turn));
    outcome.advances = true;
    return outcome;
}

json::object tool_turn(const StepRequest& request, const CallTool& call) {
    return {
        {"turn", static_cast<std::int64_t>(request.turns.size())},
        {"tool", {{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}}}};
}

asio::awaitable<StepOutcome> call_tool(AgentTools tools, StepRequest request, CallTool call) {
    json::object turn = tool_turn(request, call);
    const json::object* tool = find_tool(request.config, call.name);
    if (std::string problem = misuse(tool, call); !problem.empty()) {
        turn["error"] = std::move(problem);
        co_return turn_of(std::move(turn));
    }
    const json::object& arguments = call.arguments.get_object();
    StepOutcome outcome;
    if (const json::value* http = tool->if_contains("http")) {
        outcome =
            co_await tools.http(as_step(request, NodeType::http, http_config(*http, arguments)));
    } else if (const json::value* sql = tool->if_contains("sql")) {
        outcome = co_await tools.sql(as_step(request, NodeType::sql, sql_config(*sql, arguments)));
    } else {
        json::object config{{"action", text_in(*tool, "action")}, {"params", arguments}};
        outcome = co_await tools.action(as_step(request, NodeType::action, std::move(config)));
    }
    if (!outcome.pending.is_null()) co_return outcome;
    if (outcome.error && outcome.error->error_class == ErrorClass::retryable) co_return outcome;
    if (outcome.error) {
        const bool unknown = outcome.error->error_class == ErrorClass::ambiguous;
        turn["error"] = unknown ? "no answer came: it may have taken place, do not repeat it"
                                : outcome.error->message;
    } else {
        turn["result"] = std::move(outcome.result);
    }
    co_return turn_of(std::move(turn));
}

asio::awaitable<StepOutcome> ask_model(AgentTools tools, StepRequest request, AskModel ask) {
    json::object config{
        {"method", "POST"}, {"url", text_in(request.config, "url")}, {"body", std::move(ask.body)}};
    if (const json::value* headers = request.config.if_contains("headers")) {
        config["headers"] = *headers;
    }
    StepOutcome outcome = co_await tools.http(as_step(request, NodeType::http, std::move(config)));
    // A question changes nothing: one that was not answered is asked again.
    if (outcome.error && outcome.error->error_class == ErrorClass::ambiguous) {
        outcome.error->error_class = ErrorClass::retryable;
    }
    if (outcome.error || !outcome.pending.is_null()) co_return outcome;
    const json::value* body = find(outcome.result, "body");
    auto meant = read_reply(request.config, request.turns, body ? *body : json::value());
    if (auto* turn = std::get_if<AgentTurn>(&meant)) co_return turn_of(std::move(turn->said));
    if (auto* result = std::get_if<AgentResult>(&meant)) {
        co_return completed(std::move(result->result));
    }
    co_return failed(std::move(std::get<StepError>(meant)));
}

}  // namespace

asio::awaitable<StepOutcome> take_agent_turn(AgentTools tools, StepRequest request) {
    // The model has answered; a person is asked about it anew.
    const json::value* draft =
        request.turns.empty() ? nullptr : find(request.turns.back(), "draft");
    if (draft != nullptr) co_return completed(*draft);
    auto next = next_of(request.config, request.turns);
    if (auto* call = std::get_if<CallTool>(&next)) {
        co_return co_await call_tool(std::move(tools), std::move(request), std::move(*call));
    }
    if (auto* ask = std::get_if<AskModel>(&next)) {
        co_return co_await ask_model(std::move(tools), std::move(request), std::move(*ask));
    }
    co_return failed(std::move(std::get<StepError>(next)));
}

}  // namespace pawl::steps
