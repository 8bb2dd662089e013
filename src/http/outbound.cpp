#include "http/outbound.hpp"

#include "base/number_text.hpp"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <sys/socket.h>

#include <algorithm>

namespace pawl::http {

namespace {

// A v6 address that carries a v4 one means that one.
std::optional<V4Bytes> carried(const V6Bytes& address) {
    constexpr V6Bytes mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    if (!std::equal(mapped.begin(), mapped.begin() + 12, address.begin())) return std::nullopt;
    return V4Bytes{address[12], address[13], address[14], address[15]};
}

std::optional<V4Bytes> v4_of(const std::string& text) {
    V4Bytes bytes{};
    if (inet_pton(AF_INET, text.c_str(), bytes.data()) != 1) return std::nullopt;
    return bytes;
}

std::optional<V6Bytes> v6_of(const std::string& text) {
    V6Bytes bytes{};
    if (inet_pton(AF_INET6, text.c_str(), bytes.data()) != 1) return std::nullopt;
    return bytes;
}

template <class Bytes>
bool starts_with(const Bytes& address, const Bytes& base, int bits) {
    for (std::size_t i = 0; bits > 0; ++i, bits -= 8) {
        const int mask = bits >= 8 ? 0xff : 0xff << (8 - bits) & 0xff;
        if (((address[i] ^ base[i]) & mask) != 0) return false;
    }
    return true;
}

bool is_host_name(std::string_view host) {
    if (host.starts_with("*.")) host.remove_prefix(2);
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
    };
    // What ends in digits would be a number in disguise, which no resolver is asked for.
    const auto last = host.rfind('.');
    const std::string_view top = last == std::string_view::npos ? host : host.substr(last + 1);
    const bool number =
        !top.empty() && (top.starts_with("0x") || std::all_of(top.begin(), top.end(), [](char c) {
                             return c >= '0' && c <= '9';
                         }));
    return !host.empty() && host.size() <= 253 && !number &&
           std::all_of(host.begin(), host.end(), fits);
}

Error wrong(std::string_view entry) {
    return {
        Errc::invalid,
        fmt::format("cannot allow calls to '{}'", entry),
        {{"next", "give an address, a range (10.0.0.0/8), a host (crm.internal:8080) or 'any'"}}};
}

std::optional<int> number_of(std::string_view text, int most) {
    const auto value = read_number<int>(text);
    return value && *value >= 0 && *value <= most ? value : std::nullopt;
}

}  // namespace

Outbound Outbound::anywhere() {
    Outbound outbound;
    outbound.anywhere_ = true;
    return outbound;
}

Outbound Outbound::loopback() {
    Outbound outbound;
    outbound.allow("127.0.0.0/8").value();
    outbound.allow("::1").value();
    return outbound;
}

Result<void> Outbound::allow(std::string_view entry) {
    if (entry == "any") {
        anywhere_ = true;
        return {};
    }
    const auto slash = entry.find('/');
    const std::string text(entry.substr(0, slash));
    const auto v4 = v4_of(text);
    const auto v6 = v6_of(text);
    if (v4 || v6) {
        const int most = v4 ? 32 : 128;
        const auto bits =
            slash == std::string_view::npos ? most : number_of(entry.substr(slash + 1), most);
        if (!bits) return wrong(entry);
        if (v4)
            ranges_.push_back({*v4, *bits});
        else
            ranges_.push_back({*v6, *bits});
        return {};
    }
    Name name;
    name.host = text;
    std::transform(name.host.begin(), name.host.end(), name.host.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    if (const auto colon = name.host.find(':'); colon != std::string::npos) {
        const auto port = number_of(std::string_view(name.host).substr(colon + 1), 65535);
        if (!port || *port == 0) return wrong(entry);
        name.port = static_cast<std::uint16_t>(*port);
        name.host.resize(colon);
    }
    if (slash != std::string_view::npos || !is_host_name(name.host)) return wrong(entry);
    names_.push_back(std::move(name));
    return {};
}

bool Outbound::names(const UrlPlace& place) const {
    return std::any_of(names_.begin(), names_.end(), [&](const Name& name) {
        if (name.port != 0 && name.port != place.port) return false;
        if (!name.host.starts_with("*.")) return name.host == place.host;
        const std::string_view below = std::string_view(name.host).substr(1);
        return place.host.size() > below.size() && place.host.ends_with(below);
    });
}

template <class Bytes>
bool Outbound::in_range(const Bytes& address) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
        const auto* base = std::get_if<Bytes>(&range.base);
        return base != nullptr && starts_with(address, *base, range.bits);
    });
}

bool Outbound::covers(const V4Bytes& address) const {
    return is_public(address) || in_range(address);
}

bool Outbound::covers(const V6Bytes& address) const {
    if (const auto v4 = carried(address)) return covers(*v4);
    return is_public(address) || in_range(address);
}

bool Outbound::permits(const UrlPlace& place, std::string_view address) const {
    if (anywhere_ || names(place)) return true;
    const std::string text(address.substr(0, address.find('%')));
    if (const auto v4 = v4_of(text)) return covers(*v4);
    if (const auto v6 = v6_of(text)) return covers(*v6);
    return false;
}

}  // namespace pawl::http
