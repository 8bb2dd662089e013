#include "model/journey_reader.hpp"

#include "model/person_root.hpp"
#include "model/step_template.hpp"
#include "model/template.hpp"

#include <algorithm>
#include <set>

namespace pawl {

namespace {

constexpr std::size_t variants_max = 20;
constexpr std::int64_t share_max = 1'000'000;

bool is_person(const Path& path) {
    return !path.empty() && path[0].key == person_root;
}

// A path of a condition, wherever in the config the condition is.
bool has_person_path(const json::value& value) {
    if (const json::array* list = value.if_array()) {
        return std::any_of(list->begin(), list->end(), has_person_path);
    }
    const json::object* object = value.if_object();
    if (object == nullptr) return false;
    for (const std::string_view key : {"path", "field"}) {
        const std::string_view path = text_in(*object, key);
        const bool person = path.starts_with(person_root);
        if (person && (path.size() == person_root.size() || path[person_root.size()] == '.')) {
            return true;
        }
    }
    return std::any_of(object->begin(), object->end(), [](const auto& member) {
        return member.key() != "value" && member.key() != "query" &&
               has_person_path(member.value());
    });
}

bool judges(NodeType type) {
    return type == NodeType::condition || type == NodeType::switch_ || type == NodeType::loop;
}

// Until a time of the day where the person is.
bool waits_for_local_time(const Node& node) {
    const json::value* until = node.config.if_contains("until");
    return node.type == NodeType::wait && until != nullptr && until->is_object() &&
           text_in(*until, "timezone") == person_zone;
}

bool has_person_text(const Node& node) {
    if (!node.has_templates) return false;
    const auto found = placeholders(without_programs(node.type, node.config));
    return found && std::any_of(found->begin(), found->end(), [](const Placeholder& one) {
               return is_person(one.path);
           });
}

}  // namespace

void read_message(FlowConfig& config) {
    config.word("channel", {"line", "sms", "email", "push", "webhook"});
    if (!config.has("channel")) {
        config.fields().wrong(
            "channel", "must say how it is sent: line, sms, email, push, webhook"
        );
    }
    if (config.has("connector")) config.name("connector", "must name a connector");
    if (config.has("account")) config.name("account", "must name an account of the connector");
    const bool by_name = config.has("template");
    if (by_name) config.name("template", "must name a message template");
    bool says = false;
    for (const std::string_view key : message_content_keys) {
        says = says || config.has(key);
        config.any(key);
    }
    if (by_name == says) {
        config.fields().wrong(
            says ? "has a template and a content of its own: keep one of them"
                 : "says nothing: give a template, or text, html, messages or another content"
        );
    }
    config.word("category", {"marketing", "transactional"});
    config.flag("track");
    config.text("to");
    config.any("with");
}

void read_split(FlowConfig& config) {
    const Document* list = config.fields().take("variants");
    if (list == nullptr || list->kind != Document::Kind::list || list->items.empty() ||
        list->items.size() > variants_max) {
        config.fields().wrong("variants", "must be a list of {name, share}, 20 at most");
        return;
    }
    json::array variants;
    std::set<std::string> names;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        Fields fields(
            list->items[i],
            fmt::format("{}[{}]", config.fields().path_of("variants"), i),
            config.fields().problems()
        );
        const std::string name = fields.text("name").value_or("");
        const auto share = fields.whole("share", {1, share_max});
        if (!is_identifier(name, true)) fields.wrong("name", "must name the variant, such as a");
        if (name.starts_with("error")) fields.wrong("name", "may not begin with error");
        if (!names.insert(name).second) fields.wrong("name", "is the name of another variant too");
        if (!share && !fields.has("share")) fields.wrong("share", "must be its share, such as 50");
        fields.finish();
        variants.push_back(json::object{{"name", name}, {"share", share.value_or(1)}});
    }
    config.object()["variants"] = std::move(variants);
}

bool concerns_person(NodeType type) {
    return type == NodeType::message || type == NodeType::action || type == NodeType::split;
}

bool names_person(const Edge& edge) {
    const auto found = placeholders(edge.when);
    const bool text = found && std::any_of(found->begin(), found->end(), [](const auto& one) {
                          return is_person(one.path);
                      });
    return text || has_person_path(edge.when);
}

std::string person_problem(const Node& node) {
    if (!node.reads_person) return "";
    switch (node.type) {
        case NodeType::code:
        case NodeType::function:
        case NodeType::http:
        case NodeType::transform:
        case NodeType::sql:
        case NodeType::message:
        case NodeType::action:
        case NodeType::agent:
        case NodeType::condition:
        case NodeType::wait:
        case NodeType::goal:
        case NodeType::human:
        case NodeType::emit:
        case NodeType::switch_: return "";
        default: break;
    }
    return fmt::format(
        "{} nodes cannot read '{{{{user...}}}}': use it in a message, condition, switch, wait, "
        "human, "
        "emit, agent, http, function, sql, code or transform step, and pass on its result",
        name(node.type)
    );
}

void note_person(Definition& definition) {
    const bool implied =
        std::any_of(definition.nodes.begin(), definition.nodes.end(), [](const Node& node) {
            return concerns_person(node.type) || waits_for_local_time(node);
        });
    definition.person = definition.person || implied;
    if (!definition.person) return;
    for (Node& node : definition.nodes) {
        node.reads_person = node.type == NodeType::message || has_person_text(node) ||
                            (judges(node.type) && has_person_path(node.config));
    }
}

}  // namespace pawl
