#include "base/json.hpp"
#include "cli_program.hpp"

#include <gtest/gtest.h>

namespace pawl::test {
namespace {

constexpr const char* order = R"(name: order
nodes:
  - {id: pay, type: wait, config: {event: order.paid, key: "{{ id }}", timeout: 30d}}
  - {id: ship, type: function, config: {function: ship}}
  - {id: sum, type: transform, config: {jq: ".total * 2"}}
  - {id: drop, type: code, config: {function: echo, input: {dropped: true}}}
edges:
  - {from: pay, to: ship}
  - {from: pay, to: drop, handle: timeout}
  - {from: ship, to: sum}
)";

constexpr const char* cases = R"(input: {id: "17", total: 50}
mocks:
  pay: {one_of: [{weight: 3, takes: 1d}, {weight: 1, takes: 40d}]}
tests:
  - name: paid
    mocks: {pay: {takes: 3d}}
    expect: {path: [pay, ship, sum], output: 100, took: 3d}
  - name: never paid
    mocks: {pay: {takes: 40d}}
    expect: {path: [pay, drop], output: {dropped: true}, took: 30d}
)";

class CliTest : public testing::Test {
protected:
    static Outcome run(std::vector<std::string> args) { return pawl({std::move(args), {}, ""}); }

    TempDir dir_;
    std::string definition_ = dir_.file("order.yaml", order);
    std::string tests_ = dir_.file("order.test.yaml", cases);
};

TEST_F(CliTest, CasesBesideADefinitionWithoutADatabase) {
    const auto outcome = run({"test", definition_});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(
        outcome.out,
        tests_ + "\n  ✓ paid  3d, 2 steps\n  ✓ never paid  30d, 1 step\n  " + definition_ +
            ": nodes 4/4 (100%), edges 3/3 (100%)\n"
    );
    EXPECT_TRUE(outcome.err.starts_with("2 passed, 0 failed")) << outcome.err;
    EXPECT_EQ(run({"test", tests_}).out, outcome.out);
    EXPECT_EQ(run({"test", dir_.path().string()}).out, outcome.out);
    const auto one = run({"test", tests_, "--only", "never", "--trace"});
    EXPECT_EQ(one.out.find("✓ paid"), std::string::npos);
    EXPECT_NE(one.out.find("30d  node_passed      pay  [timeout]"), std::string::npos) << one.out;
    EXPECT_NE(one.out.find("never taken: pay → ship"), std::string::npos) << one.out;
}

TEST_F(CliTest, ACaseThatFailsShowsTheDifference) {
    dir_.file(
        "order.test.yaml",
        "input: {id: '17', total: 50}\ntests:\n  - name: wrong\n    mocks: {pay: {takes: 3d}}\n"
        "    expect: {path: [pay, drop], output: 101}\n"
    );
    const auto outcome = run({"test", definition_});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.out.find("  ✗ wrong"), std::string::npos) << outcome.out;
    EXPECT_NE(
        outcome.out.find("      path: is another one\n          pay\n        - drop\n        + "
                         "ship\n        + sum\n"),
        std::string::npos
    ) << outcome.out;
    EXPECT_NE(outcome.out.find("        - 101\n        + 100\n"), std::string::npos);
    const auto json = run({"test", definition_, "-o", "json"});
    EXPECT_EQ(json.code, 1);
    const auto files = parse_json(json.out).value();
    const auto& test = find(files.as_array().at(0), "tests")->as_array().at(0);
    EXPECT_FALSE(find(test, "passed")->as_bool());
    EXPECT_EQ(find(test, "mismatches")->as_array().size(), 2U);
}

TEST_F(CliTest, FilesThatCannotBeUsed) {
    const std::string lonely = dir_.file("lonely.yaml", order);
    const auto none = run({"test", lonely});
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("lonely.test.yaml"), std::string::npos) << none.err;
    dir_.file("order.test.yaml", "tests:\n  - name: x\n    expect: {path: [payy]}\n");
    const auto wrong = run({"test", definition_});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(
        wrong.err.find(
            tests_ + ":3: tests[0].expect.path: there is no node 'payy', did you mean "
                     "'pay'?"
        ),
        std::string::npos
    ) << wrong.err;
    EXPECT_EQ(run({"test", "/nowhere.yaml"}).code, 2);
}

TEST_F(CliTest, ASimulationCountsEveryEdge) {
    const auto outcome = run({"simulate", definition_, "--subjects", "200", "-o", "json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto sums = parse_json(outcome.out).value();
    EXPECT_EQ(find(sums, "runs")->as_int64(), 200);
    const auto& edges = find(*find(sums, "coverage"), "edges")->as_array();
    const auto taken = [&](std::size_t i) { return find(edges.at(i), "taken")->as_int64(); };
    EXPECT_EQ(taken(0) + taken(1), 200);
    EXPECT_GT(taken(0), taken(1));
    EXPECT_GT(taken(1), 0);
    EXPECT_EQ(run({"simulate", definition_, "--subjects", "200", "-o", "json"}).out, outcome.out);
    const auto drawn = run({"simulate", definition_, "--subjects", "10", "--graph"});
    EXPECT_NE(drawn.out.find("┌"), std::string::npos) << drawn.out;
    EXPECT_EQ(run({"simulate", definition_}).code, 2);
}

TEST_F(CliTest, ASimulationOverRecordedInputs) {
    const std::string inputs = dir_.file(
        "inputs.jsonl", "{\"id\": \"1\", \"total\": 1}\n\n{\"total\": 2}\n{\"id\": \"3\"}\n"
    );
    const auto outcome = run({"simulate", definition_, "--inputs", inputs, "-o", "json"});
    const auto sums = parse_json(outcome.out).value();
    EXPECT_EQ(find(sums, "runs")->as_int64(), 3);
    EXPECT_EQ(find(sums, "refused")->as_int64(), 1) << "one has no id";
    const std::string bad = dir_.file("bad.jsonl", "{\n");
    const auto wrong = run({"simulate", definition_, "--inputs", bad});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.err.find("bad.jsonl:1: "), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace pawl::test
