#include "base/json.hpp"
#include "base/utf8.hpp"
#include "connect/content.hpp"
#include "connect/message_refusal.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

// Messages as LINE takes them.
namespace pawl::connect {

namespace {

enum class Member { text, alt_text, https_url, object, number };

struct MessageType {
    std::string_view type;
    std::vector<std::pair<std::string_view, Member>> members;  // that it must have
};

const std::vector<MessageType>& message_types() {
    static const std::vector<MessageType> types{
        {"text", {{"text", Member::text}}},
        {"textV2", {{"text", Member::text}}},
        {"flex", {{"altText", Member::alt_text}, {"contents", Member::object}}},
        {"template", {{"altText", Member::alt_text}, {"template", Member::object}}},
        {"imagemap",
         {{"altText", Member::alt_text},
          {"baseUrl", Member::https_url},
          {"baseSize", Member::object}}},
        {"image",
         {{"originalContentUrl", Member::https_url}, {"previewImageUrl", Member::https_url}}},
        {"video",
         {{"originalContentUrl", Member::https_url}, {"previewImageUrl", Member::https_url}}},
        {"audio", {{"originalContentUrl", Member::https_url}, {"duration", Member::number}}},
        {"location",
         {{"title", Member::text},
          {"address", Member::text},
          {"latitude", Member::number},
          {"longitude", Member::number}}},
        {"sticker", {{"packageId", Member::text}, {"stickerId", Member::text}}},
    };
    return types;
}

Result<void> check_text(const json::value& value, std::size_t chars_max, const std::string& place) {
    const auto* text = value.if_string();
    if (text == nullptr || text->empty()) return invalid_content(place, "must be text");
    if (!is_utf8(*text)) return invalid_content(place, "is not text in UTF-8");
    const std::size_t chars = utf16_units(*text);
    if (chars_max != 0 && chars > chars_max)
        return invalid_content(
            place,
            fmt::format("has {} characters, LINE takes at most {}: shorten it", chars, chars_max)
        );
    return {};
}

Result<void> check_member(
    const ContentRules& rules, Member kind, json::value& value, const std::string& place
) {
    constexpr std::size_t url_chars_max = 2000;
    switch (kind) {
        case Member::text:
            // What a placeholder brought in may be a number.
            if (value.is_number() || value.is_bool()) {
                std::string text;
                append_text(text, value);
                value = text;
            }
            return check_text(value, rules.chars_max, place);
        case Member::alt_text: return check_text(value, rules.alt_chars_max, place);
        case Member::https_url:
            if (!value.is_string() || !value.get_string().starts_with("https://"))
                return invalid_content(place, "must be a URL that begins with https://");
            return check_text(value, url_chars_max, place);
        case Member::object:
            if (value.is_object()) return {};
            return invalid_content(place, "must be an object");
        case Member::number:
            if (value.is_number()) return {};
            return invalid_content(place, "must be a number");
    }
    return {};
}

Result<void> check_message(
    const ContentRules& rules, json::value& message, const std::string& place
) {
    if (!message.is_object()) return invalid_content(place, "must be an object with a type");
    const std::string_view type = text_in(message, "type");
    const auto& types = message_types();
    const auto known = std::find_if(types.begin(), types.end(), [&](const MessageType& one) {
        return one.type == type;
    });
    if (known == types.end())
        return invalid_content(
            place + ".type",
            "must be text, textV2, flex, template, imagemap, image, video, audio, location or "
            "sticker"
        );
    for (const auto& [key, kind] : known->members) {
        const std::string inner = fmt::format("{}.{}", place, key);
        json::value* value = message.get_object().if_contains(key);
        if (value == nullptr)
            return invalid_content(inner, fmt::format("is missing: {} needs it", type));
        if (auto done = check_member(rules, kind, *value, inner); !done) return done;
    }
    return {};
}

}  // namespace

Result<void> prepare_line(const Connector& connector, Prepared& prepared) {
    json::object& content = prepared.content.get_object();
    const ContentRules& rules = connector.content;
    const json::value* given = content.if_contains("messages");
    if (given == nullptr || given->is_null()) {
        const json::value* text = content.if_contains("text");
        if (text == nullptr || text->is_null())
            return invalid_content("content", "has neither text nor messages: give one of them");
        if (auto done = check_text(*text, rules.chars_max, "content.text"); !done) return done;
        content["messages"] = json::array{json::object{{"type", "text"}, {"text", *text}}};
        return {};
    }
    json::array* messages = content.at("messages").if_array();
    if (messages == nullptr || messages->empty() || messages->size() > rules.messages_max)
        return invalid_content(
            "content.messages", fmt::format("must be a list of 1 to {}", rules.messages_max)
        );
    for (std::size_t i = 0; i < messages->size(); ++i) {
        auto done = check_message(rules, (*messages)[i], fmt::format("content.messages[{}]", i));
        if (!done) return done;
    }
    return {};
}

}  // namespace pawl::connect
