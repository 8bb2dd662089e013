#include "http/client.hpp"

#include "base/error.hpp"
#include "http/client_multi.hpp"
#include "http/redirect.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/core.h>

#include <utility>

namespace pawl::http {

namespace {

asio::awaitable<Outcome> run_once(std::shared_ptr<Multi> multi, Request request) {
    const auto deadline = Steady::now() + request.timeout;
    const std::int32_t tenant = request.tenant;
    // Free again after `pending` has left it.
    PlacePtr place = std::exchange(request.place, nullptr);
    Pending pending(multi, std::move(request));
    if (auto fault = pending.transfer.prepare(&pending)) co_return std::move(*fault);
    if (!place) place = co_await multi->places().enter(tenant, deadline);
    if (!place && !multi->closed()) co_return pending.transfer.never_begun();
    pending.wake.expires_at(deadline);
    multi->start(pending);
    while (!pending.outcome) {
        boost::system::error_code failed;
        co_await pending.wake.async_wait(asio::redirect_error(asio::use_awaitable, failed));
        // The outcome may have come between the timer's end and this moment: it wins.
        if (pending.outcome) break;
        if (failed) throw boost::system::system_error(failed);
        pending.outcome = pending.transfer.timed_out();
    }
    co_return std::move(*pending.outcome);
}

// What came of the redirects that were followed.
struct Hops {
    bool crossed = false;  // to another origin
    bool acted = false;    // the peer took what was sent, and told where to read about it
};

// Once the peer has acted, a failure must not count as one after which the request may be repeated.
Outcome after(const Hops& hops, Outcome outcome) {
    if (outcome) {
        const int status = outcome->status;
        const bool again = status == 408 || status == 425 || status == 429 || status >= 500;
        if (hops.acted && again) {
            auto why = fmt::format("the peer took it and redirected, to a status {}", status);
            return Fault{FaultKind::interrupted_after_sent, std::move(why), hops.crossed};
        }
        outcome->elsewhere = hops.crossed;
        return outcome;
    }
    Fault fault = std::move(outcome).error();
    fault.elsewhere = hops.crossed;
    if (hops.acted && fault.kind == FaultKind::refused_before_sent) {
        fault.kind = FaultKind::interrupted_after_sent;
    }
    const bool late =
        fault.kind == FaultKind::timeout_before_sent || fault.kind == FaultKind::timeout_in_line;
    if (hops.acted && late) fault.kind = FaultKind::timeout_after_sent;
    return fault;
}

asio::awaitable<Outcome> run_all(std::shared_ptr<Multi> multi, Request request) {
    const auto deadline = Steady::now() + request.timeout;
    Hops hops;
    for (;;) {
        Outcome outcome = co_await run_once(multi, request);
        if (!outcome) co_return after(hops, std::move(outcome));
        Redirect redirect = follow(request, *outcome);
        if (redirect.fault) co_return std::move(*redirect.fault);
        if (!redirect.next) co_return after(hops, std::move(outcome));
        hops.crossed = hops.crossed || redirect.crosses;
        hops.acted = hops.acted || request.method != redirect.next->method;
        request = std::move(*redirect.next);
        request.timeout = std::chrono::duration_cast<Duration>(deadline - Steady::now());
    }
}

}  // namespace

std::string_view name(FaultKind kind) {
    switch (kind) {
        case FaultKind::refused_before_sent: return "refused_before_sent";
        case FaultKind::timeout_in_line: return "timeout_in_line";
        case FaultKind::timeout_before_sent: return "timeout_before_sent";
        case FaultKind::timeout_after_sent: return "timeout_after_sent";
        case FaultKind::interrupted_after_sent: return "interrupted_after_sent";
        case FaultKind::too_large: return "too_large";
        case FaultKind::bad_url: return "bad_url";
        case FaultKind::bad_request: return "bad_request";
        case FaultKind::forbidden_address: return "forbidden_address";
        case FaultKind::bad_redirect: return "bad_redirect";
    }
    return "unknown";
}

void throw_exception_from_error(const Fault& fault, const boost::source_location&) {
    Error error{Errc::unavailable, fault.message, {{"kind", std::string(name(fault.kind))}}};
    throw Failure(std::move(error));
}

Client::Client(asio::any_io_executor executor, ClientOptions options)
    : multi_(std::make_shared<Multi>(std::move(executor), std::move(options))) {}

Client::~Client() {
    multi_->close();
}

asio::awaitable<Outcome> Client::send(Request request) {
    if (request.mail) return multi_->mail().send(std::move(request));
    if (request.redirects_max < 0) return run_once(multi_, std::move(request));
    return run_all(multi_, std::move(request));
}

asio::awaitable<PlacePtr> Client::enter(const Request& request) {
    Places& places = request.mail ? multi_->mail().places() : multi_->places();
    return places.enter(request.tenant, Steady::now() + request.timeout);
}

std::size_t Client::active() const {
    return multi_->active();
}

std::size_t Client::queued() const {
    return multi_->queued();
}

}  // namespace pawl::http
