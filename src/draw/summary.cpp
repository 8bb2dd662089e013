#include "draw/summary.hpp"

#include "base/json.hpp"
#include "model/template.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

#include <array>

namespace pawl::draw {

namespace {

// The first of these that a config has as text or number.
constexpr std::array<std::string_view, 19> telling{
    "function",
    "model",
    "workflow",
    "title",
    "event",
    "signal",
    "duration",
    "until",
    "local_time",
    "date",
    "mode",
    "items",
    "jq",
    "statement",
    "key",
    "status",
    "value",
    "times",
    "url"};

std::string text_of(const json::value& value) {
    std::string text;
    append_text(text, value);
    return text;
}

std::string listed(const json::array& parts, std::string_view word) {
    std::string text;
    for (const json::value& part : parts) {
        if (!text.empty()) text += fmt::format(" {} ", word);
        const json::value* nested = find(part, word == "and" ? "any" : "all");
        text +=
            nested != nullptr ? fmt::format("({})", condition_text(part)) : condition_text(part);
    }
    return text;
}

std::string comparison(const json::object& condition, std::string_view left) {
    const json::value* op = condition.if_contains("operator");
    const json::value* right = condition.if_contains("value");
    std::string text(left);
    text += fmt::format(" {}", op != nullptr && op->is_string() ? text_of(*op) : "=");
    if (right != nullptr) text += fmt::format(" {}", text_of(*right));
    return text;
}

}  // namespace

std::string condition_text(const json::value& condition) {
    const json::object* object = condition.if_object();
    if (object == nullptr) return text_of(condition);
    for (const auto& [key, word] : {std::pair("all", "and"), std::pair("any", "or")}) {
        const json::value* parts = object->if_contains(key);
        if (parts != nullptr && parts->is_array()) return listed(parts->get_array(), word);
    }
    if (const json::value* inner = object->if_contains("not")) {
        return fmt::format("not ({})", condition_text(*inner));
    }
    for (const char* key : {"path", "field"}) {
        const json::value* left = object->if_contains(key);
        if (left != nullptr && left->is_string()) return comparison(*object, left->get_string());
    }
    const json::value* query = object->if_contains("query");
    if (query != nullptr && query->is_object()) {
        const json::value* table = find(*query, "table");
        const json::value* field = find(*query, "field");
        const std::string left = fmt::format(
            "{}.{}",
            table == nullptr ? "?" : text_of(*table),
            field == nullptr ? "?" : text_of(*field)
        );
        return comparison(query->get_object(), left);
    }
    return "";
}

std::string summary(const json::object& config) {
    const json::value* until = config.if_contains("until");
    if (until != nullptr && until->is_object() && find(*until, "local_time") != nullptr) {
        return fmt::format("{} local time", text_of(*find(*until, "local_time")));
    }
    for (const char* key : {"while", "until", "when"}) {
        const json::value* condition = config.if_contains(key);
        if (condition != nullptr && condition->is_object()) {
            return fmt::format("{} {}", key, condition_text(*condition));
        }
    }
    if (auto condition = condition_text(config); !condition.empty()) return condition;
    const json::value* method = config.if_contains("method");
    for (std::string_view key : telling) {
        const json::value* value = config.if_contains(key);
        if (value == nullptr || value->is_structured() || value->is_null()) continue;
        const json::value* count = config.if_contains("count");
        if (key == "mode" && count != nullptr) {
            return fmt::format("{} {}", text_of(*value), text_of(*count));
        }
        if (key == "url" && method != nullptr) {
            return fmt::format("{} {}", text_of(*method), text_of(*value));
        }
        return text_of(*value);
    }
    return "";
}

}  // namespace pawl::draw
