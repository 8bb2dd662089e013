#include "base/header_rules.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace pawl {

namespace {

constexpr std::string_view by_hand = "cannot be set by hand: it belongs to the connection";

// With an opinion of its own about where a request ends, or whether its body comes, one request can
// hide in another.
constexpr std::array<std::string_view, 9> of_connection{
    "connection",
    "content-length",
    "expect",
    "http2-settings",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade"};

}  // namespace

std::string_view header_refusal(std::string_view name) {
    std::string small(name);
    for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (small == "host") return "cannot be set by hand: write the host into the url";
    const bool known =
        std::find(of_connection.begin(), of_connection.end(), small) != of_connection.end();
    return known || small.starts_with("proxy-") ? by_hand : std::string_view();
}

}  // namespace pawl
