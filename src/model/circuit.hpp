#pragma once

#include "base/clock.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl {

// How much one target (an origin that steps call) may be asked, and when it is left alone.
struct TargetPolicy {
    int failures = 5;  // so many of the last calls, and at least half of them, open the circuit
    int window = 20;   // how many of the last calls are looked at; at most 64
    Duration cool_down = std::chrono::seconds(1);  // doubles with every probe that fails
    Duration cool_down_max = std::chrono::minutes(1);
    int concurrent_max = 0;  // calls under way; 0: any
    double rate = 0;         // calls begun per second, with bursts of a second; 0: any

    bool operator==(const TargetPolicy&) const = default;
};

// "20", "5/s" or "20,5/s" laid over the usual policy.
std::optional<TargetPolicy> parse_target_limit(std::string_view text, TargetPolicy usual);

// What a call says about its target's health.
enum class CallVerdict {
    good,     // it answered
    bad,      // it is not there, too slow, or says that it is overloaded
    neither,  // the call never left
};

// Decides whether a call to one target may go out now. Pure: time is a parameter, nothing waits.
class Circuit {
public:
    using Moment = Steady::time_point;
    enum class State { closed, open, half_open };

    explicit Circuit(TargetPolicy policy = {}) : policy_(policy) {}

    struct Permit {
        bool granted = false;
        bool probe = false;    // finds out whether the target is back
        bool broken = false;   // refused because the circuit is open: nothing helps but time
        Moment retry{};        // when to ask again; max() when a call must end first
        std::string_view why;  // of a refusal
    };

    // Counts as a call under way when it is granted; done() must follow.
    Permit ask(Moment now);
    void done(
        Moment now,
        const Permit& permit,
        CallVerdict verdict,
        std::optional<Duration> retry_after = {}
    );

    // An operator knows better: calls go out again, and the past is forgotten.
    void close();

    State state(Moment now) const;
    Moment until() const { return until_; }  // of an open one: when it is probed
    int under_way() const { return under_way_; }
    std::int64_t opened() const { return opened_; }  // how often
    bool idle(Moment now) const;                     // nothing to remember: as good as a new one

private:
    Permit probe(Moment now);
    void take_token(Moment now);
    void open(Moment now, std::optional<Duration> retry_after);
    Duration next_cool_down() const;

    TargetPolicy policy_;
    std::uint64_t recent_ = 0;  // the last calls, a bit each: 1 was bad
    int recorded_ = 0;
    int under_way_ = 0;
    bool open_ = false;
    bool probing_ = false;
    int rounds_ = 0;  // how often it was opened without a good call between
    Moment until_{};
    Moment last_{};
    std::int64_t opened_ = 0;
    double tokens_ = -1;  // of the rate; negative: not begun
    Moment refilled_{};
};

}  // namespace pawl
