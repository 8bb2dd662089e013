#include "model/agent_reader.hpp"

#include "model/json_schema.hpp"
#include "model/people_reader.hpp"
#include "model/template_syntax.hpp"

#include <set>

namespace pawl {

namespace {

constexpr std::size_t tools_max = 20;
constexpr std::size_t choices_max = 20;
constexpr std::size_t seen_max = 100;
constexpr std::int64_t tokens_max = 100'000'000;
constexpr std::int64_t calls_max = 100;

bool is_address(std::string_view url) {
    return url.starts_with("https://") || url.starts_with("http://");
}

// Where a credential goes is part of the definition, never of the data.
void read_address(FlowConfig& config, std::string_view why) {
    config.name("url", why);
    const json::value* url = config.object().if_contains("url");
    if (url != nullptr && !is_template(*url) && !is_address(url->get_string())) {
        config.fields().wrong("url", "must begin with https:// or http://");
    }
}

void read_headers(FlowConfig& config) {
    config.any("headers");
    const json::value* headers = config.object().if_contains("headers");
    if (headers != nullptr && !headers->is_object()) {
        config.fields().wrong("headers", "must be a map of names and values");
        config.object().erase("headers");
    }
    const auto credential = config.fields().text("credential");
    if (!credential) return;
    if (!is_identifier(*credential)) {
        config.fields().wrong("credential", "must name a credential: pawl credentials set");
        return;
    }
    json::value& written = config.object()["headers"];
    json::object& map = written.is_object() ? written.get_object() : written.emplace_object();
    map["Authorization"] = fmt::format("Bearer {{{{ credentials.{} }}}}", *credential);
}

// A schema that check_document understands, of an object if it has to be.
void read_schema(FlowConfig& config, std::string_view key) {
    config.any(key);
    const json::value* schema = config.object().if_contains(key);
    if (schema == nullptr) return;
    if (!schema->is_object()) {
        config.fields().wrong(key, "must be a JSON Schema, such as {type: object, properties: {}}");
        return;
    }
    if (config.fields().problems().stored()) return;
    const auto valid = check_schema(*schema);
    if (!valid) config.fields().wrong(key, valid.error().message);
}

// What the model may see: names with templates, or a list of paths.
void read_sees(FlowConfig& config) {
    config.any("sees");
    json::value* sees = config.object().if_contains("sees");
    if (sees == nullptr) return;
    if (const json::array* paths = sees->if_array()) {
        json::object named;
        for (const json::value& path : *paths) {
            const json::string* text = path.if_string();
            const std::string written =
                fmt::format("{{{{ {} }}}}", text ? std::string_view(*text) : "");
            std::string_view rest = written;
            if (text == nullptr || !take_expression(rest) || !rest.empty()) {
                config.fields().wrong("sees", "must list paths such as user.first_name");
                return;
            }
            named[*text] = written;
        }
        *sees = std::move(named);
    }
    if (!sees->is_object() || sees->get_object().size() > seen_max) {
        config.fields().wrong(
            "sees", "must be a list of paths, or a map of templates; 100 at most"
        );
    }
}

void read_decide(FlowConfig& config) {
    if (!config.has("decide")) return;
    config.names("decide", "must list what can be decided, such as [accept, refuse]");
    const json::value* written = config.object().if_contains("decide");
    const json::array* list = written == nullptr ? nullptr : written->if_array();
    if (list == nullptr) return;
    std::set<std::string_view> known;
    for (const json::value& one : *list) {
        if (!one.is_string()) return;
        const std::string_view word = one.get_string();
        if (!is_identifier(word, true) || word.starts_with("error")) {
            config.fields().wrong("decide", "must list names of ways out, such as accept");
        } else if (!known.insert(word).second) {
            config.fields().wrong("decide", fmt::format("has '{}' twice", word));
        }
    }
    if (list->size() > choices_max) config.fields().wrong("decide", "may list 20 at most");
    const json::value* schema = config.object().if_contains("schema");
    if (schema != nullptr && text_in(*schema, "type") != "object") {
        config.fields().wrong("schema", "must be of an object beside decide: {type: object, ...}");
    }
}

void read_budget(FlowConfig& config) {
    const Document* written = config.fields().take("budget");
    if (written == nullptr) return;
    Fields fields(*written, config.fields().path_of("budget"), config.fields().problems());
    if (written->kind != Document::Kind::map) {
        config.fields().wrong("budget", "must be {tokens, cost, calls}");
        return;
    }
    FlowConfig budget(fields);
    budget.whole("tokens", {1, tokens_max});
    budget.whole("calls", {1, calls_max});
    if (const auto cost = fields.number("cost", {0, 1e6})) budget.object()["cost"] = *cost;
    fields.finish();
    config.object()["budget"] = std::move(budget).take();
    if (!config.has("prices") && config.object()["budget"].as_object().contains("cost")) {
        config.fields().wrong(
            "prices", "must say what a million tokens cost, for a budget of cost: {input, output}"
        );
    }
}

void read_prices(FlowConfig& config) {
    const Document* written = config.fields().take("prices");
    if (written == nullptr) return;
    if (written->kind != Document::Kind::map) {
        config.fields().wrong("prices", "must be {input, output}: of a million tokens");
        return;
    }
    Fields fields(*written, config.fields().path_of("prices"), config.fields().problems());
    json::object prices;
    for (const std::string_view key : {"input", "output"}) {
        const auto price = fields.number(key, {0, 1e6});
        if (fields.take(key) == nullptr) fields.wrong(key, "must be the price of a million tokens");
        prices[key] = price.value_or(0);
    }
    fields.finish();
    config.object()["prices"] = std::move(prices);
}

// The map of a tool of this kind, if it is one.
template <class Read>
void read_kind(FlowConfig& tool, const char* kind, Read read) {
    const Document* written = tool.fields().take(kind);
    if (written == nullptr) return;
    Fields fields(*written, tool.fields().path_of(kind), tool.fields().problems());
    if (written->kind != Document::Kind::map) return;
    FlowConfig config(fields);
    read(config);
    fields.finish();
    tool.object()[kind] = std::move(config).take();
}

void read_http_tool(FlowConfig& http) {
    read_address(http, "must be the address that the tool calls; arguments are no part of it");
    http.word("method", {"GET", "POST", "PUT", "PATCH", "DELETE"});
    read_headers(http);
}

void read_sql_tool(FlowConfig& sql) {
    sql.fixed_text("statement", "must be a query, with $1, $2 for params");
    sql.any("params");
    const json::value* params = sql.object().if_contains("params");
    if (params != nullptr && !params->is_array()) {
        sql.fields().wrong("params", "must be a list; \"$name\" stands for an argument");
    }
}

json::object read_tool(Fields& fields, std::set<std::string>& names) {
    FlowConfig tool(fields);
    int kinds = 0;
    for (const std::string_view kind : {"action", "http", "sql"}) kinds += tool.has(kind) ? 1 : 0;
    if (kinds != 1) fields.wrong("must be one of action, http, sql");
    if (tool.has("action")) tool.name("action", "must name a registered action");
    read_kind(tool, "http", read_http_tool);
    read_kind(tool, "sql", read_sql_tool);
    const std::string name =
        fields.text("name").value_or(std::string(text_in(tool.object(), "action")));
    if (!is_identifier(name))
        fields.wrong("name", "must be how the model calls it, such as look_up");
    if (!names.insert(name).second) fields.wrong("name", "is the name of another tool too");
    tool.object()["name"] = name;
    tool.needed_text("description", "must tell the model what the tool is for");
    read_schema(tool, "parameters");
    fields.finish();
    return std::move(tool).take();
}

void read_tools(FlowConfig& config) {
    const Document* list = config.fields().take("tools");
    if (list == nullptr) return;
    if (list->kind != Document::Kind::list || list->items.size() > tools_max) {
        config.fields().wrong(
            "tools", "must be a list of {name, description, action | http | sql}"
        );
        return;
    }
    std::set<std::string> names;
    json::array tools;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        Fields fields = item_fields(config.fields(), "tools", *list, i);
        tools.push_back(read_tool(fields, names));
    }
    config.object()["tools"] = std::move(tools);
}

// `review: true`, or what a human step says.
void read_review(FlowConfig& config) {
    const Document* written = config.fields().take("review");
    if (written == nullptr) return;
    if (written->kind != Document::Kind::map) {
        if (written->kind != Document::Kind::scalar || !written->scalar.is_bool()) {
            config.fields().wrong("review", "must be true, or say who is asked: {assignee, due}");
        } else if (written->scalar.get_bool()) {
            config.object()["review"] = true;
        }
        return;
    }
    Fields fields(*written, config.fields().path_of("review"), config.fields().problems());
    FlowConfig review(fields);
    review.text("title");
    read_asked(review);
    if (review.object().contains("data")) {
        fields.wrong("data", "is what the model answers: leave it out");
    }
    fields.finish();
    config.object()["review"] = std::move(review).take();
}

}  // namespace

void read_agent(FlowConfig& config) {
    config.needed_text("instructions", "must tell the model what to do");
    config.text("prompt");
    read_address(
        config, "must be where the model is asked, such as https://HOST/v1/chat/completions"
    );
    config.needed_text("model", "must name the model");
    read_headers(config);
    read_schema(config, "schema");
    read_sees(config);
    read_decide(config);
    read_budget(config);
    read_prices(config);
    read_tools(config);
    read_review(config);
    config.any("options");
    const json::value* options = config.object().if_contains("options");
    if (options != nullptr && !options->is_object()) {
        config.fields().wrong("options", "must be a map, such as {temperature: 0}");
    }
}

}  // namespace pawl
