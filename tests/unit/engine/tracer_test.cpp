#include "engine/observe/tracer.hpp"

#include "base/json.hpp"
#include "base/rng.hpp"
#include "engine/observe/otlp.hpp"
#include "engine/observe/trace_ids.hpp"
#include "engine/observe/trace_links.hpp"

#include <gtest/gtest.h>

namespace pawl::engine {
namespace {

RunId some_run(std::uint64_t number) {
    Rng rng(number);
    return RunId{make_uuid7(1, static_cast<std::uint16_t>(rng.next()), rng.next())};
}

Event event_at(EventType type, int seconds) {
    Event event;
    event.type = type;
    event.at = Instant(std::chrono::seconds(seconds));
    return event;
}

const Duration cut = std::chrono::seconds(60);

TEST(Tracer, TakesItsShareOfRuns) {
    Metrics metrics;
    const Tracer tracer({.sample = 0.1}, metrics);
    const Tracer none({.sample = 0}, metrics);
    const Tracer all({.sample = 1}, metrics);
    int sampled = 0;
    for (std::uint64_t i = 0; i < 10000; ++i) {
        const RunId run = some_run(i);
        if (tracer.samples(run)) ++sampled;
        EXPECT_FALSE(none.samples(run));
        EXPECT_TRUE(all.samples(run));
    }
    EXPECT_NEAR(sampled, 1000, 100);
}

TEST(Tracer, DropsWhatDoesNotFitAndCountsIt) {
    Metrics metrics;
    Tracer tracer({.sample = 1, .spans_max = 3}, metrics);
    for (int i = 0; i < 5; ++i) tracer.record({});
    EXPECT_EQ(tracer.take(2).size(), 2u);
    EXPECT_EQ(tracer.take(2).size(), 1u);
    EXPECT_EQ(tracer.take(2).size(), 0u);
    EXPECT_NE(
        metrics.text().find("pawl_trace_spans_total{outcome=\"dropped\"} 2"), std::string::npos
    );
}

TEST(TracePlace, OfARunIsTheSameForEveryWorker) {
    const RunId run = some_run(1);
    const std::vector<Event> log{event_at(EventType::run_started, 0)};
    const TracePlace place = trace_place(run, log, cut, Instant(std::chrono::seconds(9999)));
    EXPECT_EQ(place.root.trace, run.uuid.bytes);
    EXPECT_TRUE(place.begins);
    EXPECT_FALSE(place.earlier);
    EXPECT_EQ(place.parent, start_span(run));
    EXPECT_EQ(trace_place(run, log, cut, {}).root, place.root);
    EXPECT_NE(trace_place(some_run(2), log, cut, {}).root.span, place.root.span);
}

TEST(TracePlace, AfterAShortPauseIsTheSameTrace) {
    const RunId run = some_run(1);
    const std::vector<Event> log{
        event_at(EventType::run_started, 0), event_at(EventType::step_failed, 1)};
    const TracePlace place = trace_place(run, log, cut, Instant(std::chrono::seconds(30)));
    EXPECT_EQ(place.root.trace, run.uuid.bytes);
    EXPECT_FALSE(place.begins);
}

TEST(TracePlace, AfterLongPausesIsANewTraceThatLeadsBack) {
    const RunId run = some_run(1);
    std::vector<Event> log{
        event_at(EventType::run_started, 0), event_at(EventType::wait_started, 1)};
    const TracePlace first = trace_place(run, log, cut, Instant(std::chrono::seconds(2)));
    const TracePlace second = trace_place(run, log, cut, Instant(std::chrono::seconds(100)));
    EXPECT_NE(second.root.trace, first.root.trace);
    EXPECT_EQ(second.earlier, first.root);
    EXPECT_TRUE(second.begins);
    EXPECT_FALSE(second.parent);
    // Later events belong to it, whichever worker goes on; a step may take its time.
    log.push_back(event_at(EventType::node_passed, 100));
    log.push_back(event_at(EventType::step_completed, 500));
    const TracePlace same = trace_place(run, log, cut, Instant(std::chrono::seconds(900)));
    EXPECT_EQ(same.root, second.root);
    EXPECT_FALSE(same.begins);
    log.push_back(event_at(EventType::wait_started, 501));
    const TracePlace third = trace_place(run, log, cut, Instant(std::chrono::seconds(9000)));
    EXPECT_EQ(third.earlier, second.root);
}

TEST(TracePlace, InTheTraceOfACaller) {
    const RunId run = some_run(1);
    std::vector<Event> log{event_at(EventType::run_started, 0)};
    log[0].data =
        json::object{{"traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}};
    const TracePlace place = trace_place(run, log, cut, {});
    EXPECT_EQ(to_hex(place.root.trace), "4bf92f3577b34da6a3ce929d0e0e4736");
}

TEST(Otlp, IsWhatCollectorsRead) {
    Span span;
    span.context = {{1}, {2}, true};
    span.parent = SpanId{3};
    span.name = "step \"x\"";
    span.kind = SpanKind::client;
    span.begin = Instant(std::chrono::microseconds(1'700'000'000'000'001));
    span.end = Instant(std::chrono::microseconds(1'700'000'000'000'002));
    span.with("pawl.step.attempt", std::int64_t{2}).with("pawl.step.name", std::string("x"));
    span.links.push_back({{4}, {5}, true});
    span.error = "no";
    const std::string text = to_otlp({span}, {.service = "s", .version = "1", .attributes = {}});
    EXPECT_EQ(
        text,
        R"({"resourceSpans":[{"resource":{"attributes":[)"
        R"({"key":"service.name","value":{"stringValue":"s"}},)"
        R"({"key":"service.version","value":{"stringValue":"1"}}]},)"
        R"("scopeSpans":[{"scope":{"name":"pawl"},)"
        R"("spans":[{"traceId":"01000000000000000000000000000000","spanId":"0200000000000000",)"
        R"("parentSpanId":"0300000000000000","name":"step \"x\"","kind":3,)"
        R"("startTimeUnixNano":"1700000000000001000","endTimeUnixNano":"1700000000000002000",)"
        R"("attributes":[{"key":"pawl.step.attempt","value":{"intValue":"2"}},)"
        R"({"key":"pawl.step.name","value":{"stringValue":"x"}}],)"
        R"("links":[{"traceId":"04000000000000000000000000000000","spanId":"0500000000000000"}],)"
        R"("status":{"code":2,"message":"no"}}]}]}]})"
    );
}

TEST(TraceLinks, FollowTheTracesOfALog) {
    const RunId run = some_run(7);
    std::vector<Event> log{
        event_at(EventType::run_started, 0),
        event_at(EventType::step_failed, 1),
        event_at(EventType::step_completed, 5),
        event_at(EventType::wait_started, 6),
        event_at(EventType::node_passed, 600),
        event_at(EventType::step_completed, 700)};
    for (std::size_t i = 0; i < log.size(); ++i) log[i].seq = static_cast<std::int32_t>(i);
    const auto ids = traces_of(run, log, cut);
    for (std::size_t i = 0; i < log.size(); ++i) {
        const std::vector<Event> until(
            log.begin(), log.begin() + static_cast<std::ptrdiff_t>(i) + 1
        );
        EXPECT_EQ(ids[i], trace_place(run, until, cut, log[i].at).root.trace) << i;
    }
    EXPECT_EQ(ids[3], run.uuid.bytes);
    EXPECT_NE(ids[4], run.uuid.bytes);
    EXPECT_EQ(ids[5], ids[4]);
    const TraceLinks links{"https://t/{trace_id}?r={run_id}&again={trace_id}", 1, cut};
    const std::string hex = to_hex(ids[5]);
    const auto urls = links.of(run, log);
    EXPECT_EQ(urls[5], "https://t/" + hex + "?r=" + to_string(run) + "&again=" + hex);
    // What a run has from another one is in that one's traces.
    log[0].data = {{"copied", 2}};
    EXPECT_EQ(links.of(run, log)[2], "");
    EXPECT_EQ(links.of(run, log)[3], urls[3]);
    EXPECT_EQ((TraceLinks{"https://t/{trace_id}", 0, cut}.of(run, log)[5]), "");
    // What ends a wait is shown where the wait began.
    EXPECT_NE(urls[4], urls[3]);
    log[3].node = log[4].node = "nap";
    EXPECT_EQ(links.of(run, log)[4], urls[3]);
    log[4].token = 2;
    EXPECT_EQ(links.of(run, log)[4], urls[4]);
    EXPECT_EQ((TraceLinks{"", 1, cut}.of(run, log)[5]), "");
}

}  // namespace
}  // namespace pawl::engine
