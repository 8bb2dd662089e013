#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace pawl::cli {

struct ListenAddress {
    std::string host;
    std::uint16_t port = 0;
};

// "127.0.0.1:8080", "[::1]:8080", "localhost:0" (any free port), ":8080" (this machine only).
inline Result<ListenAddress> parse_listen_address(std::string_view text) {
    const Error bad{
        Errc::invalid, "'" + std::string(text) + "' is not HOST:PORT, e.g. 127.0.0.1:8080", {}};
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos) return bad;
    std::string_view host = text.substr(0, colon);
    const std::string_view digits = text.substr(colon + 1);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    } else if (host.find_first_of(":[] ") != std::string_view::npos) {
        return bad;
    }
    if (digits.empty() || digits.size() > 5) return bad;
    int port = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9') return bad;
        port = port * 10 + (c - '0');
    }
    if (port > 65535) return bad;
    return ListenAddress{
        host.empty() ? "127.0.0.1" : std::string(host), static_cast<std::uint16_t>(port)};
}

// The way back, for URLs.
inline std::string to_string(const ListenAddress& address) {
    const bool v6 = address.host.find(':') != std::string::npos;
    return (v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

}  // namespace pawl::cli
