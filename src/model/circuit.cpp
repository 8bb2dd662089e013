#include "model/circuit.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

namespace pawl {

namespace {

// Longer than this a peer may not send us away.
constexpr Duration retry_after_max = std::chrono::minutes(10);
// After this much silence the past says nothing any more.
constexpr Duration memory = std::chrono::minutes(5);

template <class Number>
bool read_all(std::string_view text, Number& number) {
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failed == std::errc() && end == text.data() + text.size();
}

Duration seconds(double number) {
    return Duration(static_cast<Duration::rep>(number * 1e6));
}

}  // namespace

std::optional<TargetPolicy> parse_target_limit(std::string_view text, TargetPolicy usual) {
    while (!text.empty()) {
        const auto comma = text.find(',');
        std::string_view part = text.substr(0, comma);
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
        if (part.ends_with("/s")) {
            part.remove_suffix(2);
            if (!read_all(part, usual.rate) || !(usual.rate > 0) || usual.rate > 1e6) return {};
        } else if (!read_all(part, usual.concurrent_max) || usual.concurrent_max < 1) {
            return std::nullopt;
        }
        if (comma != std::string_view::npos && text.empty()) return std::nullopt;
    }
    return usual;
}

Circuit::State Circuit::state(Moment now) const {
    if (!open_) return State::closed;
    return now < until_ ? State::open : State::half_open;
}

void Circuit::close() {
    open_ = false;
    rounds_ = 0;
    recent_ = 0;
    recorded_ = 0;
}

bool Circuit::idle(Moment now) const {
    return under_way_ == 0 && (!open_ || now > until_) && now - last_ > memory;
}

Circuit::Permit Circuit::ask(Moment now) {
    if (!open_ && under_way_ == 0 && now - last_ > memory) recent_ = 0, recorded_ = 0;
    last_ = now;
    if (open_) return probe(now);
    if (policy_.concurrent_max > 0 && under_way_ >= policy_.concurrent_max) {
        return {false, false, false, Moment::max(), "the limit of concurrent calls is reached"};
    }
    if (policy_.rate > 0) {
        take_token(now);
        if (tokens_ < 1) {
            const auto wait = seconds((1 - tokens_) / policy_.rate) + Duration(1);
            return {false, false, false, now + wait, "the limit of calls a second is reached"};
        }
        tokens_ -= 1;
    }
    ++under_way_;
    return {true, false, false, now, {}};
}

// One call finds out whether the target is back.
Circuit::Permit Circuit::probe(Moment now) {
    constexpr std::string_view why = "its calls failed, so no more are made for a while";
    if (now < until_) return {false, false, true, until_, why};
    // Asking every second while a probe hangs is of no use.
    if (probing_) return {false, false, true, now + next_cool_down(), why};
    probing_ = true;
    ++under_way_;
    return {true, true, false, now, {}};
}

void Circuit::take_token(Moment now) {
    const double most = std::max(1.0, policy_.rate);
    if (tokens_ < 0) {
        tokens_ = most;
    } else {
        const double passed = std::chrono::duration<double>(now - refilled_).count();
        tokens_ = std::min(most, tokens_ + passed * policy_.rate);
    }
    refilled_ = now;
}

Duration Circuit::next_cool_down() const {
    Duration wait = policy_.cool_down;
    for (int i = 0; i < rounds_ && wait < policy_.cool_down_max; ++i) wait *= 2;
    return std::min(wait, policy_.cool_down_max);
}

void Circuit::open(Moment now, std::optional<Duration> retry_after) {
    Duration wait = next_cool_down();
    if (retry_after) wait = std::max(wait, std::min(*retry_after, retry_after_max));
    open_ = true;
    until_ = now + wait;
    ++rounds_;
    ++opened_;
}

void Circuit::done(
    Moment now, const Permit& permit, CallVerdict verdict, std::optional<Duration> retry_after
) {
    --under_way_;
    last_ = now;
    if (permit.probe) probing_ = false;
    if (verdict == CallVerdict::neither) return;
    if (open_ && !permit.probe) return;  // it began before the circuit was opened
    if (permit.probe && verdict == CallVerdict::bad) {
        open(now, retry_after);
        return;
    }
    if (permit.probe) recent_ = 0, recorded_ = 0;
    if (verdict == CallVerdict::good) {
        open_ = false;
        rounds_ = 0;
    }
    recent_ = recent_ << 1 | (verdict == CallVerdict::bad ? 1U : 0U);
    recorded_ = std::min(recorded_ + 1, policy_.window);
    if (verdict == CallVerdict::good) return;
    const std::uint64_t mask =
        policy_.window >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << policy_.window) - 1;
    const int bad = std::popcount(recent_ & mask);
    if (bad >= policy_.failures && bad * 2 >= recorded_) open(now, retry_after);
}

}  // namespace pawl
