#include "steps/call_targets.hpp"
#include "unit/steps/steps_fixture.hpp"

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

TEST_F(TargetsTest, ACallThatMayNotStartYetWaitsInLine) {
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

TEST_F(TargetsTest, ACallThatWaitsTooLongIsDeferred) {
    StepSettings settings;
    settings.targets.usual.rate = 0.001;
    settings.targets.patience = 20ms;
    Executor steps(io.get_executor(), registry, client, settings);
    EXPECT_FALSE(call(steps, url(server.port())).postponed);
    EXPECT_TRUE(call(steps, url(server.port())).postponed);
}

TEST_F(TargetsTest, OneTenantsTroubleIsNotAnothers) {
    auto steps = executor();
    answer.status = 429;
    for (int i = 0; i < 5; ++i) call(steps, url(server.port()));
    EXPECT_TRUE(call(steps, url(server.port())).postponed);
    answer.status = 200;
    auto other = step(NodeType::http, fmt::format(R"({{"url": "{}"}})", url(server.port())));
    other.tenant = 2;
    EXPECT_TRUE(text(run(steps.execute(std::move(other)))).starts_with("completed"));
}

TEST_F(TargetsTest, WhatACallSaysAboutItsTarget) {
    using http::FaultKind;
    const auto fault = [](FaultKind kind, Duration timeout, bool elsewhere = false) {
        return verdict_of(http::Fault{kind, "", elsewhere}, timeout);
    };
    EXPECT_EQ(fault(FaultKind::timeout_after_sent, 5s), CallVerdict::bad);
    EXPECT_EQ(fault(FaultKind::timeout_after_sent, 5ms), CallVerdict::neither) << "too impatient";
    EXPECT_EQ(fault(FaultKind::timeout_in_line, 5s), CallVerdict::neither) << "it never left";
    EXPECT_EQ(fault(FaultKind::refused_before_sent, 5s), CallVerdict::bad);
    EXPECT_EQ(fault(FaultKind::refused_before_sent, 5s, true), CallVerdict::good) << "it answered";
    http::Response busy{503, {}, ""};
    EXPECT_EQ(verdict_of(busy, 5s), CallVerdict::bad);
    busy.elsewhere = true;
    EXPECT_EQ(verdict_of(busy, 5s), CallVerdict::good);
}

// A target that lets so many in at a time, and takes its time.
class LimitedTargets : public TargetsTest {
protected:
    asio::steady_timer release{io, Steady::time_point::max()};
    http::Server slow{
        io.get_executor(), http::ServerOptions(), [this](http::ServerRequest) { return held(); }};
    int inside = 0;

    asio::awaitable<http::ServerResponse> held() {
        ++inside;
        boost::system::error_code released;
        co_await release.async_wait(asio::redirect_error(asio::use_awaitable, released));
        co_return answer;
    }
    void SetUp() override {
        TargetsTest::SetUp();
        slow.listen();
    }
    Executor limited(int at_a_time, Duration patience) {
        StepSettings settings;
        settings.targets.usual.concurrent_max = at_a_time;
        settings.targets.patience = patience;
        return Executor(io.get_executor(), registry, client, settings);
    }
    StepRequest request(Duration timeout) {
        auto request = step(NodeType::http, fmt::format(R"({{"url": "{}"}})", url(slow.port())));
        request.timeout = timeout;
        return request;
    }
};

TEST_F(LimitedTargets, EveryPlaceThatGetsFreeIsTaken) {
    auto steps = limited(2, 15s);
    std::vector<std::shared_ptr<http::Started<StepOutcome>>> all;
    for (int i = 0; i < 4; ++i) all.push_back(start(steps.execute(request(10s))));
    run_until([&] { return inside == 2; });
    const auto begun = Steady::now();
    release.cancel();  // both at once
    run_until([&] { return inside == 4; });
    EXPECT_LT(Steady::now() - begun, 5s) << "no call was forgotten in line";
    release.cancel();
    run_until([&] {
        return std::all_of(all.begin(), all.end(), [](const auto& one) { return one->done(); });
    });
}

TEST_F(LimitedTargets, TimeInLineIsNotOfTheStepsTime) {
    auto steps = limited(1, 15s);
    const auto first = start(steps.execute(request(10s)));
    run_until([&] { return inside == 1; });
    const auto second = start(steps.execute(request(500ms)));
    asio::steady_timer later(io, 700ms);
    later.async_wait([&](auto) { release.cancel(); });
    run_until([&] { return inside == 2; });
    release.cancel();
    run_until([&] { return second->done(); });
    EXPECT_TRUE(text(*second->value).starts_with("completed")) << text(*second->value);
}

}  // namespace
}  // namespace pawl::steps
