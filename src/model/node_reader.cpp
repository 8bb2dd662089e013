#include "model/node_reader.hpp"

#include "base/json.hpp"
#include "model/duration.hpp"
#include "model/name_limits.hpp"
#include "model/step_template.hpp"
#include "model/suggest.hpp"
#include "model/template.hpp"

#include <fmt/format.h>

namespace pawl {

namespace {

constexpr std::int64_t attempts_max = 100;

void read_jitter(Fields& retry, RetryPolicy& policy) {
    const auto jitter = retry.any("jitter");
    if (!jitter || jitter->is_null()) return;
    // One number is the most that is added; a pair is the least and the most.
    json::array pair = jitter->is_array() ? jitter->get_array() : json::array{0, *jitter};
    const bool shaped = pair.size() == 2 && pair[0].is_number() && pair[1].is_number();
    const double low = shaped ? pair[0].to_number<double>() : -1;
    const double high = shaped ? pair[1].to_number<double>() : -1;
    if (!(low >= 0 && low <= high && high <= 1)) {
        retry.wrong("jitter", "must be a number from 0 to 1, or a list of the least and the most");
        return;
    }
    policy.jitter_min = low;
    policy.jitter_max = high;
}

std::optional<Ambiguous> read_ambiguous(Fields& retry) {
    const auto text = retry.text("ambiguous");
    if (!text) return std::nullopt;
    const auto known = parse_ambiguous(*text);
    if (!known) retry.wrong("ambiguous", "must be 'retry', 'fail' or 'settle'");
    return known;
}

std::string read_id(Fields& fields) {
    const auto id = fields.text("id");
    const auto step_name = fields.text("name");
    const std::string_view key = id ? "id" : "name";
    std::string value = id ? *id : step_name.value_or("");
    if (value.empty()) {
        fields.wrong(key, "is missing: every step needs a name");
    } else if (!is_identifier(value)) {
        fields.wrong(
            key,
            "must start with a letter (a-z, A-Z) or _ and hold only such "
            "letters, digits, _ and - (100 at most)"
        );
    }
    return value;
}

// The type that is written, or that the keys give away.
std::optional<NodeType> read_type(Fields& fields) {
    if (const auto written = fields.text("type")) {
        const auto type = parse_node_type(*written);
        if (!type) {
            auto hint = suggest(*written, all_node_type_names());
            if (hint.empty()) {
                hint = fmt::format(": use one of {}", fmt::join(all_node_type_names(), ", "));
            }
            fields.wrong("type", fmt::format("'{}' is not a step type{}", *written, hint));
        }
        return type;
    }
    if (fields.has("code")) return NodeType::code;
    if (fields.has("wait") || fields.has("duration")) return NodeType::wait;
    if (fields.has("function")) return NodeType::function;
    if (fields.has("http") || fields.has("api_call")) return NodeType::http;
    // The model of an agent has a URL too.
    if (fields.has("url") && !fields.has("agent")) return NodeType::http;
    // Any other type may be written as the key of its config.
    for (const std::string_view word : all_node_type_names()) {
        if (fields.has(word)) return parse_node_type(word);
    }
    return std::nullopt;
}

json::object read_nested(NodeType type, const Document& map, Fields& outer, std::string_view key) {
    Fields inner(map, outer.path_of(key), outer.problems());
    json::object config = read_config(type, inner);
    inner.finish();
    return config;
}

// What a step of this type is mostly about: `wait: 2d` stands for `wait: {duration: 2d}`.
std::string_view main_key(NodeType type) {
    switch (type) {
        case NodeType::code: return "function";
        case NodeType::transform: return "jq";
        case NodeType::sql: return "statement";
        case NodeType::action: return "action";
        case NodeType::call: return "workflow";
        case NodeType::lock:
        case NodeType::unlock: return "key";
        case NodeType::join: return "mode";
        case NodeType::foreach_: return "items";
        case NodeType::loop: return "times";
        case NodeType::emit:
        case NodeType::goal: return "event";
        case NodeType::agent: return "instructions";
        case NodeType::human: return "title";
        case NodeType::cancel: return "nodes";
        case NodeType::exit: return "status";
        case NodeType::end: return "output";
        default: return "duration";
    }
}

// The config may stand under `config`, under the name of the type, or beside the other keys.
json::object read_any_config(NodeType type, Fields& fields) {
    if (const Document* map = fields.take("config")) {
        return read_nested(type, *map, fields, "config");
    }
    const bool document_word = type == NodeType::http && fields.has("api_call");
    const std::string_view shorthand = document_word ? "api_call" : name(type);
    if (type == NodeType::function || !fields.has(shorthand)) return read_config(type, fields);
    const Document* written = fields.take(shorthand);
    if (type == NodeType::http || (written != nullptr && written->kind == Document::Kind::map)) {
        if (written != nullptr) {
            return read_nested(type, *written, fields, shorthand);
        }
        return read_config(type, fields);
    }
    fields.alias(main_key(type), shorthand);
    return read_config(type, fields);
}

// What the plan of a code workflow lays its own over; it is complete only then.
json::object read_planned_config(NodeType type, Fields& fields) {
    const bool chooses =
        type >= NodeType::condition && type != NodeType::emit && type != NodeType::human;
    if (chooses) {
        fields.wrong(
            "type",
            fmt::format("'{}' chooses a way, and in a code workflow the plan does that", name(type))
        );
    }
    const auto config = fields.any("config");
    if (!config || config->is_null()) return {};
    if (config->is_object()) return config->get_object();
    fields.wrong("config", "must be a map");
    return {};
}

bool read_disabled(Fields& fields, const NodeDefaults& defaults) {
    const auto disabled = fields.any("disabled");
    if (!disabled) return false;
    if (!disabled->is_bool()) fields.wrong("disabled", "must be true or false");
    if (*disabled == true && defaults.planned) {
        fields.wrong("disabled", "is for workflows with edges: a plan decides what is done");
    }
    return *disabled == true;
}

struct Stated {
    bool retry = false;
    std::optional<Ambiguous> ambiguous;
    std::optional<std::string> on_failure;
    std::vector<std::optional<Ambiguous>> by_rule = {};
};

// A list: each policy names the errors it is for.
void read_retry_rules(const Document& list, Fields& fields, Node& node, Stated& stated) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        Fields rule_fields(
            list.items[i], fmt::format("{}[{}]", fields.path_of("retry"), i), fields.problems()
        );
        RetryRule rule;
        const auto errors = rule_fields.any("errors");
        const json::array* names = errors ? errors->if_array() : nullptr;
        for (const json::value& error : names != nullptr ? *names : json::array{}) {
            if (error.is_string()) rule.errors.emplace_back(error.get_string());
        }
        if (names == nullptr || rule.errors.empty() || rule.errors.size() != names->size()) {
            rule_fields.wrong(
                "errors",
                "must list error codes or classes, such as [timeout, http_503], or [\"*\"]"
            );
        }
        rule.policy = node.retry;
        read_retry(std::move(rule_fields), rule.policy, stated.by_rule.emplace_back());
        node.retry_rules.push_back(std::move(rule));
    }
}

Stated read_policy(Fields& fields, const NodeDefaults& defaults, Node& node) {
    Stated stated{defaults.retry_given, defaults.ambiguous, fields.text("on_failure")};
    node.retry = defaults.retry;
    const Document* retry = fields.take("retry");
    if (retry == nullptr) return stated;
    stated.retry = true;
    if (retry->kind == Document::Kind::list) {
        read_retry_rules(*retry, fields, node, stated);
    } else {
        read_retry(
            Fields(*retry, fields.path_of("retry"), fields.problems()), node.retry, stated.ambiguous
        );
    }
    return stated;
}

// Whether what a step asks for may be asked twice. The config of a code workflow is as it was
// written: the method in any case, or none where the body gives it away (steps/http.cpp).
bool is_repeatable(const Node& node) {
    // The executor reports an unknown outcome as retryable where the provider knows repeats.
    if (node.type == NodeType::message) return false;
    if (node.type != NodeType::http) return true;
    const json::value* body = node.config.if_contains("body");
    const bool has_body = body != nullptr && !body->is_null() && *body != "";
    const json::value* given = node.config.if_contains("method");
    std::string method = has_body ? "POST" : "GET";
    if (given != nullptr && given->is_string()) method = std::string(given->get_string());
    for (char& c : method) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return method != "POST" && method != "PATCH";
}

// `on_failure` alone means one attempt, and `on_failure: retry` the workflow's number of retries:
// that is how step lists without a retry policy have always been read.
void settle_policy(const Stated& stated, const NodeDefaults& defaults, Fields& fields, Node& node) {
    if (stated.on_failure) {
        const std::string& word = *stated.on_failure;
        if (word != "abort" && word != "continue" && word != "retry") {
            fields.wrong("on_failure", "must be 'abort', 'continue' or 'retry'");
        }
        if (word == "continue") node.on_failure = OnFailure::continue_;
        if (!stated.retry) node.retry.attempts = word == "retry" ? defaults.max_retries + 1 : 1;
        // Whatever went wrong: a function that answers 400 is asked again too.
        if (!stated.retry) node.retry.permanent = word == "retry";
    }
    const auto usual = is_repeatable(node) ? Ambiguous::retry : Ambiguous::settle;
    const auto general = stated.ambiguous.value_or(usual);
    node.retry.ambiguous = general;
    if (node.retry_rules.empty()) return;
    for (std::size_t i = 0; i < node.retry_rules.size(); ++i) {
        node.retry_rules[i].policy.ambiguous = stated.by_rule[i].value_or(general);
    }
    // What no rule names is not tried again. A rule of its own keeps what the workflow says.
    node.retry = {.attempts = 1, .ambiguous = usual};
    if (general != usual)
        node.retry_rules.push_back({{"*"}, {.attempts = 1, .ambiguous = general}});
}

// A timeout of a node that waits belongs to what it waits for; of others it would mean nothing.
void limit_wait(Node& node, json::value limit, Fields& fields) {
    const bool told = node.config.contains("event") || node.config.contains("events") ||
                      node.config.contains("signal");
    if (node.type == NodeType::wait && !told) {
        fields.wrong(
            "timeout", "is for a wait for an event or a signal: a wait for a time ends anyway"
        );
        return;
    }
    const bool person = node.type == NodeType::human;
    if (!takes_time(node.type)) {
        fields.wrong("timeout", fmt::format("'{}' takes no time: leave it out", name(node.type)));
        return;
    }
    const std::string_view key = person ? "due" : "timeout";
    if (person && node.config.contains(key)) {
        fields.wrong("timeout", "and due are the same: keep one");
        return;
    }
    const bool text = limit.is_string();
    const bool rendered = text && limit.get_string().find("{{") != std::string_view::npos;
    if (const auto parsed = duration_from_json(limit); !rendered && !parsed) {
        fields.wrong("timeout", parsed.error().message);
    }
    if (!node.config.contains(key)) node.config[key] = std::move(limit);
}

}  // namespace

void read_retry(Fields retry, RetryPolicy& policy, std::optional<Ambiguous>& ambiguous) {
    if (const auto attempts = retry.whole("attempts", {1, attempts_max})) {
        policy.attempts = static_cast<int>(*attempts);
    }
    if (const auto base = retry.positive_duration("base")) policy.base = *base;
    if (const auto factor = retry.number("factor", {1, 100})) policy.factor = *factor;
    if (const auto cap = retry.positive_duration("cap")) policy.cap = *cap;
    read_jitter(retry, policy);
    if (const auto permanent = retry.any("permanent")) {
        if (!permanent->is_bool()) retry.wrong("permanent", "must be true or false");
        policy.permanent = *permanent == true;
    }
    if (const auto said = read_ambiguous(retry)) ambiguous = said;
    retry.finish();
}

Node read_node(
    const Document& document, std::string path, const NodeDefaults& defaults, Problems& problems
) {
    Node node;
    Fields fields(document, std::move(path), problems);
    if (document.kind != Document::Kind::map) return node;
    node.id = read_id(fields);
    const auto type = read_type(fields);
    const Stated stated = read_policy(fields, defaults, node);
    const bool attempts = !type || has_attempts(*type) || defaults.planned || defaults.stored;
    std::optional<json::value> limit;
    if (attempts) {
        const auto timeout = fields.positive_duration("timeout");
        node.timeout = timeout ? timeout : defaults.timeout;
    } else {
        limit = fields.any("timeout");
    }
    node.compensate = fields.text("compensate").value_or("");
    node.disabled = read_disabled(fields, defaults);
    if (!type) {
        for (const std::string_view key : all_node_type_names()) fields.take(key);
        fields.finish();
        fields.wrong("does not say what to do: give it a type, or one of code, function, http, wait"
        );
        return node;
    }
    node.type = *type;
    node.config =
        defaults.planned ? read_planned_config(*type, fields) : read_any_config(*type, fields);
    if (limit && !limit->is_null()) limit_wait(node, std::move(*limit), fields);
    settle_policy(stated, defaults, fields, node);
    fields.finish();
    if (const auto problem = name_problem(node.type, node.config, Names::written);
        !problem.empty()) {
        fields.wrong(problem);
    }
    node.has_templates = has_placeholder(without_programs(node.type, node.config));
    return node;
}

}  // namespace pawl
