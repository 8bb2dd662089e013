#include "api/auth/session_cookie.hpp"

#include "base/base64url.hpp"
#include "base/random_bytes.hpp"
#include "base/sha256.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include <algorithm>

namespace pawl::api {

namespace {

constexpr std::string_view cookie_name = "pawl_session";
constexpr std::size_t token_bytes = 32;
constexpr std::size_t token_length = 43;

std::string cookie(std::string_view value, std::int64_t seconds, const CookieParams& params) {
    return fmt::format(
        "{}={}; Path={}; Max-Age={}; HttpOnly; SameSite=Strict{}",
        cookie_name,
        value,
        params.base_path.empty() ? "/" : params.base_path,
        seconds,
        params.secure ? "; Secure" : ""
    );
}

// "https://host:port" of a URL or an origin, without what comes behind.
std::string_view origin_of(std::string_view url) {
    const std::size_t slashes = url.find("://");
    if (slashes == std::string_view::npos) return url;
    return url.substr(0, std::min(url.find('/', slashes + 3), url.size()));
}

std::string_view host_of(std::string_view origin) {
    const std::size_t slashes = origin.find("://");
    return slashes == std::string_view::npos ? std::string_view() : origin.substr(slashes + 3);
}

}  // namespace

std::string make_session_token() {
    return to_base64url(random_bytes(token_bytes));
}

std::optional<std::string_view> cookie_of(const http::Headers& headers, std::string_view name) {
    for (const http::Header& header : headers) {
        if (!http::equal_ignoring_case(header.name, "Cookie")) continue;
        std::string_view rest = header.value;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(';'), rest.size());
            std::string_view entry = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            while (entry.starts_with(' ')) entry.remove_prefix(1);
            if (!entry.starts_with(name) || !entry.substr(name.size()).starts_with('=')) continue;
            return entry.substr(name.size() + 1);
        }
    }
    return std::nullopt;
}

std::optional<std::string> session_token_of(const http::Headers& headers) {
    const auto token = cookie_of(headers, cookie_name);
    if (!token || token->size() != token_length || !from_base64url(*token)) return std::nullopt;
    return std::string(*token);
}

std::string set_cookie(std::string_view token, const CookieParams& params) {
    const auto life = std::chrono::duration_cast<std::chrono::seconds>(params.life);
    return cookie(token, life.count(), params);
}

std::string drop_cookie(const CookieParams& params) {
    return cookie("", 0, params);
}

std::string csrf_of(std::string_view token) {
    return to_base64url(sha256("csrf:" + std::string(token)));
}

bool same_secret(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

bool is_same_origin(const http::Headers& headers, std::string_view public_url) {
    const std::string* origin = http::find_header(headers, "Origin");
    if (origin == nullptr) return true;  // no page of a browser: those always say it with a write
    if (http::equal_ignoring_case(*origin, origin_of(public_url))) return true;
    const std::string* host = http::find_header(headers, "Host");
    return host != nullptr && !host->empty() && http::equal_ignoring_case(host_of(*origin), *host);
}

bool came_by_https(const http::Headers& headers, std::string_view public_url) {
    if (public_url.starts_with("https://")) return true;
    const std::string* proto = http::find_header(headers, "X-Forwarded-Proto");
    return proto != nullptr && http::equal_ignoring_case(proto->substr(0, 5), "https");
}

}  // namespace pawl::api
