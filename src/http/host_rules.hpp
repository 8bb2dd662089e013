#pragma once

#include "http/message.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::http {

// 127.0.0.0/8, ::1 and localhost: this machine. A name that only begins like one ("127.evil.test")
// is not.
bool is_loopback_host(std::string_view host);

// By which names a server is called. A page in a browser on this machine can make its own name lead
// to 127.0.0.1 (DNS rebinding) and then read what a server there answers; the Host header still has
// the page's name. Plain values, no I/O.
struct HostRules {
    bool checked = false;              // else every name is fine
    bool addresses = false;            // numeric ones are fine too: they cannot lead elsewhere
    std::vector<std::string> hosts;    // beside the names of this machine; without a port
    std::vector<std::string> origins;  // whose pages may call (CORS); "*": all of them
};

// The rules of a server that listens on `host`: a loopback address is for this machine alone; other
// addresses are checked only when the operator has named hosts.
HostRules rules_for(
    std::string_view host, std::vector<std::string> allowed, std::vector<std::string> origins
);

struct HostRefusal {
    int status = 421;
    std::string_view why;
};

// Nothing when a request with these headers may be answered.
std::optional<HostRefusal> refused_by(const HostRules& rules, const Headers& headers);

}  // namespace pawl::http
