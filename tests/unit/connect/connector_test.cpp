#include "connect/connector.hpp"

#include "connect/answer.hpp"
#include "connect/connector_texts.gen.hpp"
#include "unit/connect/connect_fixture.hpp"

namespace pawl::connect {
namespace {

constexpr std::string_view own = R"(name: acme
channels: [sms]
address: phone
content: {kind: sms, parts_max: 3}
replay: safe
credentials: {token: {required: true}}
settings: {sender: {}}
request:
  method: PUT
  url: https://api.acme.example/send/{{ message.id }}
  headers: {X-Token: "{{ credentials.token }}"}
  json: {to: "{{ to }}", body: "{{ content.text }}", from: "{{ settings.sender | default: null }}"}
answers:
  - {status: [200, 202], means: accepted, id: body.ref}
)";

std::string with(std::string_view old, std::string_view replacement) {
    std::string text(own);
    text.replace(text.find(old), old.size(), replacement);
    return text;
}

std::string problem(std::string_view text) {
    const auto read = parse_connector(text);
    return read ? "" : read.error().message;
}

TEST(Connector, ShippedOnesAreRead) {
    std::vector<std::string> names;
    for (const Connector& connector : shipped_connectors()) names.push_back(connector.name);
    const std::vector<std::string> all{
        "fcm", "line", "line_reply", "resend", "sendgrid", "sms_8x8", "smtp", "twilio", "webhook"};
    EXPECT_EQ(names, all);
    EXPECT_EQ(find_shipped("nothing"), nullptr);
    for (const Connector& connector : shipped_connectors()) {
        EXPECT_FALSE(connector.title.empty()) << connector.name;
        EXPECT_NE(find_shipped(connector.account_of), nullptr) << connector.name;
    }
    EXPECT_EQ(shipped("resend").per_second, 10);
}

TEST(Connector, ATenantsOwnIsUsedLikeThose) {
    const auto read = parse_connector(own);
    ASSERT_TRUE(read) << to_string(read.error());
    const auto call = make_request(
        *read, account(R"({"token":"t"})"), outgoing("+66812345678", R"({"text":"x"})")
    );
    ASSERT_TRUE(call) << to_string(call.error());
    EXPECT_EQ(call->request.method, "PUT");
    EXPECT_EQ(call->request.url, "https://api.acme.example/send/" + std::string(message_uuid));
    EXPECT_EQ(header(call->request, "x-token"), "t");
    EXPECT_EQ(call->request.body, R"({"to":"+66812345678","body":"x"})");
    http::Response answer;
    answer.status = 202;
    answer.body = R"({"ref":12})";
    EXPECT_EQ(read_answer(*read, answer, noon).external_id, "12");
    // Where no rule fits.
    answer.status = 500;
    EXPECT_EQ(read_answer(*read, answer, noon).means, Means::retry);
    answer.status = 403;
    EXPECT_EQ(read_answer(*read, answer, noon).means, Means::refused);
}

TEST(Connector, ATenantsOwnMayAnswerInJson) {
    const auto means = [](const std::string& text, int status, std::string body) {
        http::Response answer;
        answer.status = status;
        answer.body = std::move(body);
        return read_answer(parse_connector(text).value(), answer, noon).means;
    };
    const std::string in_json = std::string(own) + "answers_in: json\n";
    EXPECT_EQ(means(in_json, 403, "<html>"), Means::retry);
    EXPECT_EQ(means(in_json, 403, "{}"), Means::refused);
    EXPECT_EQ(means(std::string(own), 403, "<html>"), Means::refused);
    EXPECT_EQ(
        problem(std::string(own) + "answers_in: xml\n"), "line 15, answers_in: must be one of json"
    );
    EXPECT_EQ(
        problem("name: post\nchannels: [email]\ncontent: {kind: email}\nmail: {url: \"smtp://x\"}\n"
                "answers: [{status: 2xx, means: accepted}]\nanswers_in: json\n"),
        "line 6, answers_in: is for requests: a mail server answers in plain text"
    );
}

// A rule for all of 4xx does not mean it, one that names it does.
TEST(Connector, A408IsRefusedOnlyByName) {
    const auto means = [](std::string_view answers) {
        http::Response answer;
        answer.status = 408;
        const std::string text = fmt::format(
            "name: x\nchannels: [push]\nrequest: {{url: \"https://x.example\"}}\nanswers: {}\n",
            answers
        );
        return read_answer(parse_connector(text).value(), answer, noon).means;
    };
    EXPECT_EQ(means("[{status: 4xx, means: refused}]"), Means::unknown);
    EXPECT_EQ(means("[{status: [408, 4xx], means: refused}]"), Means::refused);
}

TEST(Connector, JsonIsReadToo) {
    const auto read = connector_from_json(json::parse(R"({"name":"acme","channels":["push"],
        "request":{"url":"{{ to }}"},"answers":[{"status":"2xx","means":"accepted"}]})"));
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->replay, Replay::reconcile);
    EXPECT_EQ(read->title, "acme");
}

TEST(Connector, ProblemsNamePlaceAndRemedy) {
    EXPECT_EQ(problem(own), "");
    EXPECT_EQ(
        problem(with("replay: safe", "replay: sure")),
        "line 5, replay: must be one of safe, reconcile, repeatable"
    );
    EXPECT_EQ(
        problem(with("channels: [sms]", "chanels: [sms]")).substr(0, 40),
        "line 1, channels: is missing: write for "
    );
    EXPECT_EQ(
        problem(with("means: accepted", "means: ok")),
        "line 14, answers[0].means: must be one of accepted, retry, refused, unknown"
    );
    EXPECT_EQ(
        problem(with("[200, 202]", "[200, 9xx]")),
        "line 14, answers[0].status: must be 200, 5xx, or a list of them"
    );
    EXPECT_EQ(
        problem(with("credentials.token", "credentials.tokn")),
        "request.headers.X-Token: 'credentials.tokn' is not declared, did you mean 'token'?"
    );
    EXPECT_EQ(
        problem(with("{{ to }}", "{{ two }}")),
        "request.body: 'two' begins with an unknown name, did you mean 'to'?"
    );
    EXPECT_EQ(
        problem(with("id: body.ref", "id: bdy.ref")),
        "answers[0].id: 'bdy.ref' begins with an unknown name, did you mean 'body'?"
    );
    EXPECT_EQ(
        problem(with("X-Token: ", "Host: ")),
        "line 11, request.headers.Host: cannot be set by hand: write the host into the url"
    );
    EXPECT_EQ(
        problem(with("https://api.acme.example", "https://{{ settings.sender }}")),
        "line 10, request.url: has a placeholder in its host: settings.base_url sets another host"
    );
    EXPECT_EQ(
        problem(with("https://api", "ftp://api")),
        "line 10, request.url: must begin with https://, or be one placeholder such as {{ to }}"
    );
}

// What would fail at each message is refused at once.
TEST(Connector, RequestsCanBeMade) {
    EXPECT_EQ(
        problem(with("method: PUT", "method: FROB")),
        "line 9, request.method: must be GET, POST, PUT, PATCH or DELETE"
    );
    EXPECT_EQ(
        problem(with("method: PUT", "method: GET")),
        "line 9, request.method: is GET, which has no body: leave out json and form"
    );
    EXPECT_EQ(
        problem(with("\"{{ credentials.token }}\"", "\"{{ credentials.token }}\\r\\nX-Other: 1\"")),
        "line 11, request.headers.X-Token: holds a line end or another control character: remove it"
    );
}

TEST(Connector, HooksMustBeSigned) {
    const auto hooks = [](std::string_view text) {
        return problem(std::string(own) + "hooks: " + std::string(text) + "\n");
    };
    EXPECT_EQ(
        hooks("{signature: bearer, secret: token, word: event.type, words: {ok: delivered}}"), ""
    );
    EXPECT_EQ(
        hooks("{secret: token, word: event.type, words: {ok: delivered}}"),
        "line 15, hooks.signature: is missing: a hook that is not signed could come from anywhere"
    );
    EXPECT_EQ(
        hooks("{signature: md5, secret: token, word: event.type, words: {ok: delivered}}"),
        "line 15, hooks.signature: must be one of line_hmac, svix, sendgrid_ecdsa, "
        "twilio_hmac_sha1, bearer, standard_webhook"
    );
    EXPECT_EQ(
        hooks("{signature: bearer, secret: hush, word: event.type, words: {ok: delivered}}"),
        "hooks.secret: 'credentials.hush' is not declared: declare it"
    );
    EXPECT_TRUE(hooks("{signature: bearer, secret: token, word: event.type, words: {ok: arrived}}")
                    .starts_with("line 15, hooks.words.ok: must be sent, delivered, "));
    EXPECT_EQ(
        hooks("{signature: bearer, secret: token, word: credentials.token, words: {ok: sent}}"),
        "hooks.word: 'credentials.token' begins with an unknown name: known here are event, body, "
        "headers, query"
    );
}

TEST(Connector, OddDocumentsAreRefused) {
    for (const char* text :
         {"",
          "7",
          "[]",
          "{",
          "name: acme",
          "name: [a]",
          "request: 7",
          "{\"name\":\"a\",\"name\":\"b\"}"})
        EXPECT_NE(problem(text), "") << text;
    EXPECT_GT(connector_problems("name: 7\nchannels: x\nanswers: 7\n").size(), 3U);
    EXPECT_TRUE(connector_problems(own).empty());
    EXPECT_NE(problem(with("json: {to:", "json: {$if: x, to:")), "");
    EXPECT_NE(problem(with("{{ to }}", "{{ to ")), "");
}

// What is cut off, or has lost a line, is refused or read; it never crashes.
TEST(Connector, DamagedDocumentsAreRefusedOrRead) {
    for (const std::string_view text : connector_texts) {
        for (std::size_t size = 0; size < text.size(); size += 41)
            connector_problems(text.substr(0, size));
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
            connector_problems(std::string(text.substr(0, begin)) + std::string(text.substr(end)));
            begin = end;
        }
    }
}

TEST(Connector, IsDescribedForAForm) {
    const json::object about = describe(shipped("line"));
    EXPECT_EQ(about.at("name"), "line");
    EXPECT_EQ(about.at("replay"), "safe");
    EXPECT_EQ(about.at("hooks"), true);
    EXPECT_EQ(
        about.at("credentials").at(0),
        json::parse(R"({"name":"channel_access_token","required":true,
            "help":"the long-lived access token of the Messaging API channel"})")
    );
    EXPECT_EQ(describe(shipped("smtp")).at("hooks"), false);
}

}  // namespace
}  // namespace pawl::connect
