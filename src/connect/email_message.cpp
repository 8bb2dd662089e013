#include "connect/email_message.hpp"

#include "base/json.hpp"
#include "base/utf8.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

namespace pawl::connect {

namespace {

constexpr std::size_t recipients_max = 50;
constexpr std::size_t subject_bytes_max = 998;
constexpr std::size_t body_bytes_max = 10 << 20;
constexpr std::size_t headers_max = 50;

// Headers that follow from the rest of the message.
constexpr std::string_view own_headers[] = {
    "from",
    "to",
    "cc",
    "bcc",
    "reply-to",
    "subject",
    "date",
    "message-id",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
    "sender",
    "return-path",
    "received"};

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_address(std::string_view text) {
    const auto at = text.rfind('@');
    if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) return false;
    return text.size() <= 320 && std::all_of(text.begin(), text.end(), [](char c) {
               return c > ' ' && c < 0x7f && c != '<' && c != '>' && c != ',' && c != ';' &&
                      c != '"';
           });
}

std::optional<Address> parse_address(std::string_view text) {
    text = trimmed(text);
    if (!http::is_field_value(text) || !is_utf8(text)) return std::nullopt;
    Address address;
    if (const auto open = text.rfind('<'); open != std::string_view::npos && text.ends_with('>')) {
        std::string_view name = trimmed(text.substr(0, open));
        if (name.size() >= 2 && name.starts_with('"') && name.ends_with('"'))
            name = name.substr(1, name.size() - 2);
        address.name = name;
        text = text.substr(open + 1, text.size() - open - 2);
    }
    if (!is_address(text)) return std::nullopt;
    address.address = text;
    return address;
}

class Reader {
public:
    explicit Reader(const json::object& message) : message_(message) {}

    std::vector<Address> addresses(std::string_view key) {
        std::vector<Address> found;
        const json::value* value = message_.if_contains(key);
        if (value == nullptr || value->is_null()) return found;
        const json::array one = {*value};
        for (const json::value& item : value->is_array() ? value->get_array() : one) {
            auto address =
                item.is_string() ? parse_address(item.get_string()) : std::optional<Address>();
            if (!address) {
                wrong(fmt::format("{} holds something that is not an email address", key));
                return {};
            }
            found.push_back(std::move(*address));
        }
        return found;
    }

    std::string text(std::string_view key, std::size_t bytes_max) {
        const json::value* value = message_.if_contains(key);
        if (value == nullptr || value->is_null()) return {};
        if (!value->is_string()) {
            wrong(fmt::format("{} must be text", key));
        } else if (value->get_string().size() > bytes_max) {
            wrong(fmt::format("{} is over {} bytes", key, bytes_max));
        } else {
            return std::string(value->get_string());
        }
        return {};
    }

    std::vector<std::pair<std::string, std::string>> headers() {
        std::vector<std::pair<std::string, std::string>> found;
        const json::value* value = message_.if_contains("headers");
        if (value == nullptr || value->is_null()) return found;
        if (!value->is_object() || value->get_object().size() > headers_max) {
            wrong("headers must be an object with a few texts");
            return found;
        }
        for (const auto& [key, text] : value->get_object()) {
            const bool taken = std::any_of(
                std::begin(own_headers),
                std::end(own_headers),
                [&key = key](std::string_view own) { return http::equal_ignoring_case(own, key); }
            );
            if (taken || !http::is_token(key) || !text.is_string() ||
                !http::is_field_value(text.get_string()) ||
                text.get_string().size() > subject_bytes_max) {
                wrong(fmt::format("headers.{} cannot be set", std::string_view(key)));
                return found;
            }
            found.emplace_back(key, std::string(text.get_string()));
        }
        return found;
    }

    void wrong(std::string message) {
        if (!problem) problem = Error{Errc::invalid, std::move(message), {}};
    }

    std::optional<Error> problem;

private:
    const json::object& message_;
};

}  // namespace

Result<Email> read_email(const json::object& message, std::string_view usual_from) {
    Reader reader(message);
    Email email;
    const std::string from = reader.text("from", subject_bytes_max);
    if (auto address = parse_address(from.empty() ? usual_from : from)) {
        email.from = std::move(*address);
    } else if (from.empty() && usual_from.empty()) {
        reader.wrong("it has no sender: give `from`, or configure one");
    } else {
        reader.wrong("from is not an email address");
    }
    email.to = reader.addresses("to");
    email.cc = reader.addresses("cc");
    email.bcc = reader.addresses("bcc");
    email.reply_to = reader.addresses("reply_to");
    const std::size_t recipients = email.to.size() + email.cc.size() + email.bcc.size();
    if (email.to.empty()) reader.wrong("to is missing");
    if (recipients > recipients_max || email.reply_to.size() > recipients_max)
        reader.wrong(fmt::format("there are over {} addresses", recipients_max));
    email.subject = reader.text("subject", subject_bytes_max);
    if (!http::is_field_value(email.subject)) reader.wrong("subject holds a control character");
    email.text = reader.text("text", body_bytes_max);
    email.html = reader.text("html", body_bytes_max);
    if (email.text.empty() && email.html.empty()) reader.wrong("text or html is missing");
    email.headers = reader.headers();
    email.idempotency_key = reader.text("idempotency_key", 256);
    if (!http::is_field_value(email.idempotency_key))
        reader.wrong("idempotency_key holds a control character");
    if (reader.problem) return *reader.problem;
    return email;
}

std::string to_text(const Address& address) {
    if (address.name.empty()) return address.address;
    std::string quoted;
    for (const char c : address.name) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return fmt::format("\"{}\" <{}>", quoted, address.address);
}

}  // namespace pawl::connect
