#include "connect/batch.hpp"

#include "base/ids.hpp"
#include "unit/connect/connect_fixture.hpp"

namespace pawl::connect {
namespace {

std::string id_of(int n) {
    return fmt::format("0190a5c0-7b1e-7c3a-9d2f-0123456789{:02}", n);
}

Call call_to(
    std::string_view connector, const Account& with, int n, std::string_view to, std::string content
) {
    Outgoing message = outgoing(to, content);
    message.message_id = id_of(n);
    auto call = make_request(shipped(connector), with, message);
    if (!call) throw std::runtime_error(to_string(call.error()));
    return *call;
}

http::Request batch_of(
    std::string_view connector, const Account& with, const std::vector<Call>& calls
) {
    std::vector<const Call*> all;
    for (const Call& call : calls) all.push_back(&call);
    std::vector<bool> taken;
    return make_batch(shipped(connector), with, all, taken);
}

TEST(ConnectBatch, OnlyAccountsThatCanBeSettledGoInBatches) {
    Account resend = resend_account();
    EXPECT_FALSE(goes_in_batches(shipped("resend"), resend));
    resend.settings["batch"] = true;
    EXPECT_TRUE(goes_in_batches(shipped("resend"), resend));
    EXPECT_TRUE(goes_in_batches(shipped("sendgrid"), sendgrid_account()));
    Account line = line_account();
    EXPECT_FALSE(goes_in_batches(shipped("line"), line));
    for (const json::value& given : {json::value(true), json::value("true")}) {
        line.settings["multicast"] = given;
        EXPECT_TRUE(goes_in_batches(shipped("line"), line));
    }
    for (const json::value& given : {json::value(false), json::value("false"), json::value("")}) {
        line.settings["multicast"] = given;
        EXPECT_FALSE(goes_in_batches(shipped("line"), line));
    }
    EXPECT_FALSE(goes_in_batches(shipped("twilio"), twilio_account()));
}

TEST(ConnectBatch, ResendTakesAListUnderAKeyOfItsOwn) {
    const Account with = resend_account();
    const std::vector<Call> calls{
        call_to("resend", with, 1, "ann@x.example", R"({"subject":"A","text":"1"})"),
        call_to("resend", with, 2, "bob@x.example", R"({"subject":"B","text":"2"})")};
    EXPECT_EQ(batch_group(shipped("resend"), calls[0]), batch_group(shipped("resend"), calls[1]));
    const http::Request request = batch_of("resend", with, calls);
    EXPECT_EQ(request.url, "https://api.resend.com/emails/batch");
    EXPECT_EQ(header(request, "authorization"), "Bearer re_1");
    EXPECT_EQ(request.body, "[" + calls[0].request.body + "," + calls[1].request.body + "]");
    const std::string key = header(request, "idempotency-key");
    EXPECT_NE(key, id_of(1));
    EXPECT_TRUE(parse_uuid(key));
    EXPECT_EQ(header(batch_of("resend", with, calls), "idempotency-key"), key);
    EXPECT_NE(header(batch_of("resend", with, {calls[1], calls[0]}), "idempotency-key"), key);
}

TEST(ConnectBatch, AnAccountMayLeadElsewhere) {
    Account with = resend_account();
    with.settings["base_url"] = "http://127.0.0.1:9/resend";
    const Call one = call_to("resend", with, 1, "ann@x.example", R"({"subject":"A","text":"1"})");
    EXPECT_EQ(batch_of("resend", with, {one}).url, "http://127.0.0.1:9/resend/emails/batch");
}

TEST(ConnectBatch, SendgridTakesMailsThatSayTheSame) {
    const Account with = sendgrid_account();
    const std::string same = R"({"subject":"S","text":"T"})";
    const std::vector<Call> calls{
        call_to("sendgrid", with, 1, "ann@x.example", same),
        call_to("sendgrid", with, 2, "bob@x.example", same)};
    const Call other =
        call_to("sendgrid", with, 3, "cid@x.example", R"({"subject":"S","text":"U"})");
    const auto group = [](const Call& call) { return batch_group(shipped("sendgrid"), call); };
    EXPECT_EQ(group(calls[0]), group(calls[1]));
    EXPECT_NE(group(calls[0]), group(other));
    const http::Request request = batch_of("sendgrid", with, calls);
    EXPECT_EQ(request.url, "https://api.sendgrid.com/v3/mail/send");
    const json::value body = json::parse(request.body);
    ASSERT_EQ(body.at("personalizations").as_array().size(), 2U);
    EXPECT_EQ(
        body.at_pointer("/personalizations/1"),
        json::parse(
            R"({"to":[{"email":"bob@x.example"}],"custom_args":{"pawl_message":")" + id_of(2) +
            R"("}})"
        )
    );
    EXPECT_EQ(body.at("subject"), "S");
}

TEST(ConnectBatch, LineSendsToEachAddressOnce) {
    Account with = line_account();
    with.settings["multicast"] = true;
    const std::string same = R"({"text":"Hi"})";
    const std::vector<Call> calls{
        call_to("line", with, 1, "U1", same),
        call_to("line", with, 2, "U2", same),
        call_to("line", with, 3, "U1", same)};
    std::vector<bool> taken;
    const http::Request request =
        make_batch(shipped("line"), with, {&calls[0], &calls[1], &calls[2]}, taken);
    EXPECT_EQ(taken, (std::vector<bool>{true, true, false})) << "the second one to U1 goes later";
    EXPECT_EQ(request.url, "https://api.line.me/v2/bot/message/multicast");
    EXPECT_EQ(request.body, R"({"to":["U1","U2"],"messages":[{"text":"Hi","type":"text"}]})");
    EXPECT_TRUE(parse_uuid(header(request, "x-line-retry-key")));
}

TEST(ConnectBatch, EachMessageHasItsOwnId) {
    http::Response answer;
    answer.body = R"({"data":[{"id":"a"},{"id":"b"}]})";
    const auto verdicts = read_batch_answer(shipped("resend"), answer, noon, 3);
    ASSERT_EQ(verdicts.size(), 3U);
    EXPECT_EQ(verdicts[0].external_id, "a");
    EXPECT_EQ(verdicts[1].external_id, "b");
    EXPECT_EQ(verdicts[2].external_id, "") << "an answer that is too short";
    EXPECT_EQ(verdicts[2].means, Means::accepted);
    for (const char* odd : {"", "[]", R"({"data": 7})", R"({"data": [7, null]})"}) {
        answer.body = odd;
        EXPECT_EQ(read_batch_answer(shipped("resend"), answer, noon, 2)[1].external_id, "") << odd;
    }
    answer.status = 202;
    answer.headers = {{"X-Message-Id", "x"}};
    EXPECT_EQ(read_batch_answer(shipped("sendgrid"), answer, noon, 2)[1].external_id, "x");
    answer.status = 422;
    EXPECT_EQ(read_batch_answer(shipped("resend"), answer, noon, 2)[1].means, Means::refused);
}

TEST(ConnectBatch, IsCheckedWhenItIsRead) {
    const auto problem = [](const std::string& batch, const std::string& replay = "reconcile") {
        const std::string text = fmt::format(
            "name: x\nchannels: [sms]\nreplay: {}\nsettings: {{many: {{}}}}\n"
            "request: {{url: \"https://x.example\", headers: {{Key: \"{{{{ message.id }}}}\"}}, "
            "json: {{to: \"{{{{ to }}}}\"}}}}\nanswers: [{{status: 2xx, means: accepted}}]\n"
            "batch: {}\n",
            replay,
            batch
        );
        const auto read = parse_connector(text);
        return read ? std::string() : read.error().message;
    };
    EXPECT_EQ(problem("{most: 10, merge: to, key: key, needs: settings.many}"), "");
    for (const char* wrong :
         {"7",
          "{}",
          "{most: 1}",
          "{most: 1001}",
          "{most: many}",
          "{most: 10, merge: cc}",
          "{most: 10, key: Other}",
          "{most: 10, url: \"ftp://x\"}",
          "{most: 10, url: \"https://x.example/{{ to }}\"}",
          "{most: 10, needs: settings.few}",
          "{most: 10, needs: content.text}",
          "{most: 10, found: {list: body.data}}",
          "{most: 10, found: {list: item.data, id: item.id}}",
          "{most: 10, more: 1}"}) {
        EXPECT_NE(problem(wrong), "") << wrong;
    }
    EXPECT_NE(problem("{most: 10}", "safe").find("key"), std::string::npos);
}

}  // namespace
}  // namespace pawl::connect
