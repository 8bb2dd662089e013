#include "base/base64.hpp"
#include "connect/email_message.hpp"
#include "http/date.hpp"

#include <fmt/core.h>

#include <algorithm>

// Headers of emails as SMTP carries them (RFC 5322, 2047). libcurl makes the rest of the message,
// but takes headers as they are to go out.
namespace pawl::connect {

namespace {

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
            "{}=?UTF-8?B?{}?=", out.empty() ? "" : "\r\n ", to_base64(text.substr(0, size))
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

// One address a line, so that no line is too long.
std::string header_addresses(const std::vector<Address>& all) {
    std::string out;
    for (const Address& address : all)
        out += (out.empty() ? "" : ",\r\n ") + header_address(address);
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

http::Headers mail_headers(const Email& email, Instant at) {
    http::Headers headers{
        {"From", header_addresses({email.from})}, {"To", header_addresses(email.to)}};
    if (!email.cc.empty()) headers.push_back({"Cc", header_addresses(email.cc)});
    if (!email.reply_to.empty()) headers.push_back({"Reply-To", header_addresses(email.reply_to)});
    headers.push_back({"Subject", header_text(email.subject)});
    std::string date = http::format_date(at);
    date.replace(date.size() - 3, 3, "+0000");
    headers.push_back({"Date", std::move(date)});
    if (std::string id = message_id(email); !id.empty())
        headers.push_back({"Message-ID", std::move(id)});
    for (const auto& [name, value] : email.headers) headers.push_back({name, header_text(value)});
    return headers;
}

http::Mail to_mail(Email email, Instant at) {
    http::Mail mail;
    mail.from = email.from.address;
    for (const auto* group : {&email.to, &email.cc, &email.bcc}) {
        for (const Address& address : *group) mail.to.push_back(address.address);
    }
    mail.headers = mail_headers(email, at);
    // The better form comes last.
    if (!email.text.empty()) mail.forms.push_back({"text/plain", std::move(email.text)});
    if (!email.html.empty()) mail.forms.push_back({"text/html", std::move(email.html)});
    return mail;
}

}  // namespace pawl::connect
