#include "sandbox/line_rules.hpp"

#include "connect/sms_parts.hpp"
#include "sandbox/wire.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::sandbox {

namespace {

constexpr std::size_t messages_max = 5;
constexpr std::size_t text_max = 5000;
constexpr std::size_t alt_max = 400;

class Checker {
public:
    explicit Checker(json::array& wrong) : wrong_(wrong) {}

    void message(const json::value& value, std::string place) {
        place_ = std::move(place);
        if (!value.is_object()) return say("", "Must be an object");
        const std::string_view type = text_in(value, "type");
        if (type.empty()) return say("type", "May not be empty");
        if (type == "text" || type == "textV2") return text(value, "text", text_max);
        if (type == "image" || type == "video") {
            https(value, "originalContentUrl");
            return https(value, "previewImageUrl");
        }
        if (type == "audio") {
            https(value, "originalContentUrl");
            return number(value, "duration");
        }
        if (type == "sticker") {
            text(value, "packageId", text_max);
            return text(value, "stickerId", text_max);
        }
        if (type == "location") {
            text(value, "title", 100);
            text(value, "address", 100);
            number(value, "latitude");
            return number(value, "longitude");
        }
        if (type == "imagemap") {
            https(value, "baseUrl");
            return text(value, "altText", alt_max);
        }
        if (type == "flex") return flex(value);
        if (type == "template") return from_template(value);
        say("type", "invalid message type");
    }

private:
    void say(std::string_view property, std::string_view message) {
        const std::string where =
            property.empty() ? place_ : fmt::format("{}.{}", place_, property);
        wrong_.push_back(json::object{{"message", message}, {"property", where}});
    }
    void text(const json::value& value, std::string_view key, std::size_t most) {
        const json::value* found = find(value, key);
        if (found == nullptr || !found->is_string() || found->get_string().empty()) {
            return say(key, "May not be empty");
        }
        if (connect::utf16_units(found->get_string()) > most) {
            say(key, fmt::format("Length must be between 0 and {}", most));
        }
    }
    void https(const json::value& value, std::string_view key) {
        if (!is_https(text_in(value, key))) say(key, "invalid uri");
    }
    void number(const json::value& value, std::string_view key) {
        const json::value* found = find(value, key);
        if (found == nullptr || !found->is_number()) say(key, "May not be null");
    }
    void flex(const json::value& value) {
        text(value, "altText", alt_max);
        const json::value* contents = find(value, "contents");
        if (contents == nullptr || !contents->is_object())
            return say("contents", "May not be null");
        const std::string_view type = text_in(*contents, "type");
        if (type != "bubble" && type != "carousel") return say("contents.type", "unknown type");
        if (type == "bubble") return;
        const json::value* bubbles = find(*contents, "contents");
        const std::size_t many =
            bubbles != nullptr && bubbles->is_array() ? bubbles->get_array().size() : 0;
        if (many < 1 || many > 12) say("contents.contents", "Size must be between 1 and 12");
    }
    void from_template(const json::value& value) {
        text(value, "altText", alt_max);
        const json::value* body = find(value, "template");
        if (body == nullptr || !body->is_object()) return say("template", "May not be null");
        const std::string_view type = text_in(*body, "type");
        if (type != "buttons" && type != "confirm" && type != "carousel" &&
            type != "image_carousel") {
            return say("template.type", "invalid template type");
        }
        const json::value* actions =
            find(*body, type.ends_with("carousel") ? "columns" : "actions");
        const std::size_t many =
            actions != nullptr && actions->is_array() ? actions->get_array().size() : 0;
        if (many < 1) say("template.actions", "Size must be between 1 and 4");
    }

    json::array& wrong_;
    std::string place_;
};

}  // namespace

json::array check_line_messages(const json::value* messages) {
    json::array wrong;
    const std::size_t many =
        messages != nullptr && messages->is_array() ? messages->get_array().size() : 0;
    if (many < 1 || many > messages_max) {
        wrong.push_back(json::object{
            {"message", "Size must be between 1 and 5"}, {"property", "messages"}});
        return wrong;
    }
    Checker checker(wrong);
    for (std::size_t i = 0; i < many; ++i) {
        checker.message(messages->get_array()[i], fmt::format("messages[{}]", i));
    }
    return wrong;
}

bool is_line_id(std::string_view text, std::string_view kinds) {
    return text.size() == 33 && kinds.find(text.front()) != kinds.npos &&
           std::all_of(text.begin() + 1, text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

std::string line_text(const json::value& messages) {
    const json::value& first = messages.as_array().at(0);
    const std::string_view text = text_in(first, "text");
    return beginning(text.empty() ? text_in(first, "altText") : text);
}

}  // namespace pawl::sandbox
