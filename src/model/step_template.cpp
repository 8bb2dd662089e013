#include "model/step_template.hpp"

#include "base/json.hpp"
#include "model/url_template.hpp"

#include <utility>

namespace pawl {

namespace {

// A text that is one placeholder is the whole URL.
Result<void> encode_in_url(
    NodeType type, const json::object& written, json::object& config, const PathLookup& lookup
) {
    if (type != NodeType::http && type != NodeType::function) return {};
    const json::value* url = written.if_contains("url");
    if (url == nullptr || !url->is_string()) return {};
    const std::string_view text = url->get_string();
    if (text.find("{{") == text.npos || is_whole_placeholder(text)) return {};
    auto rendered = render_url(text, lookup);
    if (!rendered) return Error{Errc::invalid, "url: " + rendered.error().message, {}};
    config["url"] = std::move(*rendered);
    return {};
}

using Texts = std::vector<json::value*>;

void add_text(json::value& config, std::string_view key, Texts& texts) {
    json::object* object = config.if_object();
    json::value* text = object == nullptr ? nullptr : object->if_contains(key);
    if (text != nullptr && text->is_string()) texts.push_back(text);
}

// Programs: part of the definition, never of the data.
Texts fixed_texts(NodeType type, json::value& config) {
    Texts texts;
    if (type == NodeType::sql) add_text(config, "statement", texts);
    if (type == NodeType::transform) add_text(config, "jq", texts);
    json::value* tools =
        type == NodeType::agent ? config.get_object().if_contains("tools") : nullptr;
    if (tools == nullptr || !tools->is_array()) return texts;
    for (json::value& tool : tools->get_array()) {
        json::object* object = tool.if_object();
        json::value* sql = object == nullptr ? nullptr : object->if_contains("sql");
        if (sql != nullptr) add_text(*sql, "statement", texts);
    }
    return texts;
}

}  // namespace

std::vector<std::string> programs_of(NodeType type, const json::object& config) {
    json::value copy(config);
    std::vector<std::string> programs;
    for (const json::value* text : fixed_texts(type, copy))
        programs.emplace_back(text->get_string());
    return programs;
}

json::value without_programs(NodeType type, const json::object& config) {
    json::value copy(config);
    for (json::value* text : fixed_texts(type, copy)) text->get_string().clear();
    return copy;
}

Result<json::object> render_step(
    NodeType type, const json::object& written, const PathLookup& lookup
) {
    json::value config_value(written);
    Texts texts = fixed_texts(type, config_value);
    std::vector<json::string> programs;
    for (json::value* text : texts) programs.push_back(std::exchange(text->get_string(), {}));
    auto rendered = render(config_value, lookup);
    if (!rendered) return std::move(rendered).error();
    json::object& config = rendered->get_object();
    texts = fixed_texts(type, *rendered);
    for (std::size_t i = 0; i < programs.size(); ++i)
        texts[i]->get_string() = std::move(programs[i]);
    if (auto done = encode_in_url(type, written, config, lookup); !done) return done.error();
    return std::move(config);
}

}  // namespace pawl
