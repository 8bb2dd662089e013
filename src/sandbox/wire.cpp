#include "sandbox/wire.hpp"

#include "base/base64url.hpp"
#include "base/cut_text.hpp"
#include "sandbox/desk.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::sandbox {

namespace {

constexpr std::size_t beginning_max = 200;
constexpr std::size_t mailbox_max = 320;

bool has_type(const Request& request, std::string_view type) {
    const std::string_view given = request.header("content-type");
    return http::equal_ignoring_case(given.substr(0, given.find(';')), type);
}

bool is_plain(char c) {
    return c > ' ' && c < 0x7f &&
           std::string_view("<>()[],;:\\\"@").find(c) == std::string_view::npos;
}

bool is_address(std::string_view text) {
    const std::size_t at = text.find('@');
    if (at == 0 || at == text.npos || text.size() > mailbox_max) return false;
    const std::string_view domain = text.substr(at + 1);
    return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), is_plain) &&
           std::all_of(domain.begin(), domain.end(), is_plain) && domain.find('.') > 0 &&
           domain.find('.') != domain.npos && !domain.ends_with('.');
}

}  // namespace

http::ServerResponse json_answer(int status, const json::value& body) {
    return {status, {{"Content-Type", "application/json"}}, json::serialize(body)};
}

std::string random_hex(Rng& rng, std::size_t digits) {
    std::string text;
    while (text.size() < digits) text += fmt::format("{:016x}", rng.next());
    text.resize(digits);
    return text;
}

std::string random_text(Rng& rng, std::size_t bytes) {
    std::string raw;
    while (raw.size() < bytes) raw += static_cast<char>(rng.next() & 0xff);
    return to_base64url(raw);
}

std::string random_digits(Rng& rng, std::size_t digits) {
    std::string text(1, static_cast<char>('1' + rng.below(9)));
    while (text.size() < digits) text += static_cast<char>('0' + rng.below(10));
    return text;
}

std::string random_uuid(Rng& rng) {
    const std::string hex = random_hex(rng, 30);
    return fmt::format(
        "{}-{}-4{}-a{}-{}",
        hex.substr(0, 8),
        hex.substr(8, 4),
        hex.substr(12, 3),
        hex.substr(15, 3),
        hex.substr(18, 12)
    );
}

bool is_json_request(const Request& request) {
    return has_type(request, "application/json");
}

bool is_form_request(const Request& request) {
    return has_type(request, "application/x-www-form-urlencoded");
}

bool is_e164(std::string_view text) {
    if (!text.starts_with('+') || text.size() < 8 || text.size() > 16 || text[1] == '0')
        return false;
    return std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_https(std::string_view text) {
    return text.starts_with("https://") && text.size() > 8 && text.size() <= 2000;
}

std::optional<std::string> mailbox(std::string_view text) {
    if (text.ends_with('>')) {
        const std::size_t open = text.rfind('<');
        if (open == text.npos) return std::nullopt;
        text = text.substr(open + 1, text.size() - open - 2);
    }
    if (!is_address(text)) return std::nullopt;
    return std::string(text);
}

json::value shown(const json::value& request) {
    const std::string text = json::serialize(request);
    if (text.size() <= Desk::shown_bytes_max) return request;
    return json::value(cut_text(text, Desk::shown_bytes_max));
}

std::string beginning(std::string_view text) {
    return cut_text(text, beginning_max);
}

http::Request json_hook(const std::string& url, std::string body) {
    http::Request request;
    request.method = "POST";
    request.url = url;
    request.headers = {{"Content-Type", "application/json"}};
    request.body = std::move(body);
    return request;
}

}  // namespace pawl::sandbox
