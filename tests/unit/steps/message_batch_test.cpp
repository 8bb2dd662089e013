#include "steps/message_delivery.hpp"
#include "unit/steps/steps_fixture.hpp"

// Several messages in one call: the provider is real, what the database says is given.
namespace pawl::steps {
namespace {

Uuid id_of(int n) {
    return *parse_uuid(fmt::format("0190a5c0-7b1e-7c3a-9d2f-0123456789{:02}", n));
}

class MessageBatch : public StepTest {
protected:
    CallTargets targets{io.get_executor(), {}};
    MessageServices services;
    std::vector<std::string> done;      // what the database was asked, and what the provider got
    std::map<int, MessageBegun> known;  // else it is begun
    MessageTurn turn;
    std::string refused;  // an address that makes the provider refuse the whole call
    int dropped = 0;      // calls that are answered 500
    http::Server provider{
        io.get_executor(), http::ServerOptions(), [this](http::ServerRequest request) {
            return take(std::move(request));
        }};

    void SetUp() override {
        StepTest::SetUp();
        provider.listen();
        services.pace = [this](MessagePace pace) { return paced(pace); };
        services.begin = [this](std::vector<StepMessage> messages) {
            return begin(std::move(messages));
        };
        services.release = [this](std::vector<Uuid> ids) { return release(std::move(ids)); };
    }

    asio::awaitable<http::ServerResponse> take(http::ServerRequest request) {
        const json::value body = json::parse(request.body);
        const bool many = body.is_array();
        const std::size_t count = many ? body.get_array().size() : 1;
        keys.push_back(*http::find_header(request.headers, "idempotency-key"));
        http::ServerResponse response{200, {}, many ? R"({"data":[)" : R"({"id":"alone"})"};
        if (dropped > 0) {
            --dropped;
            response = {500, {}, "{}"};
        } else if (!refused.empty() && request.body.find(refused) != std::string::npos) {
            response = {422, {}, R"({"name":"validation_error","message":"Invalid `to` field."})"};
        } else if (many) {
            for (std::size_t i = 0; i < count; ++i) {
                response.body += fmt::format(R"({}{{"id":"e{}"}})", i > 0 ? "," : "", i);
            }
            response.body += "]}";
        }
        done.push_back(fmt::format("{} {} of {}", response.status, many ? "list" : "mail", count));
        co_return response;
    }
    asio::awaitable<MessageTurn> paced(MessagePace pace) {
        done.push_back(fmt::format("pace {}", pace.rate));
        co_return turn;
    }
    asio::awaitable<std::vector<MessageBegun>> begin(std::vector<StepMessage> messages) {
        std::string text = "begin";
        std::vector<MessageBegun> all;
        for (const StepMessage& message : messages) {
            text += fmt::format(" {}{}", message.attempt, message.together ? "" : " alone");
            all.push_back(known[message.attempt]);
        }
        done.push_back(text);
        co_return all;
    }
    asio::awaitable<void> release(std::vector<Uuid> ids) {
        done.push_back(fmt::format("release {}", ids.size()));
        co_return;
    }

    // The attempt is the number of the message, to tell them apart.
    Parcel parcel(int n, json::object settings = {}) {
        connect::Account account;
        account.credentials = {{"api_key", "re_1"}, {"webhook_secret", "whsec_x"}};
        account.settings = {{"from", "news@shop.example"}, {"base_url", url(provider.port(), "")}};
        for (auto& [key, value] : settings) account.settings[key] = value;
        Parcel parcel;
        parcel.connector = {std::shared_ptr<void>(), connect::find_shipped("resend")};
        parcel.account = std::make_shared<const connect::Account>(account);
        parcel.message.order.id = id_of(n);
        parcel.message.attempt = n;
        parcel.message.account = "main";
        parcel.message.window = recognised_for(*parcel.connector);
        connect::Outgoing message;
        message.message_id = to_string(id_of(n));
        message.to = fmt::format("p{}@x.example", n);
        message.channel = "email";
        message.content = {{"subject", "S"}, {"text", "T"}};
        parcel.call = connect::make_request(*parcel.connector, account, message).value();
        return parcel;
    }
    std::vector<std::string> send(int many, json::object settings = {}) {
        std::vector<Parcel> parcels;
        for (int n = 1; n <= many; ++n) parcels.push_back(parcel(n, settings));
        const Courier courier{targets, client, services};
        std::vector<std::string> all;
        for (const Delivered& one : run(deliver_together(courier, std::move(parcels)))) {
            std::string said = one.begun ? "begun " : "";
            if (one.unsent) {
                said += one.unsent->postponed ? "later" : text(*one.unsent).substr(0, 9);
            } else {
                using connect::Means;
                const Means means = one.verdict.means;
                said += means == Means::accepted  ? "sent " + one.verdict.external_id
                        : means == Means::refused ? "refused " + one.verdict.code
                        : means == Means::retry   ? "retry"
                                                  : "unknown";
            }
            all.push_back(said);
        }
        return all;
    }

    std::vector<std::string> keys;
};

using Texts = std::vector<std::string>;

TEST_F(MessageBatch, GoesInOneCallWithAResultForEach) {
    EXPECT_EQ(send(3), (Texts{"begun sent e0", "begun sent e1", "begun sent e2"}));
    EXPECT_EQ(done, (Texts{"pace 10", "begin 1 2 3", "200 list of 3"}));
    done.clear();
    EXPECT_EQ(send(1), (Texts{"begun sent alone"}));
    EXPECT_EQ(done, (Texts{"pace 10", "begin 1 alone", "200 mail of 1"}));
    EXPECT_EQ(keys[1], to_string(id_of(1)));
}

TEST_F(MessageBatch, CountsMessagesWhereTheAccountSaysHowMany) {
    send(4, {{"rate", 100}});
    EXPECT_EQ(done[0], "pace 25");
}

TEST_F(MessageBatch, IsTakenApartWhenOneIsRefused) {
    refused = "p3@x.example";
    EXPECT_EQ(
        send(4),
        (Texts{
            "begun sent e0", "begun sent e1", "begun refused validation_error", "begun sent alone"})
    );
    EXPECT_EQ(
        done,
        (Texts{
            "pace 10",
            "begin 1 2 3 4",
            "422 list of 4",
            "pace 10",
            "200 list of 2",
            "pace 10",
            "422 list of 2",
            "pace 10",
            "422 mail of 1",
            "pace 10",
            "200 mail of 1"})
    );
    EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), keys.size())
        << "each call has a key of its own";
}

TEST_F(MessageBatch, LeavesOutWhatWasSentOrMayHaveBeen) {
    known[1] = {MessageBegun::How::sent, "before"};
    known[3] = {MessageBegun::How::interrupted, ""};
    known[4] = {MessageBegun::How::again, ""};
    EXPECT_EQ(
        send(5), (Texts{"sent before", "begun sent e0", "ambiguous", "sent alone", "begun sent e1"})
    );
    EXPECT_EQ(
        done,
        (Texts{
            "pace 10",
            "begin 1 2 3 4 5",
            "200 list of 2",
            "pace 10",
            "begin 4 alone",
            "200 mail of 1"})
    ) << "one that was tried by itself goes so again, under its own key";
}

TEST_F(MessageBatch, IsRepeatedUnderTheSameKeyWhenItsAnswerIsUnclear) {
    dropped = 1;
    EXPECT_EQ(send(2), (Texts{"begun sent e0", "begun sent e1"}));
    EXPECT_EQ(done, (Texts{"pace 10", "begin 1 2", "500 list of 2", "200 list of 2"}));
    EXPECT_EQ(keys[0], keys[1]);
}

TEST_F(MessageBatch, IsWrittenDownForNothingWhenItsTurnDoesNotCome) {
    turn = {std::chrono::seconds(3), true};
    EXPECT_EQ(send(2), (Texts{"later", "later"}));
    EXPECT_EQ(done, (Texts{"pace 10"}));
}

}  // namespace
}  // namespace pawl::steps
