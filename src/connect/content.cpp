#include "connect/content.hpp"

#include "base/json.hpp"
#include "base/utf8.hpp"
#include "connect/message_refusal.hpp"
#include "http/message.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::connect {

namespace {

constexpr std::string_view id_key = "pawl_message";
constexpr std::size_t tag_chars_max = 256;

bool is_tag(std::string_view text) {
    return !text.empty() && text.size() <= tag_chars_max &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-';
           });
}

bool all_of(std::string_view text, bool (*test)(char)) {
    return std::all_of(text.begin(), text.end(), test);
}

// +66812345678, however people group its digits.
std::optional<std::string> phone(std::string_view text) {
    std::string digits;
    for (const char c : text) {
        if (c == ' ' || c == '-' || c == '.' || c == '(' || c == ')') continue;
        digits += c;
    }
    if (!digits.starts_with('+')) return std::nullopt;
    const std::string_view number = std::string_view(digits).substr(1);
    const bool fits = number.size() >= 7 && number.size() <= 15 && number.front() != '0' &&
                      all_of(number, [](char c) { return c >= '0' && c <= '9'; });
    return fits ? std::optional(digits) : std::nullopt;
}

bool is_line_user(std::string_view text) {
    return text.size() >= 2 && text.size() <= 64 && text.front() == 'U' && is_tag(text);
}

bool is_token(std::string_view text) {
    return !text.empty() && text.size() <= 4096 &&
           all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

bool is_web_url(std::string_view text) {
    return (text.starts_with("https://") || text.starts_with("http://")) && is_token(text);
}

// A placeholder that is the whole of a text keeps the type of its value: a code is a number then.
// A receiver that takes anything may get a body that is a map or a list.
Result<void> make_texts(ContentKind kind, json::object& content) {
    for (const std::string_view key : {"text", "subject", "html", "title", "body"}) {
        json::value* value = content.if_contains(key);
        if (value == nullptr || value->is_null()) continue;
        const std::string place = fmt::format("content.{}", key);
        if (kind == ContentKind::any && key == "body" && value->is_structured()) continue;
        if (value->is_structured()) return invalid_content(place, "must be text");
        std::string text;
        append_text(text, *value);
        if (!is_utf8(text)) return invalid_content(place, "is not text in UTF-8");
        *value = text;
    }
    return {};
}

Result<void> prepare_data(const Connector& connector, const Outgoing& message, Prepared& prepared) {
    json::object data;
    json::array tags;
    const auto add = [&](std::string_view key, std::string_view value) {
        data[key] = value;
        tags.push_back(json::object{{"name", key}, {"value", value}});
    };
    std::size_t bytes = 0;
    const json::value* given = find(prepared.content, "data");
    if (given != nullptr && !given->is_null()) {
        if (!given->is_object())
            return invalid_content("content.data", "must be a map of names and texts");
        for (const auto& [key, value] : given->get_object()) {
            const std::string place = fmt::format("content.data.{}", std::string_view(key));
            if (key == id_key) return invalid_content(place, "is Pawl's own: take another name");
            if (value.is_structured() || value.is_null())
                return invalid_content(
                    place, fmt::format("must be text: {} takes no other type", connector.title)
                );
            std::string text;
            append_text(text, value);
            if (connector.content.tags && (!is_tag(key) || !is_tag(text)))
                return invalid_content(
                    place, "may have 1 to 256 letters, digits, _ and -, in its name and value"
                );
            bytes += key.size() + text.size();
            add(key, text);
        }
    }
    const std::size_t most = connector.content.data_bytes_max;
    if (most != 0 && bytes > most)
        return invalid_content(
            "content.data", fmt::format("has {} bytes, at most {}: send less", bytes, most)
        );
    add(id_key, message.message_id);
    prepared.data = std::move(data);
    prepared.tags = std::move(tags);
    return {};
}

Result<void> prepare_kind(
    const Connector& connector, const Account& account, const Outgoing& message, Prepared& prepared
) {
    // Elsewhere `data` is what the receiver makes of it.
    const ContentKind kind = connector.content.kind;
    if (kind == ContentKind::email || kind == ContentKind::push) {
        if (auto done = prepare_data(connector, message, prepared); !done) return done;
    }
    switch (kind) {
        case ContentKind::any: return {};
        case ContentKind::line: return prepare_line(connector, prepared);
        case ContentKind::sms: return prepare_sms(connector, prepared);
        case ContentKind::push: return prepare_push(connector, prepared);
        case ContentKind::email: return prepare_email(connector, account, message, prepared);
    }
    return {};
}

}  // namespace

Result<std::string> check_address(AddressKind kind, std::string_view address) {
    const auto wrong = [](std::string_view what) { return refusal("invalid_address", "to", what); };
    if (address.empty()) return wrong("is missing");
    std::string same(address);
    switch (kind) {
        case AddressKind::any:
            if (!is_utf8(address)) return wrong("is not text in UTF-8");
            return same;
        case AddressKind::email: return same;  // read with the rest of the email
        case AddressKind::phone:
            if (auto number = phone(address)) return std::move(*number);
            return wrong("must be a telephone number with its country: +66812345678");
        case AddressKind::line_user:
            if (is_line_user(address)) return same;
            return wrong("must be the user id that LINE's webhook gives: U and 32 digits");
        case AddressKind::reply_token:
            if (is_token(address)) return same;
            return wrong("must be the replyToken of a LINE event");
        case AddressKind::push_token:
            if (is_token(address)) return same;
            return wrong("must be the registration token of an app");
        case AddressKind::url:
            if (is_web_url(address)) return same;
            return wrong("must be an http or https URL");
    }
    return same;
}

Result<Prepared> prepare(
    const Connector& connector, const Account& account, const Outgoing& message
) {
    Prepared prepared;
    const std::string_view usual = text_in(account.settings, "to");
    auto to = check_address(connector.address, message.to.empty() ? usual : message.to);
    if (!to) return to.error();
    prepared.to = *to;
    prepared.content = message.content;
    if (!prepared.content.is_object())
        return invalid_content("content", "must be a map such as {text: Hello}");
    if (auto done = make_texts(connector.content.kind, prepared.content.get_object()); !done)
        return done.error();
    if (auto done = prepare_kind(connector, account, message, prepared); !done) return done.error();
    const std::size_t bytes_max = connector.content.bytes_max;
    if (bytes_max != 0 && json::serialize(prepared.content).size() > bytes_max)
        return invalid_content("content", fmt::format("is over {} bytes: shorten it", bytes_max));
    return prepared;
}

}  // namespace pawl::connect
