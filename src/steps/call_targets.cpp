#include "steps/call_targets.hpp"

#include "http/url.hpp"
#include "steps/classify.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace pawl::steps {

namespace {

// Beyond this many, idle targets are forgotten; beyond the last number, all without a call under
// way.
constexpr std::size_t remembered_max = 1000;
constexpr std::size_t kept_max = 10'000;
constexpr Duration sweep_every = std::chrono::seconds(5);
// A shorter timeout says more about the step than about the target.
constexpr Duration timeout_that_counts = std::chrono::seconds(1);
// However long the line is, a waiting step looks again after this long.
constexpr Duration limit_wait_max = std::chrono::minutes(1);

TargetPolicy without_limits(TargetPolicy policy) {
    policy.concurrent_max = 0;
    policy.rate = 0;
    return policy;
}

// One that never opens.
TargetPolicy only_limits(TargetPolicy policy) {
    policy.failures = std::numeric_limits<int>::max();
    return policy;
}

bool has_limits(const TargetPolicy& policy) {
    return policy.concurrent_max > 0 || policy.rate > 0;
}

}  // namespace

CallVerdict verdict_of(const http::Outcome& outcome, Duration timeout) {
    if (outcome) {
        const int status = outcome->status;
        const bool overloaded = status == 429 || status == 502 || status == 503 || status == 504;
        // A peer that redirects is up.
        return overloaded && !outcome->elsewhere ? CallVerdict::bad : CallVerdict::good;
    }
    if (outcome.error().elsewhere) return CallVerdict::good;
    switch (outcome.error().kind) {
        case http::FaultKind::timeout_before_sent:
        case http::FaultKind::timeout_after_sent:
            return timeout < timeout_that_counts ? CallVerdict::neither : CallVerdict::bad;
        case http::FaultKind::refused_before_sent:
        case http::FaultKind::interrupted_after_sent: return CallVerdict::bad;
        case http::FaultKind::too_large: return CallVerdict::good;
        case http::FaultKind::timeout_in_line:
        case http::FaultKind::bad_url:
        case http::FaultKind::bad_request:
        case http::FaultKind::forbidden_address:
        case http::FaultKind::bad_redirect: break;
    }
    return CallVerdict::neither;
}

CallTargets::CallTargets(asio::any_io_executor executor, TargetSettings settings)
    : executor_(std::move(executor)), settings_(std::move(settings)) {}

CallTargets::~CallTargets() = default;

const TargetPolicy& CallTargets::policy_of(const std::string& origin) const {
    const auto own = settings_.by_origin.find(origin);
    return own == settings_.by_origin.end() ? settings_.usual : own->second;
}

CallTargets::Shared CallTargets::find(std::int32_t tenant, const std::string& origin) {
    if (targets_.size() > remembered_max) forget();
    Shared& target = targets_[{tenant, origin}];
    if (!target) target = std::make_shared<Target>(without_limits(policy_of(origin)));
    return target;
}

CallTargets::SharedLimit CallTargets::find_limit(const std::string& origin) {
    const TargetPolicy& policy = policy_of(origin);
    if (!has_limits(policy)) return nullptr;
    if (limits_.size() > remembered_max) forget();
    SharedLimit& limit = limits_[origin];
    if (!limit) limit = std::make_shared<Limit>(only_limits(policy));
    return limit;
}

void CallTargets::forget() {
    const auto now = Steady::now();
    if (now < next_sweep_) return;
    next_sweep_ = now + sweep_every;
    const bool all = targets_.size() > kept_max;
    std::erase_if(targets_, [now, all](const auto& entry) {
        const Circuit& circuit = entry.second->circuit;
        return circuit.idle(now) || (all && circuit.under_way() == 0);
    });
    std::erase_if(limits_, [now](const auto& entry) {
        return entry.second->line.empty() && entry.second->circuit.idle(now);
    });
}

std::vector<CircuitView> CallTargets::circuits() const {
    const auto now = Steady::now();
    std::map<std::string, CircuitView> by_origin;
    for (const auto& [key, target] : targets_) {
        const Circuit& circuit = target->circuit;
        if (circuit.opened() == 0) continue;
        CircuitView& view = by_origin[key.second];
        view.target = key.second;
        view.open = view.open || circuit.state(now) != Circuit::State::closed;
        view.opened += circuit.opened();
    }
    std::vector<CircuitView> all;
    for (auto& [origin, view] : by_origin) all.push_back(std::move(view));
    return all;
}

std::vector<TargetView> CallTargets::targets(std::size_t most) const {
    const auto now = Steady::now();
    std::vector<TargetView> all;
    for (const auto& [key, target] : targets_) {
        const Circuit& circuit = target->circuit;
        if (circuit.opened() == 0) continue;
        TargetView view{key.first, key.second, circuit.state(now), circuit.opened(), {}, {}};
        if (view.state == Circuit::State::open) {
            view.wait = std::chrono::ceil<Duration>(circuit.until() - now);
        }
        view.last_error = target->last_error;
        all.push_back(std::move(view));
    }
    if (all.size() <= most) return all;
    std::stable_partition(all.begin(), all.end(), [](const TargetView& view) {
        return view.state != Circuit::State::closed;
    });
    all.resize(most);
    return all;
}

void CallTargets::close(std::int32_t tenant, const std::string& origin) {
    const auto found = targets_.find({tenant, origin});
    if (found != targets_.end()) found->second->circuit.close();
}

// A place is free: for one, and for one only.
void CallTargets::Limit::wake_next() {
    if (line.empty()) return;
    Waiter* next = line.front();
    line.pop_front();
    next->in_line = false;
    next->called = true;
    next->wake.cancel();
}

// Waits until a call ends, or the time has come. True: it was woken, and owes the place to the next
// one if it does not take it.
asio::awaitable<bool> CallTargets::wait_in_line(
    asio::any_io_executor executor, SharedLimit limit, Steady::time_point until, bool in_front
) {
    Waiter waiter(executor);
    waiter.wake.expires_at(until);
    // Whatever ends the frame takes it out of the line, or passes on what it was given.
    struct InLine {
        SharedLimit limit;
        Waiter& waiter;
        bool done = false;
        ~InLine() {
            if (waiter.in_line) limit->line.erase(waiter.place);
            if (waiter.called && !done) limit->wake_next();
        }
    };
    auto& line = limit->line;
    waiter.place = line.insert(in_front ? line.begin() : line.end(), &waiter);
    InLine in_line{limit, waiter};
    boost::system::error_code woken;
    co_await waiter.wake.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) {
        throw boost::system::system_error(asio::error::operation_aborted);
    }
    in_line.done = true;
    co_return waiter.called;
}

asio::awaitable<CallTargets::Entry> CallTargets::enter(
    asio::any_io_executor executor, Shared target, SharedLimit limit, Steady::time_point deadline
) {
    bool called = false;
    for (bool first = true;; first = false) {
        Entry entry;
        entry.health = target->circuit.ask(Steady::now());
        if (!entry.health.granted) {
            if (called) limit->wake_next();
            co_return entry;
        }
        if (!limit) co_return entry;
        entry.limit = limit->circuit.ask(Steady::now());
        if (entry.limit.granted) co_return entry;
        target->circuit.done(Steady::now(), entry.health, CallVerdict::neither);
        if (Steady::now() >= deadline) co_return entry;
        const auto until = std::min(entry.limit.retry, deadline);
        called = co_await wait_in_line(executor, limit, until, !first);
    }
}

// How long those before it will take, as far as can be told.
Duration CallTargets::time_of_line(const Limit& limit, const TargetPolicy& policy) const {
    const double waiting = static_cast<double>(limit.line.size()) + 1;
    Duration wait = settings_.patience;
    const double places = std::max(policy.concurrent_max, 1);
    const double patience = static_cast<double>(settings_.patience.count());
    wait = std::max(wait, Duration(static_cast<Duration::rep>(patience * waiting / places)));
    if (policy.rate > 0) {
        wait = std::max(wait, Duration(static_cast<Duration::rep>(waiting / policy.rate * 1e6)));
    }
    return std::min(wait, limit_wait_max);
}

StepOutcome CallTargets::postpone(
    const std::string& origin, const Target& target, const SharedLimit& limit, const Entry& entry
) {
    const bool broken = !entry.health.granted;
    const Circuit::Permit& no = broken ? entry.health : entry.limit;
    std::string reason = fmt::format("{}: {}", origin, no.why);
    if (broken) reason += fmt::format(" ({})", target.last_error);
    Duration wait{};
    if (no.retry != Circuit::Moment::max()) {
        wait = std::chrono::ceil<Duration>(no.retry - Steady::now());
    }
    if (!broken) wait = std::max(wait, time_of_line(*limit, policy_of(origin)));
    // Not all at the same moment.
    const double more = 1 + 0.25 * rng_.unit();
    wait = Duration(static_cast<Duration::rep>(static_cast<double>(wait.count()) * more));
    events::TargetWait held;
    held.target = origin;
    held.reason = std::move(reason);
    StepOutcome outcome = pending(std::move(held));
    outcome.postponed = std::max(wait, Duration(std::chrono::milliseconds(10)));
    return outcome;
}

asio::awaitable<CallTargets::Sent> CallTargets::send(
    http::Client& client, std::int32_t tenant, http::Request request, Before before
) {
    request.tenant = tenant;
    const auto url = http::parse_url(request.url);
    if (!url.place) {
        http::Outcome wrong = co_await client.send(std::move(request));
        co_return Sent{std::move(wrong), {}};
    }
    const std::string origin = url.place->origin();
    const Shared target = find(tenant, origin);
    const SharedLimit limit = find_limit(origin);
    const auto entry = co_await enter(executor_, target, limit, Steady::now() + settings_.patience);
    const bool granted = entry.health.granted && (!limit || entry.limit.granted);
    if (!granted) co_return Sent{{}, postpone(origin, *target, limit, entry)};
    // Also when the coroutine is abandoned: the place is free again.
    struct Leave {
        Shared target;
        SharedLimit limit;
        Entry entry;
        CallVerdict verdict = CallVerdict::neither;
        std::optional<Duration> retry_after;
        ~Leave() {
            const auto now = Steady::now();
            target->circuit.done(now, entry.health, verdict, retry_after);
            if (!limit) return;
            limit->circuit.done(now, entry.limit, CallVerdict::neither);
            limit->wake_next();
        }
    };
    Leave leave{target, limit, entry, CallVerdict::neither, {}};
    if (before) {
        auto unsent = co_await before(request);
        if (unsent) co_return Sent{{}, std::move(unsent)};
    }
    const Duration timeout = request.timeout;
    http::Outcome outcome = co_await client.send(std::move(request));
    leave.verdict = verdict_of(outcome, timeout);
    if (leave.verdict == CallVerdict::bad) {
        if (const auto error = classify(outcome, wall_now())) {
            leave.retry_after = error->retry_after;
            target->last_error = error->message;
        }
    }
    co_return Sent{std::move(outcome), {}};
}

}  // namespace pawl::steps
