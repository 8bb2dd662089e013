#include "steps/targets.hpp"

#include "http/url.hpp"
#include "steps/classify.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace pawl::steps {

namespace {

// Beyond this many, those that have nothing to tell are forgotten.
constexpr std::size_t remembered_max = 1000;

}  // namespace

CallVerdict verdict_of(const http::Outcome& outcome) {
    if (outcome) {
        const int status = outcome->status;
        const bool overloaded = status == 429 || status == 502 || status == 503 || status == 504;
        return overloaded ? CallVerdict::bad : CallVerdict::good;
    }
    switch (outcome.error().kind) {
        case http::FaultKind::refused_before_sent:
        case http::FaultKind::timeout_before_sent:
        case http::FaultKind::timeout_after_sent:
        case http::FaultKind::interrupted_after_sent: return CallVerdict::bad;
        case http::FaultKind::too_large: return CallVerdict::good;
        case http::FaultKind::bad_url:
        case http::FaultKind::bad_request:
        case http::FaultKind::forbidden_address:
        case http::FaultKind::bad_redirect: break;
    }
    return CallVerdict::neither;
}

Targets::Targets(asio::any_io_executor executor, TargetSettings settings)
    : executor_(std::move(executor)), settings_(std::move(settings)) {}

Targets::~Targets() = default;

Targets::Shared Targets::find(const std::string& origin) {
    if (targets_.size() > remembered_max) forget_idle();
    const auto own = settings_.by_origin.find(origin);
    const TargetPolicy& policy = own == settings_.by_origin.end() ? settings_.usual : own->second;
    Shared& target = targets_[origin];
    if (!target) target = std::make_shared<Target>(policy);
    return target;
}

void Targets::forget_idle() {
    const auto now = Steady::now();
    std::erase_if(targets_, [now](const auto& entry) {
        return entry.second->line.empty() && entry.second->circuit.idle(now);
    });
}

std::vector<CircuitView> Targets::circuits() const {
    const auto now = Steady::now();
    std::vector<CircuitView> all;
    for (const auto& [origin, target] : targets_) {
        const Circuit& circuit = target->circuit;
        if (circuit.opened() == 0) continue;
        all.push_back({origin, circuit.state(now) != Circuit::State::closed, circuit.opened()});
    }
    return all;
}

asio::awaitable<Circuit::Permit> Targets::enter(
    asio::any_io_executor executor, Shared target, Steady::time_point deadline
) {
    for (;;) {
        const auto permit = target->circuit.ask(Steady::now());
        if (permit.granted || permit.broken || Steady::now() >= deadline) co_return permit;
        asio::steady_timer wake(executor);
        wake.expires_at(std::min(permit.retry, deadline));
        // Whatever ends the frame takes it out of the line.
        struct InLine {
            std::list<asio::steady_timer*>& line;
            std::list<asio::steady_timer*>::iterator place;
            ~InLine() { line.erase(place); }
        };
        const InLine in_line{target->line, target->line.insert(target->line.end(), &wake)};
        boost::system::error_code woken;
        co_await wake.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        const auto state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none) {
            throw boost::system::system_error(asio::error::operation_aborted);
        }
    }
}

StepOutcome Targets::postpone(
    const std::string& origin, const Target& target, const Circuit::Permit& no
) {
    std::string reason = fmt::format("{}: {}", origin, no.why);
    if (no.broken) reason += fmt::format(" ({})", target.last_error);
    Duration wait = settings_.patience;
    if (no.retry != Circuit::Moment::max()) {
        wait = std::chrono::ceil<Duration>(no.retry - Steady::now());
    }
    // Not all at the same moment.
    const double more = 1 + 0.25 * rng_.unit();
    wait = Duration(static_cast<Duration::rep>(static_cast<double>(wait.count()) * more));
    StepOutcome outcome = pending({{"for", "target"}, {"target", origin}});
    outcome.pending.get_object()["reason"] = std::move(reason);
    outcome.postponed = std::max(wait, Duration(std::chrono::milliseconds(10)));
    return outcome;
}

asio::awaitable<Targets::Sent> Targets::send(http::Client& client, http::Request request) {
    const auto url = http::parse_url(request.url);
    if (!url.place) {
        http::Outcome wrong = co_await client.send(std::move(request));
        co_return Sent{std::move(wrong), {}};
    }
    const std::string origin = url.place->origin();
    const auto begun = Steady::now();
    const Shared target = find(origin);
    const auto permit = co_await enter(executor_, target, begun + settings_.patience);
    if (!permit.granted) co_return Sent{{}, postpone(origin, *target, permit)};
    // Also when the coroutine is abandoned: the place is free again.
    struct Leave {
        Shared target;
        Circuit::Permit permit;
        CallVerdict verdict = CallVerdict::neither;
        std::optional<Duration> retry_after;
        ~Leave() {
            target->circuit.done(Steady::now(), permit, verdict, retry_after);
            if (!target->line.empty()) target->line.front()->cancel();
        }
    };
    Leave leave{target, permit, CallVerdict::neither, {}};
    const auto waited = std::chrono::duration_cast<Duration>(Steady::now() - begun);
    request.timeout = std::max(request.timeout - waited, Duration(std::chrono::milliseconds(1)));
    http::Outcome outcome = co_await client.send(std::move(request));
    leave.verdict = verdict_of(outcome);
    if (leave.verdict == CallVerdict::bad) {
        if (const auto error = classify(outcome, wall_now())) {
            leave.retry_after = error->retry_after;
            target->last_error = error->message;
        }
    }
    co_return Sent{std::move(outcome), {}};
}

}  // namespace pawl::steps
