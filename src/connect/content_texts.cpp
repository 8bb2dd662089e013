#include "base/json.hpp"
#include "connect/content.hpp"
#include "connect/message_refusal.hpp"
#include "http/message.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>

// Text messages, pushes and emails.
namespace pawl::connect {

namespace {

// Firebase uses these names itself.
bool is_reserved(std::string_view key) {
    return key == "from" || key == "message_type" || key.starts_with("google") ||
           key.starts_with("gcm");
}

json::object parts_of(const Address& address) {
    json::object parts{{"email", address.address}};
    if (!address.name.empty()) parts["name"] = address.name;
    return parts;
}

bool is_header_url(std::string_view url) {
    return (url.starts_with("https://") || url.starts_with("http://")) &&
           std::all_of(url.begin(), url.end(), [](char c) {
               return c > ' ' && c < 0x7f && c != '<' && c != '>';
           });
}

Result<Email> read_parts(
    const Account& account, const Outgoing& message, const Prepared& prepared
) {
    const json::value& content = prepared.content;
    json::object parts{{"to", prepared.to}, {"idempotency_key", message.message_id}};
    for (const std::string_view key : {"subject", "text", "html"}) {
        if (const json::value* value = find(content, key)) parts[key] = *value;
    }
    if (!message.unsubscribe_url.empty()) {
        parts["headers"] = json::object{
            {"List-Unsubscribe", fmt::format("<{}>", message.unsubscribe_url)},
            {"List-Unsubscribe-Post", "List-Unsubscribe=One-Click"}};
    }
    const std::string_view from = text_in(account.settings, "from");
    const std::string_view reply_to = text_in(account.settings, "reply_to");
    if (!reply_to.empty()) parts["reply_to"] = reply_to;
    auto email = read_email(parts, from);
    if (email) return email;
    // Again one at a time, so that the error has a place.
    const json::object body{{"text", "-"}};
    json::object only = body;
    only["to"] = "a@b";
    if (!read_email(only, from))
        return refusal("invalid_account", "settings.from", "must be an email address");
    if (!reply_to.empty()) {
        only["reply_to"] = reply_to;
        if (!read_email(only, from))
            return refusal("invalid_account", "settings.reply_to", "must be an email address");
    }
    only = body;
    only["to"] = prepared.to;
    if (!read_email(only, from))
        return refusal("invalid_address", "to", "must be one email address");
    return invalid_content("content", email.error().message);
}

}  // namespace

Result<void> prepare_sms(const Connector& connector, Prepared& prepared) {
    json::object& content = prepared.content.get_object();
    std::string_view text = text_in(content, "text");
    if (text.empty()) text = text_in(content, "body");
    if (text.empty()) return invalid_content("content.text", "is missing: write what is sent");
    prepared.parts = count_sms(text);
    const ContentRules& rules = connector.content;
    const std::size_t chars = utf16_units(text);
    if (rules.chars_max != 0 && chars > rules.chars_max)
        return invalid_content(
            "content.text",
            fmt::format(
                "has {} characters, {} takes at most {}: shorten it",
                chars,
                connector.title,
                rules.chars_max
            )
        );
    if (rules.parts_max != 0 && prepared.parts.parts > rules.parts_max)
        return invalid_content(
            "content.text",
            fmt::format(
                "takes {} parts as {}, at most {}: shorten it",
                prepared.parts.parts,
                prepared.parts.encoding(),
                rules.parts_max
            )
        );
    content["text"] = std::string(text);
    prepared.sms =
        json::object{{"encoding", prepared.parts.encoding()}, {"parts", prepared.parts.parts}};
    return {};
}

Result<void> prepare_push(const Connector& connector, Prepared& prepared) {
    json::object& content = prepared.content.get_object();
    const std::string text(text_in(content, "text"));
    if (text_in(content, "body").empty() && !text.empty()) content["body"] = text;
    std::size_t bytes = 0;
    for (const char* key : {"title", "body"}) {
        const std::string_view part = text_in(content, key);
        bytes += part.size();
        if (part.empty()) content.erase(key);
    }
    const json::value* data = content.if_contains("data");
    const json::object* given = data == nullptr ? nullptr : data->if_object();
    if (bytes == 0 && (given == nullptr || given->empty()))
        return invalid_content("content", "has neither title, body nor data: give one of them");
    if (given != nullptr) {
        for (const auto& [key, value] : *given) {
            if (is_reserved(key))
                return invalid_content(
                    fmt::format("content.data.{}", std::string_view(key)),
                    "is a name that Firebase uses itself: take another one"
                );
        }
    }
    const std::size_t most = connector.content.data_bytes_max;
    if (most != 0 && bytes + json::serialize(prepared.data).size() > most)
        return invalid_content(
            "content", fmt::format("is over {} bytes with its data: shorten it", most)
        );
    return {};
}

Result<void> prepare_email(
    const Connector&, const Account& account, const Outgoing& message, Prepared& prepared
) {
    const std::string_view subject = text_in(prepared.content, "subject");
    if (subject.empty()) return invalid_content("content.subject", "is missing");
    if (!http::is_field_value(subject))
        return invalid_content(
            "content.subject", "holds a line end or another control character: remove it"
        );
    if (text_in(prepared.content, "text").empty() && text_in(prepared.content, "html").empty())
        return invalid_content("content", "has neither text nor html: give one of them");
    if (!message.unsubscribe_url.empty() && !is_header_url(message.unsubscribe_url))
        return invalid_content("unsubscribe_url", "must be an http or https URL");
    auto email = read_parts(account, message, prepared);
    if (!email) return email.error();
    json::object seen{
        {"from", parts_of(email->from)},
        {"from_text", to_text(email->from)},
        {"to", parts_of(email->to.front())},
        {"to_text", to_text(email->to.front())}};
    if (!email->reply_to.empty()) {
        seen["reply_to"] = parts_of(email->reply_to.front());
        seen["reply_to_text"] = to_text(email->reply_to.front());
    }
    json::object headers;
    for (const auto& [name, value] : email->headers) headers[name] = value;
    if (!headers.empty()) seen["headers"] = std::move(headers);
    prepared.email = std::move(seen);
    prepared.mail = std::move(*email);
    return {};
}

}  // namespace pawl::connect
