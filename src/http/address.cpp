#include "http/address.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>
#include <span>
#include <string>

namespace pawl::http {

namespace {

struct V4Range {
    V4Bytes base;
    int bits;
};

// Everything that is not the public internet.
constexpr V4Range special_v4[] = {
    {{0, 0, 0, 0}, 8},        // this network
    {{10, 0, 0, 0}, 8},       // private
    {{100, 64, 0, 0}, 10},    // carrier-grade NAT
    {{127, 0, 0, 0}, 8},      // loopback
    {{169, 254, 0, 0}, 16},   // link-local; cloud metadata services live here
    {{172, 16, 0, 0}, 12},    // private
    {{192, 0, 0, 0}, 24},     // protocol assignments
    {{192, 0, 2, 0}, 24},     // documentation
    {{192, 88, 99, 0}, 24},   // 6to4 relays, retired
    {{192, 168, 0, 0}, 16},   // private
    {{198, 18, 0, 0}, 15},    // benchmarks
    {{198, 51, 100, 0}, 24},  // documentation
    {{203, 0, 113, 0}, 24},   // documentation
    {{224, 0, 0, 0}, 4},      // multicast
    {{240, 0, 0, 0}, 4},      // reserved, broadcast
};

struct V6Range {
    V6Bytes base;
    int bits;
};

// Holes in 2000::/3, the only part of IPv6 that is assigned for the internet.
constexpr V6Range special_v6[] = {
    {{0x20, 0x01}, 23},              // protocol assignments, Teredo (hides a v4 address) included
    {{0x20, 0x01, 0x0d, 0xb8}, 32},  // documentation
    {{0x20, 0x02}, 16},              // 6to4: hides a v4 address, retired
    {{0x3f, 0xff}, 20},              // documentation
};

constexpr V6Bytes mapped_v4 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};  // ::ffff:0:0/96
constexpr V6Bytes nat64 = {0x00, 0x64, 0xff, 0x9b};                        // 64:ff9b::/96

bool starts_with(
    std::span<const std::uint8_t> address, std::span<const std::uint8_t> base, int bits
) {
    const auto whole = static_cast<std::size_t>(bits / 8);
    if (!std::equal(base.begin(), base.begin() + bits / 8, address.begin())) return false;
    if (bits % 8 == 0) return true;
    const int mask = 0xff << (8 - bits % 8) & 0xff;
    return ((address[whole] ^ base[whole]) & mask) == 0;
}

}  // namespace

bool is_public(const V4Bytes& address) {
    return std::none_of(std::begin(special_v4), std::end(special_v4), [&](const V4Range& range) {
        return starts_with(address, range.base, range.bits);
    });
}

bool is_public(const V6Bytes& address) {
    if (starts_with(address, mapped_v4, 96) || starts_with(address, nat64, 96)) {
        return is_public(V4Bytes{address[12], address[13], address[14], address[15]});
    }
    if ((address[0] & 0xe0) != 0x20) return false;
    return std::none_of(std::begin(special_v6), std::end(special_v6), [&](const V6Range& range) {
        return starts_with(address, range.base, range.bits);
    });
}

std::optional<bool> is_public(std::string_view text) {
    const std::string terminated(text);
    V4Bytes v4{};
    if (inet_pton(AF_INET, terminated.c_str(), v4.data()) == 1) return is_public(v4);
    V6Bytes v6{};
    if (inet_pton(AF_INET6, terminated.c_str(), v6.data()) == 1) return is_public(v6);
    return std::nullopt;
}

}  // namespace pawl::http
