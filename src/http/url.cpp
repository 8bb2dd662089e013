#include "http/url.hpp"

#include "base/url_slashes.hpp"

#include <curl/curl.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <memory>

namespace pawl::http {

namespace {

using Handle = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

std::string part(CURLU* url, CURLUPart which, unsigned flags = 0) {
    char* text = nullptr;
    if (curl_url_get(url, which, &text, flags) != CURLUE_OK) return {};
    const std::unique_ptr<char, decltype(&curl_free)> owned(text, curl_free);
    return text;
}

void lower(std::string& text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
}

}  // namespace

std::string UrlPlace::origin() const {
    const bool v6 = host.find(':') != std::string::npos;
    const std::string name = v6 ? fmt::format("[{}]", host) : host;
    const bool usual = (scheme == "http" && port == 80) || (scheme == "https" && port == 443);
    if (usual) return fmt::format("{}://{}", scheme, name);
    return fmt::format("{}://{}:{}", scheme, name, port);
}

ParsedUrl parse_url(const std::string& url) {
    if (url.find('\0') != std::string::npos) return {std::nullopt, "the URL holds NUL"};
    if (has_wrong_slashes(url)) {
        return {std::nullopt, "not a usable URL: it must have two slashes behind its scheme"};
    }
    const Handle handle(curl_url(), curl_url_cleanup);
    const CURLUcode failed = curl_url_set(handle.get(), CURLUPART_URL, url.c_str(), 0);
    if (failed != CURLUE_OK) {
        return {std::nullopt, fmt::format("not a usable URL: {}", curl_url_strerror(failed))};
    }
    UrlPlace place;
    place.scheme = part(handle.get(), CURLUPART_SCHEME);
    place.host = part(handle.get(), CURLUPART_HOST);
    lower(place.scheme);
    lower(place.host);
    if (place.host.starts_with('[') && place.host.ends_with(']')) {
        place.host = place.host.substr(1, place.host.size() - 2);
    }
    // Names that end in a dot are the same names.
    if (place.host.size() > 1 && place.host.ends_with('.')) place.host.pop_back();
    const std::string port = part(handle.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
    std::from_chars(port.data(), port.data() + port.size(), place.port);
    if (place.host.empty()) return {std::nullopt, "not a usable URL: it names no host"};
    return {std::move(place), {}};
}

std::string resolve_url(const std::string& base, const std::string& location) {
    const Handle handle(curl_url(), curl_url_cleanup);
    if (curl_url_set(handle.get(), CURLUPART_URL, base.c_str(), 0) != CURLUE_OK) return {};
    if (curl_url_set(handle.get(), CURLUPART_URL, location.c_str(), 0) != CURLUE_OK) return {};
    return part(handle.get(), CURLUPART_URL);
}

}  // namespace pawl::http
