#include "connect/content.hpp"

#include "connect/sms_parts.hpp"
#include "unit/connect/connect_fixture.hpp"

namespace pawl::connect {
namespace {

std::string times(std::string_view text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
}

std::string line(json::value content) {
    Outgoing message = outgoing("U0", "{}");
    message.content = std::move(content);
    return refused("line", line_account(), message);
}

std::string line_messages(std::string_view list) {
    return line(json::object{{"messages", json::parse(list)}});
}

TEST(ConnectContent, LineTakesOneToFiveMessages) {
    const std::string one = R"({"type":"text","text":"x"})";
    EXPECT_EQ(line_messages("[" + one + "]"), "");
    EXPECT_EQ(line_messages("[" + times(one + ",", 4) + one + "]"), "");
    EXPECT_EQ(line_messages("[]"), "invalid_content content.messages");
    EXPECT_EQ(
        line_messages("[" + times(one + ",", 5) + one + "]"), "invalid_content content.messages"
    );
    EXPECT_EQ(line_messages("{}"), "invalid_content content.messages");
    EXPECT_EQ(line(json::object{}), "invalid_content content");
    EXPECT_EQ(line("text"), "invalid_content content");
}

TEST(ConnectContent, LineTextHasFiveThousandCharacters) {
    EXPECT_EQ(line(json::object{{"text", times("ก", 5000)}}), "");
    EXPECT_EQ(line(json::object{{"text", times("ก", 5001)}}), "invalid_content content.text");
    EXPECT_EQ(line(json::object{{"text", times("😀", 2501)}}), "invalid_content content.text");
    EXPECT_EQ(line(json::object{{"text", ""}}), "invalid_content content.text");
    EXPECT_EQ(line(json::object{{"text", "\xff"}}), "invalid_content content.text");
    EXPECT_EQ(line(json::object{{"text", json::array{}}}), "invalid_content content.text");
}

TEST(ConnectContent, LineMessagesAreWhole) {
    EXPECT_EQ(line_messages(R"([{"type":"flex","altText":"a","contents":{"type":"bubble"}}])"), "");
    EXPECT_EQ(
        line_messages(R"([{"type":"flex","contents":{}}])"),
        "invalid_content content.messages[0].altText"
    );
    EXPECT_EQ(
        line_messages(R"([{"type":"flex","contents":{},"altText":")" + times("a", 401) + R"("}])"),
        "invalid_content content.messages[0].altText"
    );
    EXPECT_EQ(
        line_messages(R"([{"type":"flex","altText":"a","contents":"x"}])"),
        "invalid_content content.messages[0].contents"
    );
    EXPECT_EQ(
        line_messages(
            R"([{"type":"text","text":"x"},{"type":"image","originalContentUrl":"http://x",
                "previewImageUrl":"https://x"}])"
        ),
        "invalid_content content.messages[1].originalContentUrl"
    );
    EXPECT_EQ(line_messages(R"([{"type":"template","altText":"a","template":{}}])"), "");
    EXPECT_EQ(line_messages(R"([{"type":"txt"}])"), "invalid_content content.messages[0].type");
    EXPECT_EQ(line_messages(R"([7])"), "invalid_content content.messages[0]");
    EXPECT_EQ(
        line_messages(R"([{"type":"text","text":{}}])"), "invalid_content content.messages[0].text"
    );
    // A placeholder that is the whole text brings a number.
    EXPECT_EQ(line_messages(R"([{"type":"text","text":123456}])"), "");
}

TEST(ConnectContent, AddressesAreOfTheirChannel) {
    const auto fits = [](AddressKind kind, std::string_view text) {
        return static_cast<bool>(check_address(kind, text));
    };
    EXPECT_TRUE(fits(AddressKind::line_user, "U4af4980629abcdef0123456789abcdef"));
    for (const char* wrong : {"", "U", "C4af4980629", "U0\n", "U0 1", "u0"})
        EXPECT_FALSE(fits(AddressKind::line_user, wrong)) << wrong;
    EXPECT_EQ(*check_address(AddressKind::phone, "+66 (81) 234-5678"), "+66812345678");
    for (const char* wrong :
         {"0812345678",
          "66812345678",
          "+0812345678",
          "+6681",
          "+66812345678901234",
          "+6681234567x",
          "+",
          "",
          "+66812345678\r\nX: y"})
        EXPECT_FALSE(fits(AddressKind::phone, wrong)) << wrong;
    EXPECT_TRUE(fits(AddressKind::push_token, "fMEP0:APA91b-_"));
    EXPECT_FALSE(fits(AddressKind::push_token, "a b"));
    EXPECT_TRUE(fits(AddressKind::url, "https://x/y"));
    for (const char* wrong : {"ftp://x", "//x", "https://x y", "file:///etc/passwd"})
        EXPECT_FALSE(fits(AddressKind::url, wrong)) << wrong;
    const auto email = [](const char* to) {
        return refused("resend", resend_account(), outgoing(to, R"({"subject":"S","text":"T"})"));
    };
    EXPECT_EQ(email("ann@x.example"), "");
    for (const char* wrong : {"ann", "a@b, c@d", "a@b\r\nBcc: c@d", "@x", "ann@", "<a@b"})
        EXPECT_EQ(email(wrong), "invalid_address to") << wrong;
}

TEST(ConnectContent, EmailNeedsSubjectAndBody) {
    const auto email = [](const char* content) {
        return refused("sendgrid", sendgrid_account(), outgoing("a@b.c", content));
    };
    EXPECT_EQ(email(R"({"subject":"S","text":"T"})"), "");
    EXPECT_EQ(email(R"({"text":"T"})"), "invalid_content content.subject");
    EXPECT_EQ(email(R"({"subject":"S"})"), "invalid_content content");
    EXPECT_EQ(email(R"({"subject":"S","text":""})"), "invalid_content content");
    EXPECT_EQ(
        email(R"({"subject":"S\r\nBcc: x@y","text":"T"})"), "invalid_content content.subject"
    );
    EXPECT_EQ(email(R"({"subject":{},"text":"T"})"), "invalid_content content.subject");
    EXPECT_EQ(
        email(R"({"subject":"S","text":"T","data":{"n":[1]}})"), "invalid_content content.data.n"
    );
    EXPECT_EQ(email(R"({"subject":"S","text":"T","data":[]})"), "invalid_content content.data");
    EXPECT_EQ(
        email(R"({"subject":"S","text":"T","data":{"pawl_message":"x"}})"),
        "invalid_content content.data.pawl_message"
    );
    Outgoing large = outgoing("a@b.c", R"({"subject":"S"})");
    large.content.get_object()["html"] = times("x", 1 << 20);
    EXPECT_EQ(refused("sendgrid", sendgrid_account(), large), "invalid_content content");
    Outgoing link = outgoing("a@b.c", R"({"subject":"S","text":"T"})");
    link.unsubscribe_url = "https://x/>\r\nBcc: a@b";
    EXPECT_EQ(refused("resend", resend_account(), link), "invalid_content unsubscribe_url");
}

TEST(ConnectContent, SendersAreChecked) {
    Account with = resend_account();
    with.settings["from"] = "no address";
    const Outgoing message = outgoing("a@b.c", R"({"subject":"S","text":"T"})");
    EXPECT_EQ(refused("resend", with, message), "invalid_account settings.from");
    with = resend_account();
    with.settings["reply_to"] = "a@b\nBcc: c@d";
    EXPECT_EQ(refused("resend", with, message), "invalid_account settings.reply_to");
    with.settings.erase("reply_to");
    with.settings.erase("from");
    EXPECT_EQ(refused("resend", with, message), "invalid_account settings.from");
}

TEST(ConnectContent, ResendTagsHaveFewCharacters) {
    const auto tag = [](const char* data) {
        Outgoing message = outgoing("a@b.c", R"({"subject":"S","text":"T"})");
        message.content.get_object()["data"] = json::parse(data);
        return refused("resend", resend_account(), message);
    };
    EXPECT_EQ(tag(R"({"campaign":"May_2026-1"})"), "");
    EXPECT_EQ(tag(R"({"campaign":"May 2026"})"), "invalid_content content.data.campaign");
    EXPECT_EQ(tag(R"({"campaign":""})"), "invalid_content content.data.campaign");
    EXPECT_EQ(tag(R"({"ก":"x"})"), "invalid_content content.data.ก");
}

TEST(ConnectContent, PushFitsFourKilobytes) {
    const Account with = account(R"({"service_account":{"project_id":"p"}})");
    const auto push = [&](json::value content) {
        Outgoing message = outgoing("t", "{}");
        message.content = std::move(content);
        message.access_token = "a";
        return refused("fcm", with, message);
    };
    EXPECT_EQ(push(json::parse(R"({"text":"x"})")), "");
    EXPECT_EQ(push(json::object{}), "invalid_content content");
    EXPECT_EQ(push(json::parse(R"({"data":{}})")), "invalid_content content");
    EXPECT_EQ(push(json::parse(R"({"data":{"from":"x"}})")), "invalid_content content.data.from");
    EXPECT_EQ(
        push(json::parse(R"({"data":{"google.x":"x"}})")), "invalid_content content.data.google.x"
    );
    for (const char* value : {"{}", "[1]", "null"}) {
        const json::object data{{"n", json::parse(value)}};
        EXPECT_EQ(push(json::object{{"data", data}}), "invalid_content content.data.n") << value;
    }
    EXPECT_EQ(push(json::object{{"body", times("x", 4001)}}), "invalid_content content");
}

// A placeholder gives a number; providers take texts.
TEST(ConnectContent, DataBecomesText) {
    Outgoing message = outgoing("t", R"({"body":"x","data":{"order":17,"gift":true,"a":"b"}})");
    message.access_token = "a";
    const auto push =
        prepare(shipped("fcm"), account(R"({"service_account":{"project_id":"p"}})"), message);
    ASSERT_TRUE(push) << to_string(push.error());
    EXPECT_EQ(find(push->data, "order")->get_string(), "17");
    EXPECT_EQ(find(push->data, "gift")->get_string(), "true");
}

TEST(ConnectContent, AWebhookTakesAnyBody) {
    const Outgoing message =
        outgoing("https://shop.example", R"({"body":{"lines":[1,{"a":"b"}]}})");
    const auto sent = prepare(shipped("webhook"), account("{}"), message);
    ASSERT_TRUE(sent) << to_string(sent.error());
    EXPECT_EQ(json::serialize(sent->content), R"({"body":{"lines":[1,{"a":"b"}]}})");
    EXPECT_EQ(
        refused("twilio", twilio_account(), outgoing("+66812345678", R"({"text":{}})")),
        "invalid_content content.text"
    );
}

TEST(ConnectContent, SmsCountsItsParts) {
    EXPECT_EQ(count_sms(""), (SmsParts{true, 0, 0}));
    EXPECT_EQ(count_sms("Hello @£$ éü\n"), (SmsParts{true, 13, 1}));
    EXPECT_EQ(count_sms(times("a", 160)), (SmsParts{true, 160, 1}));
    EXPECT_EQ(count_sms(times("a", 161)), (SmsParts{true, 161, 2}));
    EXPECT_EQ(count_sms(times("a", 306)), (SmsParts{true, 306, 2}));
    EXPECT_EQ(count_sms(times("a", 307)), (SmsParts{true, 307, 3}));
    EXPECT_EQ(count_sms("€"), (SmsParts{true, 2, 1}));
    EXPECT_EQ(count_sms(times("€", 80)), (SmsParts{true, 160, 1}));
    // 153 is odd: no part ends in the middle of an escape.
    EXPECT_EQ(count_sms(times("€", 153)), (SmsParts{true, 306, 3}));
    EXPECT_EQ(count_sms("`"), (SmsParts{false, 1, 1}));
    EXPECT_EQ(count_sms(times("ก", 70)), (SmsParts{false, 70, 1}));
    EXPECT_EQ(count_sms(times("ก", 71)), (SmsParts{false, 71, 2}));
    EXPECT_EQ(count_sms(times("😀", 35)), (SmsParts{false, 70, 1}));
    EXPECT_EQ(count_sms(times("😀", 67)), (SmsParts{false, 134, 3}));
}

TEST(ConnectContent, SmsHasALimit) {
    const auto sms = [](const char* connector, std::string text) {
        Outgoing message = outgoing("+66812345678", "{}");
        message.content = json::object{{"text", std::move(text)}};
        const bool twilio = connector == std::string_view("twilio");
        return refused(connector, twilio ? twilio_account() : sms_account(), message);
    };
    EXPECT_EQ(sms("sms_8x8", times("a", 1530)), "");
    EXPECT_EQ(sms("sms_8x8", times("a", 1531)), "invalid_content content.text");
    EXPECT_EQ(sms("twilio", times("ก", 670)), "");
    EXPECT_EQ(sms("twilio", times("ก", 671)), "invalid_content content.text");
    EXPECT_EQ(sms("twilio", ""), "invalid_content content.text");
    const auto call = make_request(
        shipped("twilio"), twilio_account(), outgoing("+66812345678", R"({"body":123456})")
    );
    ASSERT_TRUE(call) << to_string(call.error());
    EXPECT_NE(call->request.body.find("Body=123456"), std::string::npos);
    EXPECT_EQ(call->sms.parts, 1U);
}

}  // namespace
}  // namespace pawl::connect
