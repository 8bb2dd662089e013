#include "connect/inquiry.hpp"

#include "connect/request.hpp"
#include "unit/connect/connect_fixture.hpp"

#include <fmt/format.h>

// Asking a provider about a message whose answer never came.
namespace pawl::connect {
namespace {

using namespace std::chrono_literals;

const Instant begun = *parse_rfc3339("2026-01-31T09:00:00Z");
constexpr const char* message = "0190b3a0-0000-7000-8000-000000000001";

Inquiry inquiry_about(std::string_view text) {
    Inquiry inquiry;
    inquiry.message_id = message;
    inquiry.to = "+66812345678";
    inquiry.is_text = [text](std::string_view other) { return other == text; };
    inquiry.begun = begun;
    inquiry.unknown_since = begun + 30s;
    return inquiry;
}

std::string item(std::string_view sid, std::string_view body, std::string_view at) {
    return fmt::format(R"({{"sid":"{}","body":"{}","date_created":"{}"}})", sid, body, at);
}

constexpr std::string_view during = "Sat, 31 Jan 2026 09:00:10 +0000";
constexpr std::string_view before = "Sat, 31 Jan 2026 08:00:00 +0000";

struct Asked {
    std::vector<std::string> items = {};
    std::vector<std::string> others = {};
    Instant now = begun + 10min;
    int status = 200;
    std::string body = {};
};
Finding ask(const Asked& asked) {
    const Connector& twilio = shipped("twilio");
    http::Response answer;
    answer.status = asked.status;
    answer.body = asked.body.empty()
                      ? fmt::format("{{\"messages\":[{}]}}", fmt::join(asked.items, ","))
                      : asked.body;
    const Inquiry inquiry = inquiry_about("Hi Ann");
    const Found found = read_found(twilio, inquiry, answer, asked.now);
    return conclude(twilio, inquiry, found, asked.others, asked.now);
}

TEST(ConnectInquiry, AsksByTheAddressOrByOurId) {
    Account twilio;
    twilio.credentials = {{"account_sid", "AC1"}, {"auth_token", "t"}, {"from", "+15005550006"}};
    const auto list = make_inquiry(shipped("twilio"), twilio, inquiry_about(""));
    ASSERT_TRUE(list) << to_string(list.error());
    EXPECT_EQ(list->method, "GET");
    EXPECT_EQ(
        list->url,
        "https://api.twilio.com/2010-04-01/Accounts/AC1/"
        "Messages.json?PageSize=200&To=%2B66812345678"
    );
    Inquiry forgotten = inquiry_about("");
    forgotten.to.clear();
    EXPECT_FALSE(make_inquiry(shipped("twilio"), twilio, forgotten)) << "never of other people";
    Account sendgrid;
    sendgrid.credentials = {{"api_key", "SG.x"}};
    sendgrid.settings = {{"from", "news@shop.example"}, {"base_url", "http://127.0.0.1:9/x"}};
    const auto feed = make_inquiry(shipped("sendgrid"), sendgrid, forgotten);
    ASSERT_TRUE(feed) << to_string(feed.error());
    EXPECT_EQ(
        feed->url,
        fmt::format(
            "http://127.0.0.1:9/x/v3/messages?limit=10&query="
            "unique_args%5B%27pawl_message%27%5D%3D%22{}%22",
            message
        )
    );
}

TEST(ConnectInquiry, FindsTheMessageByItsTextAndTime) {
    Finding found = ask({.items = {item("SM1", "Hi Ann", during)}});
    EXPECT_EQ(found.means, Means::accepted);
    EXPECT_EQ(found.external_id, "SM1");
    // Of an hour before, or another message's: it is not there.
    EXPECT_EQ(ask({.items = {item("SM1", "Hi Ann", before)}}).means, Means::refused);
    EXPECT_EQ(
        ask({.items = {item("SM1", "Hi Ann", during)}, .others = {"SM1"}}).means, Means::refused
    );
    found = ask(
        {.items = {item("SM1", "Hi Ann", during), item("SM2", "Hi Ann", during)}, .others = {"SM1"}}
    );
    EXPECT_EQ(found.external_id, "SM2");
    // Another text may be this one, changed on its way: neither is sure.
    found = ask({.items = {item("SM1", "Hi Bob", during)}});
    EXPECT_EQ(found.means, Means::retry);
    EXPECT_EQ(found.external_id, "");
    EXPECT_EQ(
        ask({.items = {item("SM1", "Hi Bob", during), item("SM2", "Hi Ann", during)}}).external_id,
        "SM2"
    );
    EXPECT_EQ(ask({.items = {item("SM1", "Hi Ann", "soon")}}).means, Means::accepted);
}

TEST(ConnectInquiry, WithoutItsTextAMessageIsNotRecognised) {
    Inquiry inquiry = inquiry_about("Hi Ann");
    inquiry.is_text = nullptr;
    http::Response answer;
    answer.status = 200;
    answer.body = fmt::format("{{\"messages\":[{}]}}", item("SM1", "Hi Ann", during));
    const Instant now = begun + 10min;
    const Found found = read_found(shipped("twilio"), inquiry, answer, now);
    EXPECT_EQ(conclude(shipped("twilio"), inquiry, found, {}, now).means, Means::retry);
}

TEST(ConnectInquiry, NotThereIsNotSentOnlyAfterAWhile) {
    const Finding early = ask({.now = begun + 1min});
    EXPECT_EQ(early.means, Means::retry);
    EXPECT_EQ(early.after, Duration(2min + 30s));
    EXPECT_EQ(ask({.now = begun + 4min}).means, Means::refused);
}

TEST(ConnectInquiry, WhatIsNoAnswerSettlesNothing) {
    for (const int status : {408, 429, 500, 503}) {
        EXPECT_EQ(ask({.status = status, .body = "{}"}).means, Means::retry) << status;
    }
    for (const int status : {301, 400, 401, 403, 404}) {
        EXPECT_EQ(ask({.status = status, .body = "{}"}).means, Means::unknown) << status;
    }
    for (const char* body : {"", "no", "[]", R"({"messages":{}})", R"({"messages":"x"})", "null"}) {
        EXPECT_EQ(ask({.body = *body == '\0' ? " " : body}).means, Means::unknown) << body;
    }
    const std::string odd = R"({"messages":[null,1,"x",[],{},{"sid":{}},{"sid":""}]})";
    EXPECT_EQ(ask({.body = odd}).means, Means::refused);
}

TEST(ConnectInquiry, ACallSaysWhatToAskByOnlyWhereItCanBeAsked) {
    Outgoing sms;
    sms.message_id = message;
    sms.to = "+66 81 234 5678";
    sms.channel = "sms";
    sms.content = json::object{{"text", "Hi Ann"}};
    Account account;
    account.credentials = {{"account_sid", "AC1"}, {"auth_token", "t"}, {"from", "+15005550006"}};
    const auto call = make_request(shipped("twilio"), account, sms);
    ASSERT_TRUE(call) << to_string(call.error());
    EXPECT_EQ(call->to, "+66812345678");
    EXPECT_EQ(call->text, "Hi Ann");
    EXPECT_NE(text_hash("Hi Ann"), text_hash("Hi Bob"));
    account.credentials = {{"subaccount_id", "s"}, {"api_key", "k"}};
    const auto other = make_request(shipped("sms_8x8"), account, sms);
    ASSERT_TRUE(other) << to_string(other.error());
    EXPECT_EQ(other->to, "");
    EXPECT_EQ(other->text, std::nullopt);
}

std::string own(std::string_view reconcile, std::string_view replay = "reconcile") {
    return fmt::format(
        "name: pigeon\nchannels: [sms]\nreplay: {}\ncredentials: {{key: {{}}}}\n"
        "request: {{url: \"https://pigeon.example/send\", json: {{to: \"{{{{ to }}}}\"}}}}\n"
        "answers: [{{status: 2xx, means: accepted}}]\nreconcile: {}\n",
        replay,
        reconcile
    );
}

TEST(ConnectInquiry, AConnectorOfYourOwnSaysHow) {
    const auto good = parse_connector(own(
        R"({request: {url: "https://pigeon.example/by/{{ message.id }}"}, absent_after: 1m,
            answers: [{status: 200, means: sent, id: body.id}, {status: 404, means: not_sent}]})"
    ));
    ASSERT_TRUE(good) << to_string(good.error());
    ASSERT_TRUE(good->inquiry);
    EXPECT_EQ(good->inquiry->request.method, "GET");
    const Inquiry inquiry = inquiry_about("");
    http::Response answer;
    answer.status = 200;
    answer.body = R"({"id":"p-1"})";
    Found found = read_found(*good, inquiry, answer, begun + 5min);
    EXPECT_EQ(conclude(*good, inquiry, found, {}, begun + 5min).external_id, "p-1");
    answer.status = 404;
    found = read_found(*good, inquiry, answer, begun + 5min);
    EXPECT_EQ(conclude(*good, inquiry, found, {}, begun + 5min).means, Means::refused);
    EXPECT_EQ(conclude(*good, inquiry, found, {}, begun + 1min).means, Means::retry);
}

TEST(ConnectInquiry, WhatIsWrongWithItIsTold) {
    const auto told = [](std::string_view reconcile, std::string_view replay = "reconcile") {
        std::string all;
        for (const Problem& one : connector_problems(own(reconcile, replay)))
            all += one.path + ": " + one.what + "\n";
        return all;
    };
    const auto has = [](const std::string& text, std::string_view part) {
        return text.find(part) != std::string::npos;
    };
    EXPECT_TRUE(has(told("{answers: []}"), "reconcile.request"));
    EXPECT_TRUE(has(told("{answers: []}"), "reconcile.answers"));
    constexpr const char* request = R"(request: {url: "https://pigeon.example/x"})";
    constexpr const char* answers = "answers: [{status: 200, means: sent}]";
    const auto with = [&](std::string_view more) {
        return fmt::format("{{{}, {}{}}}", request, answers, more);
    };
    EXPECT_EQ(told(with("")), "");
    EXPECT_TRUE(has(told(with(""), "safe"), "reconcile: is for replay: reconcile"));
    EXPECT_TRUE(has(told(with(", per_minute: 0")), "reconcile.per_minute"));
    EXPECT_TRUE(has(told(with(", found: {list: body.all}")), "reconcile.found.id"));
    EXPECT_TRUE(has(told(with(", found: {list: body.all, id: event.id}")), "item"));
    EXPECT_TRUE(has(told(with(", absent_after: never")), "reconcile.absent_after"));
    EXPECT_TRUE(has(told(with(", often: true")), "often"));
    const std::string wrong_word =
        fmt::format("{{{}, answers: [{{status: 200, means: accepted}}]}}", request);
    EXPECT_TRUE(has(told(wrong_word), "sent, not_sent, later, unknown"));
    const std::string wrong_name = fmt::format(
        R"({{request: {{url: "https://p.example/{{{{ content.text }}}}"}}, {}}})", answers
    );
    EXPECT_TRUE(has(told(wrong_name), "reconcile.request.url"));
}

}  // namespace
}  // namespace pawl::connect
