#include "model/webhook.hpp"

#include "model/outbox_request.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

using namespace std::chrono_literals;
using Kind = WebhookVerdict::Kind;

TEST(Webhook, TriesTenTimesOverThreeDays) {
    Duration total{};
    int tries = 1;
    WebhookVerdict verdict = judge_webhook({500, {}}, 0, {}, 0);
    EXPECT_EQ(verdict.wait, Duration(5s));
    for (; verdict.kind == Kind::retry; ++tries) {
        total += verdict.wait;
        verdict = judge_webhook({500, {}}, tries, {}, 0);
    }
    EXPECT_EQ(verdict.kind, Kind::give_up);
    EXPECT_EQ(tries, 10);
    EXPECT_EQ(total, Duration(5s + 5min + 30min + 75h));
}

TEST(Webhook, WhatAnswersMean) {
    const auto kind = [](std::optional<int> status) {
        return judge_webhook({status, {}}, 0, {}, 0.5).kind;
    };
    for (const int status : {200, 201, 204, 299}) EXPECT_EQ(kind(status), Kind::published);
    for (const int status : {301, 302, 400, 404, 429, 500, 503}) {
        EXPECT_EQ(kind(status), Kind::retry) << status;
    }
    EXPECT_EQ(kind(410), Kind::disable);
    EXPECT_EQ(kind(std::nullopt), Kind::retry);
}

TEST(Webhook, TheReceiverMayAskForMoreTime) {
    EXPECT_EQ(judge_webhook({429, Duration(1h)}, 0, {}, 0).wait, Duration(1h));
    EXPECT_EQ(judge_webhook({429, Duration(1s)}, 0, {}, 0).wait, Duration(5s));
    EXPECT_EQ(judge_webhook({429, Duration(999h)}, 0, {}, 0).wait, Duration(24h));
    EXPECT_EQ(judge_webhook({500, {}}, 1, {1, 7}, 0.5).wait, Duration(7700ms)) << "own table";
    EXPECT_EQ(judge_webhook({500, {}}, 2, {1, 7}, 0).kind, Kind::give_up);
    EXPECT_EQ(webhook_pause(0), Duration(1s));
    EXPECT_EQ(webhook_pause(100), Duration(64s));
}

TEST(Webhook, NamesOfEventsAndChannels) {
    for (const char* fine :
         {"*",
          "run.failed",
          "run.*",
          "event.order.paid",
          "event.*",
          "task.opened",
          "run.held",
          "dead_letter.created"}) {
        EXPECT_TRUE(is_webhook_event(fine)) << fine;
    }
    for (const char* wrong :
         {"", ".*", "run *", "r\"un", "a%", "run.faild", "runs.*", "event. x"}) {
        EXPECT_FALSE(is_webhook_event(wrong)) << wrong;
    }
    EXPECT_TRUE(is_outbox_channel("orders_1"));
    for (const char* wrong : {"", "pawl", "pawl_wake", "Orders", "1a", "a-b", "a'b"}) {
        EXPECT_FALSE(is_outbox_channel(wrong)) << wrong;
    }
}

TEST(Webhook, RequestsAreChecked) {
    const auto wrong = [](OutboxRequest request, bool first = true) {
        std::string fields;
        for (const auto& one : check_outbox_request(request, first)) fields += one.field + " ";
        return fields;
    };
    EXPECT_EQ(wrong({.url = "https://example.com/hook"}), "");
    EXPECT_EQ(wrong({.channel = "orders"}), "");
    EXPECT_EQ(wrong({.queue = "orders"}), "");
    EXPECT_EQ(wrong({}), "url ");
    EXPECT_EQ(wrong({.name = "\u202e", .url = "https://example.com/hook"}), "name ");
    EXPECT_EQ(wrong({.url = "https://a/", .queue = "q"}), "url ");
    EXPECT_EQ(wrong({.url = "ftp://example.com"}), "url ");
    EXPECT_EQ(wrong({.queue = "q"}, false), "");
    EXPECT_EQ(wrong({.queue = std::string(36, 'q')}, false), "queue ");
    EXPECT_EQ(wrong({.channel = std::string(36, 'c')}, false), "channel ");
    EXPECT_EQ(wrong({.queue = "t2_q"}), "queue ") << "another tenant's";
    EXPECT_EQ(wrong({.queue = "t2q"}), "");
    EXPECT_EQ(wrong({.queue = "t_q"}), "");
    EXPECT_EQ(wrong({.channel = "pawl"}), "channel ");
    EXPECT_EQ(wrong({.url = "http://a/", .events = {"a b"}}), "events ");
    EXPECT_EQ(wrong({.url = "http://a/", .batch_max = 0, .retries = {-1}}), "batch_max retries ");
}

}  // namespace
}  // namespace pawl
