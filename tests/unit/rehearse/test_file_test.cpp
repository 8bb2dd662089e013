#include "rehearse/test_file.hpp"

#include "base/json.hpp"
#include "rehearse/check.hpp"
#include "rehearse/coverage.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pawl::rehearse {
namespace {

const Definition& definition() {
    static const Definition parsed = parse_definition(R"(name: x
nodes:
  - {id: a, type: function, config: {function: f}}
  - {id: ask, type: human, config: {title: T}}
  - {id: b, type: function, config: {function: f}}
edges: [{from: a, to: ask}, {from: ask, to: b, handle: approved}]
)")
                                         .value();
    return parsed;
}

std::string problems(std::string_view text) {
    std::string all;
    for (const Problem& problem : read_tests(text, definition()).problems) {
        all += fmt::format("{}: {}: {}\n", problem.line, problem.path, problem.what);
    }
    return all;
}

TEST(TestFile, AllThatACaseCanSay) {
    const auto read = read_tests(
        R"(workflow: other.yaml
input: {n: 1}
subject: ann
mocks:
  a: {result: {x: 1}, takes: 2h}
tests:
  - name: one
    start: 2026-03-01T09:00:00Z
    mocks:
      a: [{error: boom}, {error: {code: c, class: ambiguous, message: m, retry_after: 5s}}]
      ask: {one_of: [{weight: 3, decision: approved, by: ann}, {decision: rejected, takes: 1d}]}
    events:
      - {after: 1h, event: e, key: k, data: [1]}
      - {at: 2026-03-01T12:00:00Z, decide: ask, decision: rejected, by: bob, reason: no}
      - {cancel: enough}
    expect:
      status: failed
      path: [a, ask]
      error: {code: c}
      calls: {a: 2}
      took: 0s
  - name: two
)",
        definition()
    );
    ASSERT_TRUE(read.problems.empty()) << read.problems[0].what;
    EXPECT_EQ(read.file.workflow, "other.yaml");
    ASSERT_EQ(read.file.tests.size(), 2U);
    const TestCase& one = read.file.tests[0];
    EXPECT_EQ(one.script.subject, "ann");
    EXPECT_EQ(json::serialize(one.script.input), R"({"n":1})");
    EXPECT_EQ(to_rfc3339(one.script.start), "2026-03-01T09:00:00.000000Z");
    ASSERT_EQ(one.script.happenings.size(), 3U);
    EXPECT_EQ(one.script.happenings[1].after, std::chrono::hours(3));
    EXPECT_EQ(one.script.happenings[2].name, "enough");
    const auto& turns = one.mocks.at("a").turns;
    ASSERT_EQ(turns.size(), 2U) << "the case's own, not the file's";
    EXPECT_EQ(turns[0][0].answer.error->code, "boom");
    EXPECT_EQ(turns[1][0].answer.error->error_class, ErrorClass::ambiguous);
    EXPECT_EQ(one.mocks.at("ask").turns[0].size(), 2U);
    EXPECT_EQ(one.expect.status, "failed");
    EXPECT_EQ(one.expect.took, Duration{});
    EXPECT_EQ(read.file.tests[1].expect.status, "completed");
    EXPECT_EQ(read.file.tests[1].mocks.at("a").turns.size(), 1U);
    EXPECT_EQ(workflow_of_tests("workflow: w.yaml\n"), "w.yaml");
}

TEST(TestFile, WhatIsWrongIsNamed) {
    EXPECT_EQ(problems("tests: [\n"), "2: : not valid YAML: end of sequence flow not found\n");
    EXPECT_EQ(
        problems("tests:\n  - {nmae: x}\n"),
        "2: tests[0].name: is missing: say what the case shows\n"
        "2: tests[0].nmae: unknown key, did you mean 'name'?\n"
    );
    EXPECT_EQ(
        problems("mocks: {aa: {}}\n"), "1: mocks.aa: there is no node 'aa', did you mean 'a'?\n"
    );
    EXPECT_EQ(
        problems("mocks: {a: {error: {class: x}}, b: {decision: maybe}, ask: {one_of: []}}\n"),
        "1: mocks.a.error.class: must be retryable, permanent or ambiguous\n"
        "1: mocks.b.decision: must be approved or rejected\n"
        "1: mocks.ask.one_of: must be a list of at least one answer\n"
    );
    const auto in_case = [](std::string_view line) {
        return problems(fmt::format("tests:\n  - name: x\n    {}\n", line));
    };
    EXPECT_EQ(
        in_case("events: [{after: 1h}]"),
        "3: tests[0].events[0]: must say what happens: event, signal, decide, cancel, pause, "
        "resume "
        "or skip, one of them\n"
    );
    EXPECT_EQ(
        in_case("events: [{after: soon, signal: s}]"),
        "3: tests[0].events[0].after: 'soon' is not a duration: write it like \"30s\", \"5m\", "
        "\"1h30m\", \"2d\" or \"PT5M\"\n"
    );
    EXPECT_EQ(
        in_case("expect: {status: done}"),
        "3: tests[0].expect.status: must be completed, failed, cancelled or waiting\n"
    );
    EXPECT_EQ(
        in_case("expect: {path: [a, aa]}"),
        "3: tests[0].expect.path: there is no node 'aa', did you "
        "mean 'a'?\n"
    );
    EXPECT_EQ(
        in_case("start: today"), "3: tests[0].start: must be a time such as 2026-03-01T09:00:00Z\n"
    );
}

Recording play(std::string_view test) {
    const auto read = read_tests(test, definition());
    EXPECT_TRUE(read.problems.empty());
    const RealSteps none;
    MockWorld world(read.file.tests[0].mocks, none);
    return rehearse(definition(), read.file.tests[0].script, world);
}

std::string mismatches(const Expectation& expect, const Recording& recording) {
    std::string all;
    for (const Mismatch& mismatch : check(definition(), expect, recording)) {
        all += fmt::format("{}: {}\n", mismatch.what, mismatch.message);
        for (const DiffLine& line : mismatch.lines) {
            all += fmt::format("{} {}\n", line.mark, line.text);
        }
    }
    return all;
}

TEST(Check, EveryKindOfMismatch) {
    const Recording recording = play(R"(tests:
  - name: x
    mocks:
      a: {result: {n: 1, m: [1, 2]}, takes: 1h}
      ask: {decision: approved}
      b: {result: {n: 1, m: [1, 2]}}
)");
    EXPECT_EQ(mismatches({}, recording), "");
    Expectation expect;
    expect.status = "failed";
    expect.path = {"a", "b", "b"};
    expect.through = {"b", "a"};
    expect.not_visited = {"ask"};
    expect.output = json::object{{"n", 1.0}, {"m", json::array{1, 3}}, {"z", 1.5}};
    expect.output_has = json::object{{"m", json::array{1, 2}}};
    expect.error = json::object{{"code", "x"}};
    expect.took = std::chrono::hours(2);
    expect.calls = {{"a", 2}};
    EXPECT_EQ(mismatches(expect, recording), R"(status: expected failed, got completed
path: is another one
  a
- b
+ ask
  b
through: does not reach 'a' in this order
- b
  a
+ ask
+ b
not_visited: 'ask' was visited
output: is not as expected
- m[1]: 3
+ m[1]: 2
- z: 1.5
error: is not as expected
- {"code":"x"}
+ null
took: expected 2h, took 1h
calls: 'a' was called once, expected 2
)");
}

TEST(Check, ARunThatWaits) {
    const Recording recording = play("tests: [{name: x}]\n");
    EXPECT_EQ(mismatches({}, recording), "status: expected completed, got waiting at ask\n");
    Expectation expect;
    expect.status = "waiting";
    expect.waits_at = {"ask"};
    expect.emitted.emplace();
    EXPECT_EQ(mismatches(expect, recording), "");
}

TEST(Coverage, CountsOverMany) {
    Coverage coverage(definition());
    coverage.add(play("tests: [{name: x}]\n"));
    EXPECT_EQ(coverage.nodes_seen(), 2U);
    EXPECT_EQ(coverage.edges_seen(), 1U);
    coverage.add(play("tests: [{name: x, mocks: {ask: {decision: approved}}}]\n"));
    EXPECT_EQ(coverage.nodes(), (std::vector<std::size_t>{2, 2, 1}));
    EXPECT_EQ(coverage.edges(), (std::vector<std::size_t>{2, 1}));
    EXPECT_EQ(coverage.edge_name(1), "ask → b [approved]");
}

}  // namespace
}  // namespace pawl::rehearse
