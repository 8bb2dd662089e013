#include "steps/transform.hpp"

#include "unit/steps/steps_fixture.hpp"

namespace pawl::steps {
namespace {

class Transform : public StepTest {
protected:
    static jq::PoolOptions options() {
        jq::PoolOptions options;
        options.binary = jq::this_binary;
        return options;
    }
    static StepRequest request(std::string_view config) {
        return step(NodeType::transform, config);
    }
    std::string run(StepRequest request) {
        return text(StepTest::run(transform(pool, std::move(request))));
    }
    std::string run(std::string_view config) { return run(request(config)); }

    jq::Pool pool{io.get_executor(), options()};
};

TEST_F(Transform, WorksOnItsInput) {
    EXPECT_EQ(run(R"J({"jq": ".prices | add", "input": {"prices": [3, 4]}})J"), "completed 7");
    EXPECT_EQ(run(R"J({"jq": "map(. * 2)", "input": [1, 2]})J"), "completed [2,4]");
    EXPECT_EQ(run(R"J({"jq": ".", "input": null})J"), "completed null");
    EXPECT_EQ(run(R"J({"jq": "."})J"), "completed null");
    EXPECT_EQ(run(R"J({"jq": "empty"})J"), "completed null");
    EXPECT_EQ(
        run(R"J({"jq": "{a: 1.5, b: \"\\u00e9\"}"})J"), "completed {\"a\":1.5E0,\"b\":\"é\"}"
    );
}

TEST_F(Transform, ErrorsArePermanentAndSayWhatJqSays) {
    EXPECT_EQ(
        run(R"J({"jq": ".input.total.net", "input": {"input": {"total": 7}}})J"),
        "permanent jq: Cannot index number with string \"net\""
    );
    EXPECT_EQ(
        run(R"J({"jq": ".a |"})J"),
        "permanent jq: the program does not compile: syntax error, unexpected $end at <top-level>, "
        "line 1:\n.a |"
    );
    EXPECT_EQ(
        run(R"J({"jq": "\"\\u0000\""})J").substr(0, 44),
        "permanent invalid_result: the output cannot "
    );
    EXPECT_EQ(
        run(R"J({"jq": "reduce range(200) as $i (1; [.])"})J").substr(0, 44),
        "permanent invalid_result: the output cannot "
    );
    EXPECT_EQ(
        run(R"J({"jq": "[range(1000000)]"})J"),
        "permanent too_large: the output has more than 1048576 bytes"
    );
    EXPECT_EQ(run("{}").substr(0, 41), "permanent invalid_config: jq must be a pr");
    EXPECT_EQ(run(R"J({"jq": 7})J").substr(0, 41), "permanent invalid_config: jq must be a pr");
}

TEST_F(Transform, ALoopWithoutEndEndsWithTheTimeOfTheStep) {
    StepRequest forever = request(R"J({"jq": "def f: f; f"})J");
    forever.timeout = 150ms;
    EXPECT_EQ(
        run(std::move(forever)),
        "permanent timeout: the program did not end within 150ms; give the step a longer timeout, "
        "or look for a loop without an end"
    );
    EXPECT_EQ(run(R"J({"jq": "1"})J"), "completed 1");
}

TEST_F(Transform, WithoutChildrenItMayBeTriedAgainElsewhere) {
    jq::Pool none(io.get_executor(), {});
    EXPECT_EQ(
        text(StepTest::run(transform(none, request(R"J({"jq": "1"})J")))),
        "retryable unavailable: jq is not set up here"
    );
}

}  // namespace
}  // namespace pawl::steps
