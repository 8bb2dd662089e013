#include "engine/services/webhook_delivery.hpp"

#include "base/webhook_secret.hpp"
#include "unit/http/http_fixture.hpp"

namespace pawl::engine {
namespace {

using namespace std::chrono_literals;
using store::OutboxState;

// What became of messages, whatever the receiver says.
class WebhookDelivery : public http::HttpTest {
protected:
    http::Client client{io.get_executor(), anywhere()};
    http::ServerResponse answer{200, {}, "thanks"};
    std::vector<std::string> bodies;
    http::Server server{
        io.get_executor(), http::ServerOptions(), [this](http::ServerRequest request) {
            return answered(std::move(request));
        }};

    asio::awaitable<http::ServerResponse> answered(http::ServerRequest request) {
        bodies.push_back(std::move(request.body));
        co_return answer;
    }
    void SetUp() override { server.listen(); }

    store::TakenMessages messages(int count, int batch_max = 1) {
        store::TakenMessages taken;
        taken.target = 1;
        taken.url = url(server.port());
        taken.batch_max = batch_max;
        taken.secrets = {new_webhook_secret()};
        for (int seq = 0; seq < count; ++seq) {
            taken.messages.push_back({RunId{}, seq, "run.started", 0, R"({"type": "x"})"});
        }
        return taken;
    }
    store::SettledMessages deliver(store::TakenMessages taken) {
        return run(deliver_webhook(io.get_executor(), client, std::move(taken), 1, 15s, 30s))
            .settled;
    }
};

TEST_F(WebhookDelivery, WhatWasNotSentIsDueAtOnce) {
    for (const int batch_max : {1, 2}) {
        answer.status = 410;
        const auto settled = deliver(messages(6, batch_max));
        EXPECT_FALSE(settled.disable.empty());
        for (const auto& one : settled.messages) {
            const bool first = one.seq < batch_max;
            EXPECT_EQ(one.state, first ? OutboxState::failed : OutboxState::pending) << one.seq;
            EXPECT_EQ(one.tried, first);
            EXPECT_EQ(one.wait, first ? std::nullopt : std::optional(Duration(0))) << one.seq;
        }
    }
}

TEST_F(WebhookDelivery, ARequestHasAnEnd) {
    auto taken = messages(20, 1000);
    for (auto& message : taken.messages) {
        message.body = R"({"type": ")" + std::string(100'000, 'x') + R"("})";
    }
    const auto settled = deliver(std::move(taken));
    ASSERT_GT(bodies.size(), 1u);
    for (const auto& body : bodies) EXPECT_LE(body.size(), 1u << 20);
    for (const auto& one : settled.messages) EXPECT_EQ(one.state, OutboxState::published);
}

TEST_F(WebhookDelivery, TheStatusIsTheAnswerHoweverMuchIsSaid) {
    answer.body = std::string(200'000, 'x');
    const auto settled = deliver(messages(1));
    EXPECT_EQ(settled.messages.at(0).state, OutboxState::published);
    EXPECT_EQ(settled.messages.at(0).status, 200);
    EXPECT_LE(settled.messages.at(0).response.size(), 600u);
}

TEST_F(WebhookDelivery, WhatNeverLeftWasNotTried) {
    http::ClientOptions options = anywhere();
    options.concurrent_max = 0;
    http::Client full(io.get_executor(), options);
    for (const int batch_max : {1, 10}) {
        const auto delivered = run(
            deliver_webhook(io.get_executor(), full, messages(3, batch_max), 1, Duration(20ms), 30s)
        );
        const auto& settled = delivered.settled;
        EXPECT_FALSE(settled.pause);
        for (const auto& one : settled.messages) {
            EXPECT_FALSE(one.tried);
            EXPECT_EQ(one.state, OutboxState::pending);
            EXPECT_EQ(one.wait, Duration(0));
        }
    }
}

}  // namespace
}  // namespace pawl::engine
