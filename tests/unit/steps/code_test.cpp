#include "steps_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace pawl::steps {
namespace {

class CodeTest : public StepTest {
protected:
    StepOutcome now(std::string_view config, int attempt = 1) {
        StepRequest request = step(NodeType::code, config);
        request.attempt = attempt;
        const auto outcome = executor().try_now(request);
        return outcome ? *outcome : StepOutcome{"not now", std::nullopt};
    }
};

asio::awaitable<StepOutcome> later(StepRequest request) {
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
    co_return completed(json::string(request.node));
}

asio::awaitable<StepOutcome> throwing(StepRequest) {
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
    throw std::runtime_error("went wrong");
}

asio::awaitable<StepOutcome> endless(StepRequest) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    timer.expires_after(std::chrono::hours(1));
    co_await timer.async_wait(asio::use_awaitable);
    co_return completed(nullptr);
}

TEST_F(CodeTest, Builtins) {
    EXPECT_EQ(text(now(R"({"function":"noop"})")), "completed null");
    EXPECT_EQ(text(now(R"({"function":"echo"})")), "completed {}");
    EXPECT_EQ(text(now(R"({"function":"echo","input":[1,"a"]})")), R"(completed [1,"a"])");
}

TEST_F(CodeTest, FailFailsAsTold) {
    EXPECT_EQ(text(now(R"({"function":"fail"})")), "retryable failed: failed as asked");
    const char* told =
        R"({"function":"fail","input":{"class":"permanent","code":"c","message":"m"}})";
    EXPECT_EQ(text(now(told)), "permanent c: m");
    const char* until = R"({"function":"fail","input":{"until_attempt":3}})";
    EXPECT_EQ(text(now(until, 1)), "retryable failed: failed as asked");
    EXPECT_EQ(text(now(until, 2)), "retryable failed: failed as asked");
    EXPECT_EQ(text(now(until, 3)), R"(completed {"attempt":3})");
    EXPECT_TRUE(text(now(R"({"function":"fail","input":{"class":"odd"}})"))
                    .starts_with("permanent invalid_config"));
    EXPECT_TRUE(text(now(R"({"function":"fail","input":{"until_attempt":"x"}})"))
                    .starts_with("permanent invalid_config"));
}

TEST_F(CodeTest, UnknownFunctions) {
    EXPECT_EQ(
        text(now(R"({"function":"nope"})")),
        "permanent unknown_function: no code function is called \"nope\""
    );
    EXPECT_TRUE(text(now("{}")).starts_with("permanent unknown_function"));
    EXPECT_TRUE(text(now(R"({"function":5})")).starts_with("permanent unknown_function"));
}

TEST_F(CodeTest, WhatItThrowsIsRetryable) {
    registry.add_sync("throws", [](const StepRequest&) -> StepOutcome {
        throw std::runtime_error("bad \xff byte");
    });
    registry.add_sync("odd", [](const StepRequest&) -> StepOutcome { throw 5; });
    EXPECT_EQ(text(now(R"({"function":"throws"})")), "retryable exception: bad ? byte");
    EXPECT_TRUE(text(now(R"({"function":"odd"})")).starts_with("retryable exception"));
}

TEST_F(CodeTest, ResultsThatCannotBeStoredArePermanent) {
    registry.add_sync("nul", [](const StepRequest&) {
        return completed(json::string(std::string_view("\0", 1)));
    });
    registry.add_sync("latin", [](const StepRequest&) {
        return completed(json::object{{"a", "\xe9"}});
    });
    EXPECT_TRUE(text(now(R"({"function":"nul"})")).starts_with("permanent invalid_result"));
    EXPECT_TRUE(text(now(R"({"function":"latin"})")).starts_with("permanent invalid_result"));
}

TEST_F(CodeTest, CoroutinesAreNotRunNow) {
    registry.add_async("later", later);
    const StepRequest request = step(NodeType::code, R"({"function":"later"})");
    EXPECT_FALSE(executor().try_now(request));
    EXPECT_FALSE(executor().try_now(step(NodeType::http, "{}")));
    EXPECT_FALSE(executor().try_now(step(NodeType::function, "{}")));
    EXPECT_EQ(text(run(executor().execute(request))), R"(completed "node")");
}

TEST_F(CodeTest, ExecuteTakesEverything) {
    registry.add_async("throwing", throwing);
    const auto execute = [&](NodeType type, std::string_view config) {
        return text(run(executor().execute(step(type, config))));
    };
    EXPECT_EQ(execute(NodeType::code, R"({"function":"noop"})"), "completed null");
    EXPECT_EQ(
        execute(NodeType::code, R"({"function":"throwing"})"), "retryable exception: went wrong"
    );
    EXPECT_TRUE(execute(NodeType::join, "{}").starts_with("permanent invalid_config"));
}

TEST_F(CodeTest, ACoroutineEndsAtItsTimeout) {
    registry.add_async("endless", endless);
    StepRequest request = step(NodeType::code, R"({"function":"endless"})");
    request.timeout = 10ms;
    EXPECT_EQ(text(run(executor().execute(request))), "retryable timeout: did not end within 10ms");
}

TEST_F(CodeTest, CancellingTheStepCancelsTheCoroutine) {
    registry.add_async("endless", endless);
    registry.add_queued("queued", {endless});
    for (const char* function : {"endless", "queued"}) {
        asio::cancellation_signal signal;
        bool ended = false;
        asio::co_spawn(
            io,
            executor().execute(step(NodeType::code, fmt::format(R"({{"function":"{}"}})", function))
            ),
            asio::bind_cancellation_slot(
                signal.slot(),
                [&](std::exception_ptr failed, StepOutcome) { ended = failed != nullptr; }
            )
        );
        io.poll();
        EXPECT_FALSE(ended);
        signal.emit(asio::cancellation_type::terminal);
        run_until([&] { return ended; });
    }
}

}  // namespace
}  // namespace pawl::steps
