#include "http/redirect.hpp"

#include "http/url.hpp"

#include <algorithm>
#include <utility>

namespace pawl::http {

namespace {

constexpr std::string_view harmless[] = {
    "accept", "accept-language", "content-type", "content-language", "user-agent"};

bool is_redirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

Redirect refused(std::string message) {
    return {std::nullopt, Fault{FaultKind::bad_redirect, std::move(message)}};
}

bool loses_body(int status, std::string_view method) {
    if (status == 303) return method != "GET" && method != "HEAD";
    return (status == 301 || status == 302) && method == "POST";
}

void drop_headers(Headers& headers, bool all, bool of_body) {
    std::erase_if(headers, [&](const Header& header) {
        if (of_body && header.name.size() > 8 &&
            equal_ignoring_case(std::string_view(header.name).substr(0, 8), "content-")) {
            return true;
        }
        return all &&
               std::none_of(std::begin(harmless), std::end(harmless), [&](std::string_view name) {
                   return equal_ignoring_case(header.name, name);
               });
    });
}

}  // namespace

Redirect follow(const Request& request, const Response& response) {
    if (!is_redirect(response.status)) return {};
    const std::string* location = find_header(response.headers, "location");
    if (location == nullptr) return {};
    Request next = request;
    next.url = resolve_url(request.url, *location);
    const auto from = parse_url(request.url);
    const auto to = parse_url(next.url);
    if (next.url.empty() || !from.place || !to.place) {
        return refused("the peer redirects to something that is not a URL");
    }
    if (to.place->scheme != "http" && to.place->scheme != "https") {
        return refused("the peer redirects to a URL that is neither http nor https");
    }
    if (from.place->scheme == "https" && to.place->scheme == "http") {
        return refused("the peer redirects from https to http, where others can read along");
    }
    if (request.redirects_max == 0) return refused("the peer redirects too often");
    next.redirects_max = request.redirects_max - 1;
    const bool crosses = !(*from.place == *to.place);
    const bool bodiless = loses_body(response.status, request.method);
    if (bodiless) {
        next.method = "GET";
        next.body.clear();
    }
    drop_headers(next.headers, crosses, bodiless);
    if (crosses) next.trusted = false;
    return {std::move(next), std::nullopt, crosses};
}

}  // namespace pawl::http
