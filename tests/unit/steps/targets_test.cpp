#include "steps/targets.hpp"

#include "unit/steps/fixture.hpp"

namespace pawl::steps {
namespace {

class TargetsTest : public StepTest {
protected:
    StepOutcome call(Executor& steps, const std::string& url) {
        return run(steps.execute(step(NodeType::http, fmt::format(R"({{"url": "{}"}})", url))));
    }
    static std::string reason(const StepOutcome& outcome) {
        const json::value* reason = outcome.pending.is_object()
                                        ? outcome.pending.get_object().if_contains("reason")
                                        : nullptr;
        return reason == nullptr ? "" : std::string(reason->as_string());
    }
};

TEST_F(TargetsTest, ABrokenTargetIsLeftAloneAndOthersAreNot) {
    auto steps = executor();
    answer.status = 503;
    for (int i = 0; i < 5; ++i) {
        EXPECT_TRUE(text(call(steps, url(server.port()))).starts_with("retryable http_503"));
    }
    received = {};
    const StepOutcome held = call(steps, url(server.port(), "/else"));
    ASSERT_TRUE(held.postponed);
    EXPECT_FALSE(held.error);
    EXPECT_GT(*held.postponed, Duration(500ms));
    EXPECT_LE(*held.postponed, Duration(1250ms));
    EXPECT_NE(reason(held).find("the peer answered with status 503"), std::string::npos);
    EXPECT_EQ(received.method, "") << "it was not called";
    const auto circuits = steps.circuits();
    ASSERT_EQ(circuits.size(), 1u);
    EXPECT_EQ(circuits[0].target, fmt::format("http://127.0.0.1:{}", server.port()));
    EXPECT_TRUE(circuits[0].open);
    EXPECT_EQ(circuits[0].opened, 1);
    answer.status = 200;
    const std::string other = fmt::format("http://localhost:{}/", server.port());
    EXPECT_TRUE(text(call(steps, other)).starts_with("completed"));
}

TEST_F(TargetsTest, WhatAnswersIsNotBroken) {
    auto steps = executor();
    answer.status = 500;
    for (int i = 0; i < 30; ++i) EXPECT_FALSE(call(steps, url(server.port())).postponed);
}

TEST_F(TargetsTest, WhoMayNotCallYetWaitsInLine) {
    StepSettings settings;
    settings.targets.by_origin[fmt::format("http://127.0.0.1:{}", server.port())] =
        TargetPolicy{.concurrent_max = 1};
    Executor steps(io.get_executor(), registry, client, settings);
    const auto config = fmt::format(R"({{"url": "{}"}})", url(server.port()));
    std::vector<std::shared_ptr<http::Started<StepOutcome>>> all;
    for (int i = 0; i < 10; ++i) all.push_back(start(steps.execute(step(NodeType::http, config))));
    run_until([&] {
        return std::all_of(all.begin(), all.end(), [](const auto& one) { return one->done(); });
    });
    for (const auto& one : all) EXPECT_TRUE(text(*one->value).starts_with("completed"));
}

TEST_F(TargetsTest, WhoWaitsTooLongIsPutAside) {
    StepSettings settings;
    settings.targets.usual.rate = 0.001;
    settings.targets.patience = 20ms;
    Executor steps(io.get_executor(), registry, client, settings);
    EXPECT_FALSE(call(steps, url(server.port())).postponed);
    EXPECT_TRUE(call(steps, url(server.port())).postponed);
}

}  // namespace
}  // namespace pawl::steps
