#pragma once

#include "base/clock.hpp"
#include "http/client_request.hpp"
#include "http/outbound.hpp"
#include "http/request_places.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/system/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::http {

namespace asio = boost::asio;

// Why there is no response. "Sent" means that the peer may have received the request, or a part of
// it: only then is it unknown whether the request had an effect.
enum class FaultKind {
    refused_before_sent,  // no such host, connection refused, TLS failed
    timeout_in_line,      // too many others were under way: it says nothing about the peer
    timeout_before_sent,
    timeout_after_sent,
    interrupted_after_sent,
    too_large,  // the response went over its limit
    bad_url,
    bad_request,        // method or headers that cannot be sent
    forbidden_address,  // the host is not on the public internet and that is not allowed
    bad_redirect,       // too many, to nowhere, or from https to http
};

std::string_view name(FaultKind kind);

struct Fault {
    FaultKind kind = FaultKind::refused_before_sent;
    std::string message;     // for a person; holds the host at most, never path, headers or body
    bool elsewhere = false;  // after a redirect to another origin
};

using Outcome = boost::system::result<Response, Fault>;

// Lets Outcome::value() throw a pawl::Failure.
[[noreturn]] void throw_exception_from_error(
    const Fault& fault, const boost::source_location& where
);

struct ClientOptions {
    // More requests wait in line; one tenant's leave room for others (base/fair_places.hpp).
    std::size_t concurrent_max = 256;
    Outbound outbound;  // where requests that are not trusted may go
    // Asked instead of the system's resolver, once for every request and redirect; for tests.
    std::function<std::vector<std::string>(const std::string& host)> resolve;
    std::string ca_file;  // empty: the system's certificates
};

class Multi;

// Outbound HTTP/1.1 and, over TLS, HTTP/2, and mail by SMTP, on libcurl. Connections are kept and
// reused. Proxies from the environment are not used, certificates are checked. Every address is
// checked (ClientOptions::outbound) when a connection is made and again when one is used: what was
// resolved for one request, or trusted in one, opens no door to another. A request that may have
// been received is never silently sent again, safe methods excepted.
//
// Lives on one executor that is run by one thread, and is used from that thread only. The
// destructor ends all requests under way with a fault.
class Client {
public:
    explicit Client(asio::any_io_executor executor, ClientOptions options = {});
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // Cancelling or destroying the coroutine abandons the request at once.
    asio::awaitable<Outcome> send(Request request);
    // Waits in line for the request, at most as long as its timeout, so that what is to happen
    // right before it is sent does not happen while it waits. Null: it would not be sent now.
    asio::awaitable<PlacePtr> enter(const Request& request);

    std::size_t active() const;  // under way now
    std::size_t queued() const;  // waiting for a slot

private:
    std::shared_ptr<Multi> multi_;
};

}  // namespace pawl::http
