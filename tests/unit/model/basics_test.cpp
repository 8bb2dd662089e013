#include "base/json.hpp"
#include "model/duration.hpp"
#include "model/event.hpp"
#include "model/retry_policy.hpp"
#include "model/step_error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <set>

namespace pawl {
namespace {

using namespace std::chrono_literals;

TEST(EventNames, EveryTypeHasItsOwn) {
    std::set<std::string_view> names;
    for (int i = 0; i < event_type_count; ++i) names.insert(name(static_cast<EventType>(i)));
    EXPECT_EQ(names.size(), std::size_t{event_type_count});
    EXPECT_FALSE(names.contains("unknown"));
    EXPECT_EQ(name(static_cast<EventType>(event_type_count)), "unknown");
}

// The list in the database is a copy of the enum: what one side adds, the other must have.
TEST(EventNames, AreTheSameInSql) {
    std::ifstream in(PAWL_SOURCE_DIR "/sql/functions/base/names.sql");
    std::string sql(std::istreambuf_iterator<char>(in), {});
    std::erase_if(sql, [](char c) { return c == ' ' || c == '\n'; });
    const auto array = [](int count, auto name_of) {
        std::string text = "(array[";
        for (int i = 0; i < count; ++i) {
            text += (i == 0 ? "'" : ",'") + std::string(name_of(i)) + "'";
        }
        return text + "])";
    };
    const auto events =
        array(event_type_count, [](int i) { return name(static_cast<EventType>(i)); });
    EXPECT_NE(sql.find("event_type_name"), std::string::npos);
    EXPECT_NE(sql.find(events), std::string::npos) << events;
    const auto statuses = array(4, [](int i) { return name(static_cast<RunStatus>(i)); });
    EXPECT_NE(sql.find(statuses), std::string::npos) << statuses;
}

TEST(EventNames, RunStatus) {
    EXPECT_EQ(name(RunStatus::running), "running");
    EXPECT_EQ(name(RunStatus::completed), "completed");
    EXPECT_EQ(name(RunStatus::failed), "failed");
    EXPECT_EQ(name(RunStatus::cancelled), "cancelled");
    EXPECT_FALSE(is_terminal(RunStatus::running));
    EXPECT_TRUE(is_terminal(RunStatus::cancelled));
}

TEST(StepErrorJson, RoundTrip) {
    const StepError error{ErrorClass::ambiguous, "timeout", "no answer", 3s};
    EXPECT_EQ(step_error_from_json(to_json(error)), error);
    const StepError plain{ErrorClass::retryable, "http_503", "", std::nullopt};
    EXPECT_EQ(step_error_from_json(to_json(plain)), plain);
}

TEST(StepErrorJson, MalformedSaysSo) {
    EXPECT_EQ(step_error_from_json(nullptr).code, "malformed_error");
    const json::value unknown_class{{"class", "odd"}, {"code", "c"}, {"message", "boom"}};
    const StepError error = step_error_from_json(unknown_class);
    EXPECT_EQ(error.error_class, ErrorClass::permanent);
    EXPECT_EQ(error.message, "the stored error lacks a class, a code or a message: boom");
}

TEST(Backoff, DoublesUpToTheCapAndAddsJitter) {
    RetryPolicy policy;
    policy.jitter_min = policy.jitter_max = 0;
    EXPECT_EQ(backoff(policy, 1, 0, std::nullopt), Duration(1s));
    EXPECT_EQ(backoff(policy, 2, 0, std::nullopt), Duration(2s));
    EXPECT_EQ(backoff(policy, 5, 0, std::nullopt), Duration(16s));
    EXPECT_EQ(backoff(policy, 40, 0, std::nullopt), Duration(1h));
    policy.jitter_min = 0.1;
    policy.jitter_max = 0.4;
    EXPECT_EQ(backoff(policy, 1, 0, std::nullopt), Duration(1100ms));
    EXPECT_EQ(backoff(policy, 1, 0.5, std::nullopt), Duration(1250ms));
}

TEST(Backoff, ALongerRetryAfterWinsWithinADay) {
    const RetryPolicy policy;
    EXPECT_EQ(backoff(policy, 1, 0, 1min), Duration(1min));
    EXPECT_EQ(backoff(policy, 1, 0, 1ms), Duration(1100ms));
    EXPECT_EQ(backoff(policy, 1, 0, 24h * 365), Duration(24h));
}

TEST(Backoff, GarbagePoliciesStayInBounds) {
    const double nan = std::nan("");
    const double inf = std::numeric_limits<double>::infinity();
    for (double odd : {nan, inf, -inf, -1.0, 0.0, 1e300}) {
        for (int attempt : {-5, 0, 1, 1000, std::numeric_limits<int>::max()}) {
            for (Duration base : {Duration::min(), Duration::zero(), Duration::max()}) {
                const RetryPolicy policy{0, base, odd, base, odd, odd, Ambiguous::retry};
                const Duration wait = backoff(policy, attempt, odd, Duration::min());
                EXPECT_GE(wait, Duration::zero());
                EXPECT_LE(wait, duration_max);
            }
        }
    }
}

TEST(Backoff, TheCapHoldsAndAttemptsAtTheCapAreSpread) {
    const RetryPolicy policy;
    for (const double random : {0.0, 0.3, 0.999}) {
        EXPECT_LE(backoff(policy, 40, random, std::nullopt), policy.cap);
        EXPECT_GE(backoff(policy, 40, random, std::nullopt), policy.cap * 3 / 4);
    }
    EXPECT_LT(backoff(policy, 40, 0.1, std::nullopt), backoff(policy, 40, 0.9, std::nullopt));
}

TEST(MayRetry, Table) {
    RetryPolicy policy;
    policy.attempts = 3;
    EXPECT_TRUE(may_retry(policy, 2, ErrorClass::retryable));
    EXPECT_FALSE(may_retry(policy, 3, ErrorClass::retryable));
    EXPECT_FALSE(may_retry(policy, 1, ErrorClass::permanent));
    EXPECT_TRUE(may_retry(policy, 1, ErrorClass::ambiguous));
    policy.ambiguous = Ambiguous::fail;
    EXPECT_FALSE(may_retry(policy, 1, ErrorClass::ambiguous));
    policy.attempts = -1;
    EXPECT_FALSE(may_retry(policy, 1, ErrorClass::retryable));
}

TEST(ParseDuration, Accepts) {
    const std::vector<std::pair<std::string_view, Duration>> cases{
        {"500ms", 500ms},
        {"30s", 30s},
        {"5m", 5min},
        {"1h", 1h},
        {"2d", 48h},
        {"1h30m", 90min},
        {"1h 30m", 90min},
        {"1.5h", 90min},
        {"250us", 250us},
        {"PT5M", 5min},
        {"P1DT2H", 26h},
        {"PT0.5S", 500ms},
        {"P1W", 168h},
        {"10", 10s},
        {"0s", 0s},
        {" 5s ", 5s},
    };
    for (const auto& [text, expected] : cases) {
        const auto parsed = parse_duration(text);
        ASSERT_TRUE(parsed) << text;
        EXPECT_EQ(*parsed, expected) << text;
    }
    EXPECT_EQ(*duration_from_json(90), Duration(90s));
    EXPECT_EQ(*duration_from_json(0.25), Duration(250ms));
}

TEST(ParseDuration, Refuses) {
    for (std::string_view text :
         {"",
          " ",
          "-5s",
          "5 minutes",
          "5x",
          "s",
          "P",
          "PT",
          "P1Y",
          "P5M",
          "1e3s",
          "nan",
          "inf",
          "5s5",
          "PT5M5",
          "99999999d",
          "1h-5m",
          "0x10s"}) {
        EXPECT_FALSE(parse_duration(text)) << text;
    }
    EXPECT_FALSE(duration_from_json(-1));
    EXPECT_FALSE(duration_from_json(nullptr));
    EXPECT_FALSE(duration_from_json(std::numeric_limits<std::uint64_t>::max()));
    EXPECT_EQ(
        parse_duration("5x").error().message,
        "'5x' is not a duration: write it like \"30s\", \"5m\", \"1h30m\", \"2d\" or \"PT5M\""
    );
}

TEST(FormatDuration, ReadsBackExactly) {
    EXPECT_EQ(format_duration(90s), "90s");
    EXPECT_EQ(format_duration(2h), "2h");
    EXPECT_EQ(format_duration(0s), "0s");
    EXPECT_TRUE(rc::check([] {
        const auto micros = *rc::gen::inRange<std::int64_t>(0, 300'000'000'000'000);
        const Duration duration(micros);
        RC_ASSERT(*parse_duration(format_duration(duration)) == duration);
    }));
}

TEST(SaturatingAdd, StaysInTime) {
    EXPECT_EQ(saturating_add(Instant::max(), 1s), Instant::max());
    EXPECT_EQ(saturating_add(Instant::min(), -1s), Instant::min());
    EXPECT_EQ(saturating_add(Instant{}, 1s), Instant(Duration(1s)));
}

}  // namespace
}  // namespace pawl
