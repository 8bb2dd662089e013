#pragma once

#include "base/error.hpp"
#include "http/address.hpp"
#include "http/url.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pawl::http {

// Where calls that users configure may lead: the public internet, and what the operator allows
// beside it. Plain values, no I/O.
class Outbound {
public:
    // Public addresses only.
    Outbound() = default;
    static Outbound anywhere();
    // Public addresses and this machine.
    static Outbound loopback();

    // Allows what an entry says: an address ("10.1.2.3", "::1"), a range ("10.0.0.0/8"), a name
    // with or without a port ("crm.internal", "*.corp.example:8080"; whatever it resolves to), or
    // "any".
    Result<void> allow(std::string_view entry);

    // Whether a call to this place may connect to this address, which its host resolved to.
    bool permits(const UrlPlace& place, std::string_view address) const;

private:
    struct Range {
        std::variant<V4Bytes, V6Bytes> base;
        int bits = 0;
    };
    struct Name {
        std::string host;        // "*.x" for everything below x
        std::uint16_t port = 0;  // 0: all
    };

    bool names(const UrlPlace& place) const;
    template <class Bytes>
    bool in_range(const Bytes& address) const;
    bool covers(const V4Bytes& address) const;
    bool covers(const V6Bytes& address) const;

    bool anywhere_ = false;
    std::vector<Range> ranges_;
    std::vector<Name> names_;
};

}  // namespace pawl::http
