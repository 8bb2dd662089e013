#include "model/circuit.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

using namespace std::chrono_literals;
using State = Circuit::State;

class CircuitTest : public ::testing::Test {
protected:
    Circuit::Moment now{1h};
    Circuit circuit;

    // One call from its begin to its end; false when it was not allowed.
    bool call(CallVerdict verdict, std::optional<Duration> retry_after = {}) {
        const auto permit = circuit.ask(now);
        if (permit.granted) circuit.done(now, permit, verdict, retry_after);
        return permit.granted;
    }
    void fail(int times) {
        for (int i = 0; i < times; ++i) EXPECT_TRUE(call(CallVerdict::bad)) << i;
    }
};

TEST_F(CircuitTest, OpensAfterFailuresAndLetsOneProbeThrough) {
    fail(5);
    EXPECT_EQ(circuit.state(now), State::open);
    const auto refused = circuit.ask(now);
    EXPECT_FALSE(refused.granted);
    EXPECT_TRUE(refused.broken);
    EXPECT_EQ(refused.retry, now + 1s);
    now += 1s;
    EXPECT_EQ(circuit.state(now), State::half_open);
    const auto probe = circuit.ask(now);
    EXPECT_TRUE(probe.granted && probe.probe);
    EXPECT_FALSE(circuit.ask(now).granted) << "one is enough to find out";
    circuit.done(now, probe, CallVerdict::good);
    EXPECT_EQ(circuit.state(now), State::closed);
    fail(4);
    EXPECT_EQ(circuit.state(now), State::closed) << "the past is forgotten";
}

TEST_F(CircuitTest, WaitsLongerWithEveryProbeThatFails) {
    fail(5);
    for (const auto wait : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
        EXPECT_EQ(circuit.ask(now).retry, now + wait);
        now += wait;
        EXPECT_TRUE(call(CallVerdict::bad));
    }
    EXPECT_EQ(circuit.opened(), 9);
    now += 60s;
    EXPECT_TRUE(call(CallVerdict::good));
    fail(5);
    EXPECT_EQ(circuit.ask(now).retry, now + 1s) << "begins anew after a good call";
}

TEST_F(CircuitTest, WhileAProbeIsUnderWayCallersAskSeldom) {
    fail(5);
    for (const auto wait : {1s, 2s, 4s}) {
        now += wait;
        EXPECT_TRUE(call(CallVerdict::bad));
    }
    now += 8s;
    EXPECT_TRUE(circuit.ask(now).probe);
    EXPECT_EQ(circuit.ask(now).retry, now + 16s) << "it would be left alone for so long";
}

TEST_F(CircuitTest, ABrokenTargetWithoutCallsIsForgotten) {
    fail(5);
    EXPECT_FALSE(circuit.idle(now));
    now += 4min;
    EXPECT_FALSE(circuit.idle(now));
    now += 2min;
    EXPECT_TRUE(circuit.idle(now));
    const auto probe = circuit.ask(now);
    now += 10min;
    EXPECT_FALSE(circuit.idle(now)) << "a call is under way";
    circuit.done(now, probe, CallVerdict::bad, Duration(10min));
    now += 6min;
    EXPECT_FALSE(circuit.idle(now)) << "the peer said how long";
}

TEST_F(CircuitTest, HalfOfTheCallsMustFail) {
    for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(call(CallVerdict::good));
        EXPECT_TRUE(call(CallVerdict::good));
        EXPECT_TRUE(call(CallVerdict::bad));
    }
    fail(3);
    EXPECT_EQ(circuit.state(now), State::closed) << "9 of the last 20";
    fail(1);
    EXPECT_EQ(circuit.state(now), State::open) << "10 of the last 20";
}

TEST_F(CircuitTest, CallsThatNeverLeftSayNothing) {
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(call(CallVerdict::neither));
    fail(5);
    now += 1s;
    EXPECT_TRUE(call(CallVerdict::neither));
    EXPECT_EQ(circuit.state(now), State::half_open) << "the next one probes again";
}

TEST_F(CircuitTest, ThePeerMaySayHowLong) {
    fail(4);
    EXPECT_TRUE(call(CallVerdict::bad, Duration(30s)));
    EXPECT_EQ(circuit.ask(now).retry, now + 30s);
    now += 30s;
    EXPECT_TRUE(call(CallVerdict::bad, Duration(24h)));
    EXPECT_EQ(circuit.ask(now).retry, now + 10min) << "within reason";
}

TEST_F(CircuitTest, StragglersDoNotCloseIt) {
    const auto early = circuit.ask(now);
    fail(5);
    now += 1s;
    const auto probe = circuit.ask(now);
    circuit.done(now, early, CallVerdict::good);
    EXPECT_FALSE(circuit.ask(now).granted) << "the probe is still under way";
    circuit.done(now, probe, CallVerdict::bad);
    EXPECT_EQ(circuit.state(now), State::open);
}

TEST_F(CircuitTest, IsClosedByAnOperator) {
    fail(5);
    ASSERT_EQ(circuit.state(now), State::open);
    EXPECT_EQ(circuit.until(), now + 1s);
    circuit.close();
    EXPECT_EQ(circuit.state(now), State::closed);
    fail(4);
    EXPECT_EQ(circuit.state(now), State::closed) << "what was bad before counts no more";
    EXPECT_EQ(circuit.opened(), 1);
}

TEST_F(CircuitTest, LimitsWhatIsUnderWay) {
    circuit = Circuit(TargetPolicy{.concurrent_max = 2});
    const auto first = circuit.ask(now);
    EXPECT_TRUE(circuit.ask(now).granted);
    const auto third = circuit.ask(now);
    EXPECT_FALSE(third.granted || third.broken);
    EXPECT_EQ(third.retry, Circuit::Moment::max());
    circuit.done(now, first, CallVerdict::good);
    EXPECT_TRUE(circuit.ask(now).granted);
}

TEST_F(CircuitTest, LimitsTheRate) {
    circuit = Circuit(TargetPolicy{.concurrent_max = 1000, .rate = 10});
    int granted = 0;
    for (int i = 0; i < 10'000; ++i, now += 1ms) granted += circuit.ask(now).granted ? 1 : 0;
    EXPECT_NEAR(granted, 110, 2);  // a burst of a second, then ten a second
    Circuit::Permit permit = circuit.ask(now);
    while (permit.granted) permit = circuit.ask(now);
    EXPECT_TRUE(circuit.ask(permit.retry).granted) << "says when there is room";
}

TEST(TargetLimit, IsRead) {
    const TargetPolicy usual;
    EXPECT_EQ(parse_target_limit("20", usual)->concurrent_max, 20);
    EXPECT_EQ(parse_target_limit("0.5/s", usual)->rate, 0.5);
    EXPECT_EQ(parse_target_limit("20,5/s", usual)->rate, 5);
    for (const char* wrong : {"0", "-1", "x", "5/m", "0/s", "1,", "1,,2"}) {
        EXPECT_FALSE(parse_target_limit(wrong, usual)) << wrong;
    }
}

}  // namespace
}  // namespace pawl
