#include "http/host_rules.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>

namespace pawl::http {

namespace {

// "example.com:8080" and "[::1]:8080" without the port, "example.com." without the last dot.
std::string_view bare(std::string_view authority) {
    if (authority.starts_with('[')) {
        const std::size_t end = authority.find(']');
        return end == std::string_view::npos ? authority : authority.substr(1, end - 1);
    }
    authority = authority.substr(0, authority.find(':'));
    if (authority.ends_with('.')) authority.remove_suffix(1);
    return authority;
}

bool is_address(std::string_view host) {
    boost::system::error_code failed;
    boost::asio::ip::make_address(std::string(host), failed);
    return !failed;
}

bool is_named(const HostRules& rules, std::string_view host) {
    if (is_loopback_host(host)) return true;
    return std::any_of(rules.hosts.begin(), rules.hosts.end(), [&](const std::string& known) {
        return equal_ignoring_case(known, host);
    });
}

// `host` is one that the server answers to.
bool may_call(const HostRules& rules, const std::string& origin, std::string_view host) {
    for (const std::string& known : rules.origins) {
        if (known == "*" || known == origin) return true;
    }
    const std::size_t scheme = origin.find("://");
    if (scheme == std::string::npos) return false;  // "null": a page without an origin
    const std::string_view page = std::string_view(origin).substr(scheme + 3);
    return page == host || is_named(rules, bare(page));
}

}  // namespace

bool is_loopback_host(std::string_view host) {
    if (equal_ignoring_case(host, "localhost")) return true;
    boost::system::error_code failed;
    const auto address = boost::asio::ip::make_address(std::string(host), failed);
    return !failed && address.is_loopback();
}

HostRules rules_for(
    std::string_view host, std::vector<std::string> allowed, std::vector<std::string> origins
) {
    HostRules rules;
    rules.checked = is_loopback_host(host) || !allowed.empty();
    for (const std::string& one : allowed) rules.hosts.emplace_back(bare(one));
    rules.hosts.emplace_back(host);
    rules.origins = std::move(origins);
    return rules;
}

std::optional<HostRefusal> refused_by(const HostRules& rules, const Headers& headers) {
    if (!rules.checked) return std::nullopt;
    // HTTP/1.0 has no Host, and no browser speaks it.
    const std::string* host = find_header(headers, "Host");
    const bool known = host == nullptr || is_named(rules, bare(*host)) ||
                       (rules.addresses && is_address(bare(*host)));
    if (!known) {
        return HostRefusal{
            421,
            "this server does not answer to the name in the Host header; give the name to it: "
            "--allowed-host NAME"};
    }
    const std::string* origin = find_header(headers, "Origin");
    if (origin != nullptr && !may_call(rules, *origin, host == nullptr ? "" : *host)) {
        return HostRefusal{
            403,
            "web pages of this origin may not call this server; allow them: --cors-origin ORIGIN"};
    }
    return std::nullopt;
}

}  // namespace pawl::http
