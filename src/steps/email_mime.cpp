#include "http/date.hpp"
#include "steps/email_message.hpp"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <algorithm>

// Emails as SMTP carries them (RFC 5322, 2045, 2047). Bodies are base64: no line is too long, no
// byte is special, and no text can look like a boundary.
namespace pawl::steps {

namespace {

std::string base64(std::string_view bytes) {
    std::string out(4 * ((bytes.size() + 2) / 3), '\0');
    EVP_EncodeBlock(
        reinterpret_cast<unsigned char*>(out.data()),
        reinterpret_cast<const unsigned char*>(bytes.data()),
        static_cast<int>(bytes.size())
    );
    return out;
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
}

// Words of at most 75 characters, each a whole number of UTF-8 characters.
std::string encoded_words(std::string_view text) {
    constexpr std::size_t bytes_each = 45;
    std::string out;
    while (!text.empty()) {
        std::size_t size = std::min(bytes_each, text.size());
        while (size < text.size() && size > 1 &&
               (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) {
            --size;
        }
        out += fmt::format(
            "{}=?UTF-8?B?{}?=", out.empty() ? "" : "\r\n ", base64(text.substr(0, size))
        );
        text.remove_prefix(size);
    }
    return out;
}

std::string header_text(std::string_view text) {
    return is_ascii(text) ? std::string(text) : encoded_words(text);
}

std::string header_address(const Address& address) {
    if (is_ascii(address.name)) return to_text(address);
    return fmt::format("{} <{}>", encoded_words(address.name), address.address);
}

void add_addresses(std::string& out, std::string_view name, const std::vector<Address>& all) {
    if (all.empty()) return;
    out += fmt::format("{}: ", name);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) out += ",\r\n ";
        out += header_address(all[i]);
    }
    out += "\r\n";
}

std::string part(std::string_view type, std::string_view body) {
    constexpr std::size_t line = 76;
    std::string out = fmt::format(
        "Content-Type: {}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n", type
    );
    const std::string encoded = base64(body);
    for (std::size_t at = 0; at < encoded.size(); at += line)
        out += encoded.substr(at, line) + "\r\n";
    return out;
}

}  // namespace

std::string message_id(const Email& email) {
    if (email.idempotency_key.empty()) return {};
    std::string left;
    for (const char c : email.idempotency_key) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
        left += plain ? c : '_';
    }
    return fmt::format("<{}{}>", left, email.from.address.substr(email.from.address.rfind('@')));
}

std::string to_mime(const Email& email, Instant at) {
    std::string out;
    add_addresses(out, "From", {email.from});
    add_addresses(out, "To", email.to);
    add_addresses(out, "Cc", email.cc);
    add_addresses(out, "Reply-To", email.reply_to);
    out += fmt::format("Subject: {}\r\n", header_text(email.subject));
    std::string date = http::format_date(at);
    date.replace(date.size() - 3, 3, "+0000");
    out += fmt::format("Date: {}\r\n", date);
    if (const std::string id = message_id(email); !id.empty())
        out += fmt::format("Message-ID: {}\r\n", id);
    for (const auto& [name, value] : email.headers)
        out += fmt::format("{}: {}\r\n", name, header_text(value));
    out += "MIME-Version: 1.0\r\n";
    if (email.html.empty()) return out + part("text/plain", email.text);
    if (email.text.empty()) return out + part("text/html", email.html);
    // The better form comes last.
    constexpr std::string_view boundary = "=_pawl_part";
    out += fmt::format(
        "Content-Type: multipart/alternative; boundary=\"{0}\"\r\n\r\n--{0}\r\n{1}--{0}\r\n{2}"
        "--{0}--\r\n",
        boundary,
        part("text/plain", email.text),
        part("text/html", email.html)
    );
    return out;
}

}  // namespace pawl::steps
