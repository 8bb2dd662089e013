#include "steps/agent_talk.hpp"

#include "base/cut_text.hpp"
#include "base/json.hpp"
#include "model/json_schema.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace pawl::steps {

namespace {

constexpr std::int64_t calls_default = 20;
// How often a model is asked again because its answer does not fit.
constexpr std::int64_t asked_again_max = 2;
constexpr std::size_t tool_calls_max = 10;  // of one reply
constexpr std::size_t tool_text_max = 64 << 10;
constexpr std::size_t problems_shown = 5;
constexpr std::int64_t bytes_per_token = 4;
constexpr double million = 1e6;

StepError refusal(std::string code, std::string message) {
    return {ErrorClass::permanent, std::move(code), std::move(message), std::nullopt};
}

std::int64_t number_in(const json::value* object, std::string_view key) {
    if (object == nullptr) return 0;
    return std::max<std::int64_t>(0, whole_number(find(*object, key)).value_or(0));
}

double price(const json::object& config, std::string_view key) {
    const json::value* prices = config.if_contains("prices");
    const json::value* one = prices == nullptr ? nullptr : find(*prices, key);
    return one != nullptr && one->is_number() ? one->to_number<double>() : 0;
}

const json::value* budget_of(const json::object& config, std::string_view key) {
    const json::value* budget = config.if_contains("budget");
    return budget == nullptr ? nullptr : find(*budget, key);
}

// Why the model is not asked any more; nothing: it may be.
std::optional<StepError> spent(const json::object& config, const AgentUse& use) {
    const json::value* calls = budget_of(config, "calls");
    const auto calls_max = calls ? whole_number(calls).value_or(0) : calls_default;
    if (use.calls >= calls_max) {
        return refusal("budget", fmt::format("it asked the model {} times, its budget", use.calls));
    }
    const json::value* tokens = budget_of(config, "tokens");
    if (tokens != nullptr && use.tokens() >= whole_number(tokens).value_or(0)) {
        return refusal(
            "budget",
            fmt::format(
                "it used {} tokens, and its budget is {}",
                use.tokens(),
                whole_number(tokens).value_or(0)
            )
        );
    }
    const json::value* cost = budget_of(config, "cost");
    if (cost != nullptr && use.cost(config) >= cost->to_number<double>()) {
        return refusal(
            "budget",
            fmt::format(
                "it cost {:.4f}, and its budget is {}", use.cost(config), cost->to_number<double>()
            )
        );
    }
    return std::nullopt;
}

json::object chat_message(std::string_view role, std::string content) {
    return {{"role", role}, {"content", std::move(content)}};
}

std::string system_text(const json::object& config) {
    std::string text(text_in(config, "instructions"));
    const json::value schema = answer_schema(config);
    if (schema.is_null()) return text;
    return text +
           "\n\nAnswer with one JSON document that fits this JSON Schema, and nothing else:\n" +
           json::serialize(schema);
}

// What comes from data stands apart from the instructions.
std::string user_text(const json::object& config) {
    std::string text(text_in(config, "prompt"));
    if (const json::value* sees = config.if_contains("sees")) {
        if (!text.empty()) text += "\n\n";
        text += "What is known, as JSON:\n" + json::serialize(*sees);
    }
    return text.empty() ? "Begin." : text;
}

// A reply as the model has to be reminded of it.
json::object reminded(const json::value& reply) {
    json::object said{{"role", "assistant"}};
    const json::value* content = find(reply, "content");
    said["content"] = content == nullptr ? json::value() : *content;
    const json::value* calls = find(reply, "tool_calls");
    if (calls == nullptr || !calls->is_array()) return said;
    json::array list;
    for (const json::value& call : calls->get_array()) {
        list.push_back(json::object{
            {"id", text_in(call, "id")},
            {"type", "function"},
            {"function",
             {{"name", text_in(call, "name")}, {"arguments", text_in(call, "arguments")}}}});
    }
    said["tool_calls"] = std::move(list);
    return said;
}

void add_turn(json::array& messages, const json::value& turn) {
    if (const json::value* reply = find(turn, "reply")) {
        messages.push_back(reminded(*reply));
        const std::string_view problem = text_in(turn, "problem");
        if (problem.empty()) return;
        messages.push_back(chat_message(
            "user", fmt::format("That answer cannot be used: {}. Answer again.", problem)
        ));
        return;
    }
    const json::value* tool = find(turn, "tool");
    if (tool == nullptr) return;
    const json::value* error = find(turn, "error");
    const json::value* result = find(turn, "result");
    json::value told = error != nullptr ? json::value{{"error", *error}}
                                        : (result == nullptr ? json::value() : *result);
    messages.push_back(json::object{
        {"role", "tool"},
        {"tool_call_id", text_in(*tool, "id")},
        {"content", cut_text(json::serialize(told), tool_text_max)}});
}

json::array tools_of(const json::object& config) {
    json::array list;
    const json::value* tools = config.if_contains("tools");
    if (tools == nullptr || !tools->is_array()) return list;
    for (const json::value& tool : tools->get_array()) {
        const json::value* parameters = find(tool, "parameters");
        list.push_back(json::object{
            {"type", "function"},
            {"function",
             {{"name", text_in(tool, "name")},
              {"description", text_in(tool, "description")},
              {"parameters",
               parameters == nullptr
                   ? json::value{{"type", "object"}, {"properties", json::object()}}
                   : *parameters}}}});
    }
    return list;
}

AskModel question(const json::object& config, const json::array& turns, const AgentUse& use) {
    json::object body;
    if (const json::value* options = config.if_contains("options");
        options && options->is_object()) {
        body = options->get_object();
    }
    body["model"] = text_in(config, "model");
    json::array messages{
        chat_message("system", system_text(config)), chat_message("user", user_text(config))};
    for (const json::value& turn : turns) add_turn(messages, turn);
    body["messages"] = std::move(messages);
    if (json::array tools = tools_of(config); !tools.empty()) body["tools"] = std::move(tools);
    json::value schema = answer_schema(config);
    if (!schema.is_null() && !body.contains("response_format")) {
        body["response_format"] = {
            {"type", "json_schema"},
            {"json_schema", {{"name", "answer"}, {"schema", std::move(schema)}}}};
    }
    const json::value* tokens = budget_of(config, "tokens");
    const bool limited = body.contains("max_tokens") || body.contains("max_completion_tokens");
    if (tokens != nullptr && !limited) {
        body["max_tokens"] = whole_number(tokens).value_or(0) - use.tokens();
    }
    return {std::move(body)};
}

// The calls of the last reply that have no answer yet.
std::optional<CallTool> open_call(const json::array& turns) {
    std::size_t answered = 0;
    for (std::size_t i = turns.size(); i-- > 0;) {
        const json::value* reply = find(turns[i], "reply");
        if (reply == nullptr) {
            ++answered;
            continue;
        }
        const json::value* calls = find(*reply, "tool_calls");
        if (calls == nullptr || !calls->is_array()) return std::nullopt;
        if (answered >= calls->get_array().size()) return std::nullopt;
        const json::value& call = calls->get_array()[answered];
        CallTool open;
        open.id = text_in(call, "id");
        open.name = text_in(call, "name");
        auto arguments = parse_json(text_in(call, "arguments"));
        if (arguments) {
            open.arguments = std::move(*arguments);
        } else {
            open.problem = "its arguments are not JSON: " + arguments.error().message;
        }
        return open;
    }
    return std::nullopt;
}

// Text, or parts of it.
std::string content_of(const json::value& said) {
    const json::value* content = find(said, "content");
    if (content == nullptr) return "";
    if (content->is_string()) return std::string(content->get_string());
    std::string text;
    if (!content->is_array()) return text;
    for (const json::value& part : content->get_array()) text += text_in(part, "text");
    return text;
}

// Without the fences that some put around JSON.
std::string_view unfenced(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
    const auto trim = [&] {
        while (!text.empty() && blank(text.front())) text.remove_prefix(1);
        while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    };
    trim();
    if (!text.starts_with("```") || !text.ends_with("```") || text.size() < 6) return text;
    text.remove_prefix(std::min(text.find('\n'), text.size() - 3));
    text.remove_suffix(3);
    trim();
    return text;
}

json::array calls_in(const json::value& said) {
    json::array list;
    const json::value* calls = find(said, "tool_calls");
    if (calls == nullptr || !calls->is_array()) return list;
    for (const json::value& call : calls->get_array()) {
        const json::value* function = find(call, "function");
        if (function == nullptr || list.size() == tool_calls_max) continue;
        list.push_back(json::object{
            {"id", text_in(call, "id")},
            {"name", text_in(*function, "name")},
            {"arguments", text_in(*function, "arguments")}});
    }
    return list;
}

// What the provider says it counted; else what it must have been about.
json::object usage_in(const json::value& answer, std::size_t asked, std::size_t said) {
    const json::value* usage = find(answer, "usage");
    if (usage != nullptr && usage->is_object()) {
        return {
            {"prompt_tokens", number_in(usage, "prompt_tokens")},
            {"completion_tokens", number_in(usage, "completion_tokens")}};
    }
    return {
        {"prompt_tokens", static_cast<std::int64_t>(asked) / bytes_per_token + 1},
        {"completion_tokens", static_cast<std::int64_t>(said) / bytes_per_token + 1},
        {"estimated", true}};
}

// What is wrong with an answer; empty: nothing, and `answer` is what it says.
std::string misfit(const json::object& config, const std::string& text, json::value& answer) {
    const json::value schema = answer_schema(config);
    if (schema.is_null()) {
        answer = text;
        return text.empty() ? "it is empty" : "";
    }
    auto parsed = parse_json(unfenced(text));
    if (!parsed) return "it is not JSON: " + parsed.error().message;
    const auto problems = check_document(schema, *parsed);
    if (problems.empty()) {
        answer = std::move(*parsed);
        return "";
    }
    std::string all;
    for (std::size_t i = 0; i < std::min(problems.size(), problems_shown); ++i) {
        const SchemaProblem& one = problems[i];
        if (!all.empty()) all += "; ";
        all += (one.pointer.empty() ? "it" : one.pointer) + " " + one.message;
    }
    return all;
}

json::object used(const json::object& config, const AgentUse& use) {
    json::object object{
        {"calls", use.calls},
        {"tool_calls", use.tool_calls},
        {"prompt_tokens", use.prompt_tokens},
        {"completion_tokens", use.completion_tokens}};
    if (config.contains("prices")) object["cost"] = use.cost(config);
    return object;
}

}  // namespace

double AgentUse::cost(const json::object& config) const {
    return (static_cast<double>(prompt_tokens) * price(config, "input") +
            static_cast<double>(completion_tokens) * price(config, "output")) /
           million;
}

AgentUse use_of(const json::array& turns) {
    AgentUse use;
    for (const json::value& turn : turns) {
        if (find(turn, "tool") != nullptr) ++use.tool_calls;
        if (find(turn, "reply") == nullptr) continue;
        ++use.calls;
        const json::value* usage = find(turn, "usage");
        use.prompt_tokens += number_in(usage, "prompt_tokens");
        use.completion_tokens += number_in(usage, "completion_tokens");
    }
    return use;
}

std::variant<AskModel, CallTool, StepError> next_of(
    const json::object& config, const json::array& turns
) {
    if (auto call = open_call(turns)) return std::move(*call);
    const AgentUse use = use_of(turns);
    if (auto refused = spent(config, use)) return std::move(*refused);
    return question(config, turns, use);
}

std::variant<AgentTurn, AgentResult, StepError> read_reply(
    const json::object& config, const json::array& turns, const json::value& answer
) {
    const json::value* choices = find(answer, "choices");
    const bool any = choices != nullptr && choices->is_array() && !choices->get_array().empty();
    const json::value* said = any ? find(choices->get_array()[0], "message") : nullptr;
    if (said == nullptr) {
        return StepError{
            ErrorClass::retryable,
            "model_answer",
            "the answer of the model has no choices[0].message",
            std::nullopt};
    }
    const std::string_view ended = text_in(choices->get_array()[0], "finish_reason");
    if (ended == "content_filter") return refusal("content_filter", "the provider held it back");
    std::string text = content_of(*said);
    json::array calls = calls_in(*said);
    json::object reply{{"content", text}};
    json::object turn{
        {"turn", static_cast<std::int64_t>(turns.size())},
        {"usage", usage_in(answer, user_text(config).size(), text.size())}};
    if (!calls.empty()) {
        reply["tool_calls"] = std::move(calls);
        turn["reply"] = std::move(reply);
        return AgentTurn{std::move(turn)};
    }
    turn["reply"] = std::move(reply);
    json::value value;
    std::string problem = misfit(config, text, value);
    if (!problem.empty() && ended == "length") problem = "it was cut off: " + problem;
    if (!problem.empty()) {
        const auto before = std::count_if(turns.begin(), turns.end(), [](const json::value& one) {
            return find(one, "problem") != nullptr;
        });
        if (before >= asked_again_max) {
            return refusal("agent_answer", "the model was asked again twice, and still " + problem);
        }
        turn["problem"] = std::move(problem);
        return AgentTurn{std::move(turn)};
    }
    json::array all = turns;
    all.push_back(std::move(turn));
    json::object result{{"answer", value}, {"usage", used(config, use_of(all))}};
    if (const std::string_view model = text_in(answer, "model"); !model.empty()) {
        result["model"] = model;
    }
    if (config.contains("decide")) result["decision"] = text_in(value, "decision");
    return AgentResult{std::move(result)};
}

json::value answer_schema(const json::object& config) {
    const json::value* schema = config.if_contains("schema");
    const json::value* decide = config.if_contains("decide");
    if (decide == nullptr) return schema == nullptr ? json::value() : *schema;
    json::object whole{{"type", "object"}};
    if (schema != nullptr && schema->is_object()) whole = schema->get_object();
    json::value& properties = whole["properties"];
    if (!properties.is_object()) properties = json::object();
    properties.get_object()["decision"] = {{"type", "string"}, {"enum", *decide}};
    json::value& required = whole["required"];
    if (!required.is_array()) required = json::array();
    const json::value word("decision");
    json::array& needed = required.get_array();
    if (std::find(needed.begin(), needed.end(), word) == needed.end()) needed.push_back(word);
    return whole;
}

}  // namespace pawl::steps
