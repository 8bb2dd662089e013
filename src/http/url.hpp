#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::http {

// Where a URL leads, as libcurl reads it: one parser for checking and for connecting, so that a
// host cannot hide in a difference between two parsers. Numeric hosts in any form (decimal, octal,
// hexadecimal) come out as plain addresses.
struct UrlPlace {
    std::string scheme;  // in lower case
    std::string host;    // in lower case, an IPv6 address without brackets
    std::uint16_t port = 0;

    // "https://example.com", with the port where it is not the usual one.
    std::string origin() const;
    bool operator==(const UrlPlace&) const = default;
};

struct ParsedUrl {
    std::optional<UrlPlace> place;
    std::string wrong;  // why there is none, for a person; without the URL
};

ParsedUrl parse_url(const std::string& url);

// What a Location header means to who asked for `base`; empty when it means nothing.
std::string resolve_url(const std::string& base, const std::string& location);

}  // namespace pawl::http
