#include "base/base64.hpp"
#include "unit/connect/hook_fixture.hpp"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

namespace pawl::connect {
namespace {

using namespace std::chrono_literals;

// A key of our own, so that events can be signed here.
class ConnectSendgrid : public testing::Test {
protected:
    ConnectSendgrid() : key_(EVP_EC_gen("P-256"), EVP_PKEY_free), account_(sendgrid_account()) {
        unsigned char* der = nullptr;
        const int size = i2d_PUBKEY(key_.get(), &der);
        account_.credentials["webhook_public_key"] =
            to_base64({reinterpret_cast<char*>(der), static_cast<std::size_t>(size)});
        OPENSSL_free(der);
    }

    std::vector<Fact> facts(std::string body) {
        const std::string time = "1769850000";
        const std::string text = time + body;
        std::string signature(256, '\0');
        std::size_t size = signature.size();
        EVP_MD_CTX* context = EVP_MD_CTX_new();
        EVP_DigestSignInit(context, nullptr, EVP_sha256(), nullptr, key_.get());
        EVP_DigestSign(
            context,
            reinterpret_cast<unsigned char*>(signature.data()),
            &size,
            reinterpret_cast<const unsigned char*>(text.data()),
            text.size()
        );
        EVP_MD_CTX_free(context);
        signature.resize(size);
        HookRequest hook;
        hook.body = std::move(body);
        hook.now = noon;
        hook.headers = {
            {"X-Twilio-Email-Event-Webhook-Timestamp", time},
            {"X-Twilio-Email-Event-Webhook-Signature", to_base64(signature)}};
        auto read = read_hook(shipped("sendgrid"), account_, hook);
        if (!read) ADD_FAILURE() << to_string(read.error());
        return read ? *read : std::vector<Fact>();
    }

    std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key_;
    Account account_;
};

// What a mail server says goes into an event of many.
TEST_F(ConnectSendgrid, ANullInOneEventDoesNotLoseTheOthers) {
    const auto read = facts(
        R"([{"event":"bounce","sg_event_id":"ev1","type":"blocked","reason":"no\u0000 \\u0000"},
            {"event":"delivered","sg_event_id":"ev2","sg_message_id":"14c5d75ce93"}])"
    );
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(text_in(read[0].detail, "reason"), R"(no? \u0000)");
    EXPECT_EQ(read[1].kind, FactKind::delivered);
}

TEST_F(ConnectSendgrid, FactsOfABatch) {
    const auto read = facts(
        R"([{"event":"open","email":"ann@x.example","timestamp":1769849990,"sg_event_id":"ev1",
             "sg_message_id":"14c5d75ce93.filter0001.1.2-0","sg_machine_open":true,
             "pawl_message":"0190a5c0-7b1e-7c3a-9d2f-0123456789ab","useragent":"UA"},
            {"event":"processed","sg_event_id":"ev2","sg_message_id":"14c5d75ce93"},
            {"event":"deferred","sg_event_id":"ev3"}])"
    );
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read[0].kind, FactKind::opened);
    EXPECT_EQ(read[0].provider_event_id, "ev1");
    EXPECT_EQ(read[0].external_id, "14c5d75ce93");
    EXPECT_EQ(read[0].message_id, message_uuid);
    EXPECT_EQ(read[0].address, "ann@x.example");
    EXPECT_EQ(read[0].at, noon - 10s);
    EXPECT_TRUE(read[0].machine);
    EXPECT_EQ(read[0].detail.at("useragent"), "UA");
    EXPECT_EQ(read[1].kind, FactKind::sent);
    EXPECT_EQ(read[1].external_id, "14c5d75ce93");
    EXPECT_FALSE(read[1].machine);
}

TEST_F(ConnectSendgrid, Words) {
    const auto word = [&](const char* event, const char* more = "") {
        const auto read = facts(std::string(R"([{"event":")") + event + "\"" + more + "}]");
        if (read.empty()) return std::string("-");
        return std::string(name(read[0].kind)) + (is_permanent(read[0]) ? "!" : "");
    };
    EXPECT_EQ(word("delivered"), "delivered");
    EXPECT_EQ(word("click", R"(,"url":"https://x")"), "clicked");
    EXPECT_EQ(word("bounce", R"(,"type":"bounce")"), "bounced!");
    EXPECT_EQ(word("bounce", R"(,"type":"blocked")"), "bounced");
    EXPECT_EQ(word("dropped"), "failed");
    EXPECT_EQ(word("spamreport"), "complained");
    EXPECT_EQ(word("unsubscribe"), "unsubscribed");
    EXPECT_EQ(word("group_unsubscribe"), "unsubscribed");
    EXPECT_EQ(word("group_resubscribe"), "-");
    EXPECT_EQ(word("deferred"), "-");
    EXPECT_EQ(word("account_status_change"), "-");
}

}  // namespace
}  // namespace pawl::connect
