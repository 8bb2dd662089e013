#include "sandbox/keys.hpp"
#include "steps/message_once.hpp"
#include "unit/steps/steps_fixture.hpp"

// What a message step does around its call: the provider is real, what the database says is given.
namespace pawl::steps {
namespace {

class MessageStep : public StepTest {
protected:
    // What was asked of the database, in its order, and the call of the provider.
    std::vector<std::string> done;
    MessageBegun begun;
    MessageTurn turn;
    std::string connector = "twilio";
    json::object settings, credentials;
    Duration timeout = 30s;

    asio::awaitable<Result<MessageReady>> prepare(MessageOrder order) {
        MessageReady ready;
        ready.category = "marketing";
        ready.address = order.channel == "line" ? "U" + std::string(32, 'a') : "+15005550010";
        ready.connector = {std::shared_ptr<void>(), connect::find_shipped(connector)};
        ready.account_name = "main";
        connect::Account account;
        account.credentials = {
            {"account_sid", "AC1"},
            {"auth_token", "token-0123456789"},
            {"from", "+15005550006"},
            {"channel_access_token", "secret"}};
        for (const auto& [key, value] : credentials) account.credentials[key] = value;
        account.settings = settings;
        account.settings["base_url"] = url(server.port(), "");
        ready.account = std::make_shared<const connect::Account>(std::move(account));
        co_return ready;
    }
    asio::awaitable<MessageTurn> pace(MessagePace pace) {
        done.push_back(fmt::format("pace {} {} {}", pace.connector, pace.account, pace.rate));
        co_return turn;
    }
    asio::awaitable<std::vector<MessageBegun>> begin(std::vector<StepMessage> messages) {
        done.push_back(fmt::format("begin {} {}", messages.at(0).node, messages[0].attempt));
        if (messages[0].window) done.back() += " within a window";
        co_return std::vector<MessageBegun>{begun};
    }
    asio::awaitable<void> release(std::vector<Uuid>) {
        done.push_back("release");
        co_return;
    }
    int outages = 0;  // how often nothing can be noted
    asio::awaitable<void> note(MessageFailure failure) {
        if (outages-- > 0) throw Failure({Errc::unavailable, "the database is away", {}});
        done.push_back(failure.unknown ? "unknown" : "failed");
        co_return;
    }
    MessageServices services() {
        MessageServices all;
        all.prepare = [this](MessageOrder order) { return prepare(std::move(order)); };
        all.pace = [this](MessagePace one) { return pace(std::move(one)); };
        all.begin = [this](std::vector<StepMessage> some) { return begin(std::move(some)); };
        all.release = [this](std::vector<Uuid> ids) { return release(std::move(ids)); };
        all.note_failure = [this](MessageFailure failure) { return note(std::move(failure)); };
        return all;
    }
    StepOutcome send(const std::string& channel = "sms") {
        StepSettings given;
        given.messages = services();
        Executor steps(io.get_executor(), registry, client, given);
        const json::object config{{"channel", channel}, {"text", "Hi"}};
        StepRequest request = step(NodeType::message, json::serialize(config));
        request.templates = &config;
        request.attempt = 3;
        request.timeout = timeout;
        received = {};
        StepOutcome outcome = run(steps.execute(std::move(request)));
        if (!received.method.empty()) done.push_back("called");
        return outcome;
    }
};

using Done = std::vector<std::string>;

// Should its worker die, it would be unknown, though it never went out.
TEST_F(MessageStep, IsNotWrittenDownWhileItWaitsInLine) {
    std::vector<http::PlacePtr> others;
    http::Request other;
    other.timeout = 0s;
    while (auto place = run(client.enter(other))) others.push_back(std::move(place));
    timeout = 20ms;
    EXPECT_EQ(send().postponed, Duration(1s));
    EXPECT_EQ(done, (Done{"pace twilio main 100"}));
    others.clear();
    timeout = 30s;
    done.clear();
    answer = {201, {}, R"({"sid": "SM1"})"};
    EXPECT_NE(text(send()).find(R"("external_id":"SM1")"), std::string::npos);
    EXPECT_EQ(done, (Done{"pace twilio main 100", "begin node 3", "called"}));
}

TEST_F(MessageStep, IsWrittenDownBeforeAProviderIsCalledThatKnowsNoRepeats) {
    answer = {201, {}, R"({"sid": "SM1"})"};
    EXPECT_NE(text(send()).find(R"("external_id":"SM1")"), std::string::npos);
    EXPECT_EQ(done, (Done{"pace twilio main 100", "begin node 3", "called"}));
    done.clear();
    connector = "line";
    answer = {200, {}, "{}"};
    EXPECT_TRUE(text(send("line")).starts_with(R"(completed {"state":"sent")"));
    EXPECT_EQ(done, (Done{"pace line main 2000", "begin node 3 within a window", "called"}))
        << "LINE knows them for a day";
}

TEST_F(MessageStep, IsKnownToItsProviderForAWhile) {
    connector = "line";
    answer = {500, {}, "{}"};
    EXPECT_EQ(send("line").postponed, Duration(2s));
    const Done kept{"pace line main 2000", "begin node 3 within a window", "called"};
    EXPECT_EQ(done, kept) << "it may have been taken, and stays written down";
    done.clear();
    answer = {429, {}, "{}"};
    EXPECT_EQ(send("line").postponed, Duration(5s));
    EXPECT_EQ(done.at(2), "release") << "it was not taken";
    done.clear();
    begun.how = MessageBegun::How::again;
    send("line");
    EXPECT_EQ(done, kept) << "the try before may have been";
    done.clear();
    answer = {409, {}, R"({"message": "The retry key is already accepted"})"};
    EXPECT_TRUE(text(send("line")).starts_with(R"(completed {"state":"sent")"));
    done.clear();
    begun.how = MessageBegun::How::interrupted;
    const std::string late = text(send("line"));
    EXPECT_TRUE(late.starts_with("ambiguous interrupted: line may have sent the message")) << late;
    EXPECT_NE(late.find("does not recognise the repeat any more"), std::string::npos) << late;
    EXPECT_EQ(std::count(done.begin(), done.end(), "called"), 0);
}

TEST_F(MessageStep, APageOfAProxyIsNotTheProvidersAnswer) {
    const std::string page = "<html><h1>Forbidden</h1>squid proxy</html>";
    answer = {403, {{"Content-Type", "text/html"}, {"Retry-After", "9"}}, page};
    const std::string lost = text(send());
    EXPECT_TRUE(lost.starts_with("ambiguous http_403: twilio may have sent the message")) << lost;
    EXPECT_EQ(done, (Done{"pace twilio main 100", "begin node 3", "unknown", "called"}));
    done.clear();
    connector = "line";
    EXPECT_EQ(send("line").postponed, Duration(9s));
    EXPECT_EQ(done, (Done{"pace line main 2000", "begin node 3 within a window", "called"}))
        << "it may have been taken, and stays written down";
    answer = {302, {{"Location", "https://wifi.example/login"}}, ""};
    EXPECT_EQ(send("line").postponed, Duration(5s));
    answer = {403, {}, R"({"message": "not for you"})"};
    EXPECT_TRUE(text(send("line")).starts_with("permanent http_403: LINE: not for you"));
}

TEST_F(MessageStep, WaitsForAnAccessToken) {
    connector = "fcm";
    credentials["service_account"] = {
        {"client_email", "x@p.example"},
        {"project_id", "p"},
        {"private_key", sandbox::new_rsa_key().private_pem}};
    for (const int status : {429, 503}) {
        answer = {status, {{"Retry-After", "30"}}, "{}"};
        EXPECT_EQ(send("push").postponed, Duration(30s)) << status;
    }
    answer = {429, {}, "{}"};
    EXPECT_EQ(send("push").postponed, Duration(5s));
    answer = {200, {{"Content-Type", "text/html"}}, "<html>log in"};
    EXPECT_EQ(send("push").postponed, Duration(5s));
    EXPECT_EQ(received.target, "/token");
    answer = {403, {{"Content-Type", "text/html"}}, "<html>proxy"};
    EXPECT_EQ(send("push").postponed, Duration(5s));
    answer = {400, {}, R"({"error": "invalid_grant"})"};
    EXPECT_TRUE(text(send("push")).starts_with("permanent invalid_account: "));
}

TEST_F(MessageStep, LeavesItsPlaceWhenItIsNotSent) {
    begun.how = MessageBegun::How::interrupted;
    for (int i = 0; i < 300; ++i) send();
    http::Request other;
    other.timeout = 0s;
    std::vector<http::PlacePtr> others;
    while (auto place = run(client.enter(other))) others.push_back(std::move(place));
    EXPECT_EQ(others.size(), 256U);
}

TEST_F(MessageStep, SaysNothingOfItsCredentials) {
    answer = {401, {}, R"({"code": 20003, "message": "token-0123456789 is no token"})"};
    const std::string refused = text(send());
    EXPECT_TRUE(refused.starts_with("permanent 20003: Twilio SMS: ")) << refused;
    EXPECT_EQ(refused.find("0123456789"), refused.npos) << refused;
}

// It would wait for ever: what is not allowed is not allowed later either.
TEST(MessageOnce, FailsAtAnAddressThatIsNotAllowed) {
    const connect::Connector& twilio = *connect::find_shipped("twilio");
    const http::Fault forbidden{http::FaultKind::forbidden_address, "inner is not public"};
    const connect::Verdict verdict = verdict_of(twilio, http::Outcome(forbidden));
    EXPECT_EQ(verdict.means, connect::Means::refused);
    EXPECT_EQ(verdict.code + ": " + verdict.message, "forbidden_address: inner is not public");
}

TEST_F(MessageStep, IsNotSentAgainAfterAnAttemptThatWasInterrupted) {
    begun.how = MessageBegun::How::interrupted;
    EXPECT_TRUE(text(send()).starts_with("ambiguous interrupted: twilio may have sent"));
    begun = {MessageBegun::How::sent, "SM7"};
    EXPECT_NE(text(send()).find(R"("external_id":"SM7")"), std::string::npos);
    EXPECT_EQ(std::count(done.begin(), done.end(), "called"), 0);
}

TEST_F(MessageStep, IsForgottenWhenItCertainlyDidNotGoOut) {
    answer = {429, {{"Retry-After", "7"}}, "{}"};
    const StepOutcome later = send();
    EXPECT_EQ(later.postponed, Duration(7s));
    EXPECT_EQ(done, (Done{"pace twilio main 100", "begin node 3", "release", "called"}));
    done.clear();
    answer = {500, {}, "{}"};
    EXPECT_TRUE(text(send()).starts_with("ambiguous"));
    EXPECT_EQ(done, (Done{"pace twilio main 100", "begin node 3", "unknown", "called"}));
    done.clear();
    answer = {400, {}, R"({"code": 21211, "message": "no such number"})"};
    EXPECT_TRUE(text(send()).starts_with("permanent 21211"));
    EXPECT_EQ(done, (Done{"pace twilio main 100", "begin node 3", "failed", "called"}));
}

// Not noted, it would be asked about by no one.
TEST_F(MessageStep, AnUnknownOutcomeIsNotedOnceTheDatabaseIsBack) {
    outages = 3;
    answer = {500, {}, "{}"};
    EXPECT_TRUE(text(send()).starts_with("ambiguous"));
    EXPECT_EQ(done, (Done{"pace twilio main 100", "begin node 3", "unknown", "called"}));
}

TEST_F(MessageStep, WaitsForItsTurn) {
    settings["rate"] = 0.5;
    turn = {40s, true};
    const StepOutcome later = send();
    EXPECT_EQ(later.postponed, Duration(40s));
    EXPECT_EQ(later.pending.at("limit"), true);
    EXPECT_EQ(done, (Done{"pace twilio main 0.5"})) << "neither begun nor called";
    turn = {50ms, false};
    answer = {201, {}, R"({"sid": "SM1"})"};
    const auto before = Steady::now();
    EXPECT_TRUE(text(send()).starts_with("completed"));
    EXPECT_GE(Steady::now() - before, 50ms);
}

}  // namespace
}  // namespace pawl::steps
