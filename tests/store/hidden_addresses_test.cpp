#include "store/repos/hidden_addresses.hpp"

#include "base/fresh_id.hpp"
#include "store/repos/consent.hpp"
#include "store/under_test.hpp"

#include <fmt/format.h>

// Addresses of people who were erased: who reads the database cannot find them by trying.
namespace pawl::test {
namespace {

const std::string first_key(64, 'a');
const std::string second_key(64, 'b');

class HiddenAddresses : public ::testing::Test {
protected:
    HiddenAddresses() {
        session_.script(
            "select pawl.put_account(1, 'twilio', 'main', '{sms}', 'k', '\\x01', '\\x02', '{}', "
            "'0123456789abcdef')"
        );
        come("ann");
        session_.script("select pawl.suppress_address(1, 'sms', '+66 81 234 5678', 'complained')");
        come("bob", "+66899999999");
        session_.script(
            "select pawl.set_subscription(1, 'bob', 'sms', 'marketing', false, null);"
            "select pawl.erase_person(1, 'ann', false); select pawl.erase_person(1, 'bob', false)"
        );
    }
    void come(const std::string& key, const std::string& sms = "+66812345678") {
        session_.script(fmt::format(
            "insert into pawl.person (tenant, key, addresses) values (1, '{}', '{{\"sms\": "
            "\"{}\"}}') on conflict (tenant, key) do update set addresses = excluded.addresses, "
            "erased_at = null",
            key,
            sms
        ));
    }
    // What becomes of a message to a person.
    std::string verdict(
        store::HiddenAddresses& hidden, const std::string& person, const char* category = "news"
    ) {
        store::MessageAsked asked;
        asked.id = fresh_id();
        asked.person = person;
        asked.channel = "sms";
        asked.category = category;
        const std::vector<store::MessageAsked> all{asked};
        auto prepared = db_.loop().run(messages_.prepare(0, all));
        db_.loop().run(hidden.judge(all, prepared));
        if (!prepared.at(0).hidden.empty()) return "cannot be told";
        return prepared[0].verdict.empty() ? "go" : prepared[0].verdict;
    }
    std::string addresses(const std::string& kind) {
        return session_.value(
            "select count(*)::text from pawl.suppression where address ~ '^" + kind + "'"
        );
    }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
    store::Messages messages_{db_.pool()};
    store::Consent consent_{db_.pool()};
};

TEST_F(HiddenAddresses, AreSealedAndStillRecognised) {
    const Vault vault = Vault::from_keys(first_key).value();
    store::HiddenAddresses hidden(db_.pool(), vault);
    come("ann");
    come("bob", "+66899999999");
    come("eve", "+66811111111");
    EXPECT_EQ(verdict(hidden, "ann"), "suppressed") << "before it is sealed";
    EXPECT_EQ(db_.loop().run(hidden.seal(100)), 2U);
    EXPECT_EQ(db_.loop().run(hidden.seal(100)), 0U);
    EXPECT_EQ(addresses("sha256:") + addresses("hmac:[0-9a-f]{64}$"), "02");
    EXPECT_EQ(verdict(hidden, "ann"), "suppressed");
    EXPECT_EQ(verdict(hidden, "ann", "transactional"), "suppressed");
    EXPECT_EQ(verdict(hidden, "bob"), "unsubscribed");
    EXPECT_EQ(verdict(hidden, "bob", "transactional"), "go");
    EXPECT_EQ(verdict(hidden, "eve"), "go");
    EXPECT_EQ(verdict(hidden, "stranger"), "no_person");
}

TEST_F(HiddenAddresses, CannotBeFoundByTryingWithoutTheKey) {
    const Vault vault = Vault::from_keys(first_key).value();
    store::HiddenAddresses hidden(db_.pool(), vault);
    db_.loop().run(hidden.seal(100));
    EXPECT_EQ(
        session_.value("select count(*)::text from pawl.suppression s where s.address in "
                       "(pawl.hidden_address(1, 'sms', '+66812345678'), 'hmac:' || "
                       "encode(sha256(pawl.hidden_address(1, 'sms', '+66812345678')::bytea), "
                       "'hex'))"),
        "0"
    );
    come("ann");
    const Vault stranger = Vault::from_keys(second_key).value();
    store::HiddenAddresses other(db_.pool(), stranger);
    EXPECT_EQ(verdict(other, "ann"), "cannot be told") << "and is not sent";
    const Vault none;
    store::HiddenAddresses without(db_.pool(), none);
    EXPECT_EQ(verdict(without, "ann"), "cannot be told");
    EXPECT_EQ(store::cannot_judge().code, Errc::unavailable);
}

TEST_F(HiddenAddresses, OutliveAChangeOfTheKey) {
    const Vault old = Vault::from_keys(first_key).value();
    store::HiddenAddresses before(db_.pool(), old);
    db_.loop().run(before.seal(100));
    const Vault both = Vault::from_keys(second_key + "," + first_key).value();
    store::HiddenAddresses meanwhile(db_.pool(), both);
    EXPECT_EQ(db_.loop().run(meanwhile.rotate()), 1);
    EXPECT_EQ(db_.loop().run(meanwhile.rotate()), 0);
    const Vault fresh = Vault::from_keys(second_key).value();
    store::HiddenAddresses after(db_.pool(), fresh);
    come("ann");
    EXPECT_EQ(verdict(after, "ann"), "suppressed");
}

// Nothing is sent to those that it has sealed, whatever is sealed later.
TEST_F(HiddenAddresses, AKeyThatIsLostIsNotForgottenForAnother) {
    const Vault lost = Vault::from_keys(first_key).value();
    store::HiddenAddresses before(db_.pool(), lost);
    db_.loop().run(before.seal(100));
    come("eve", "+66811111111");
    session_.script(
        "select pawl.suppress_address(1, 'sms', '+66811111111', 'complained');"
        "select pawl.erase_person(1, 'eve', false)"
    );
    const Vault vault = Vault::from_keys(second_key).value();
    store::HiddenAddresses hidden(db_.pool(), vault);
    EXPECT_EQ(db_.loop().run(hidden.seal(100)), 0U);
    EXPECT_EQ(addresses("sha256:") + addresses("hmac:"), "12");
    for (const char* who : {"ann", "bob", "eve"}) {
        come(who, who[0] == 'a' ? "+66812345678" : who[0] == 'b' ? "+66899999999" : "+66811111111");
    }
    EXPECT_EQ(verdict(hidden, "ann"), "cannot be told");

    // A server of an older version has sealed with its own.
    session_.script("create table kept as table pawl.mark_key; delete from pawl.mark_key");
    EXPECT_EQ(db_.loop().run(hidden.seal(100)), 1U);
    session_.script("insert into pawl.mark_key table kept");
    store::HiddenAddresses after(db_.pool(), vault);
    EXPECT_EQ(verdict(after, "ann"), "cannot be told");
    EXPECT_EQ(verdict(after, "bob", "transactional"), "cannot be told");
    EXPECT_EQ(verdict(after, "eve"), "suppressed");

    // As the documentation says.
    session_.script(
        "delete from pawl.suppression where address like 'hmac:%'; delete from pawl.mark_key"
    );
    store::HiddenAddresses anew(db_.pool(), vault);
    EXPECT_EQ(verdict(anew, "ann"), "go");
}

TEST_F(HiddenAddresses, AreFoundAndLiftedByTheAddress) {
    const Vault vault = Vault::from_keys(first_key).value();
    store::HiddenAddresses hidden(db_.pool(), vault);
    db_.loop().run(hidden.seal(100));
    const std::string address = "+66 81 234 56 78";
    const auto sealed = db_.loop().run(hidden.sealed(1, "", address));
    ASSERT_EQ(sealed.size(), 1U);
    const auto found = db_.loop().run(consent_.list(1, "", address, sealed, {}, 10));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].address, sealed[0]);
    EXPECT_EQ(found[0].reason, "complained");
    EXPECT_TRUE(db_.loop().run(consent_.lift(1, "sms", address, sealed)));
    EXPECT_FALSE(db_.loop().run(consent_.lift(1, "sms", address, sealed)));
    come("ann");
    EXPECT_EQ(verdict(hidden, "ann"), "go");
    EXPECT_TRUE(db_.loop().run(hidden.sealed(1, "email", address)).empty());
}

// The person came back, and was erased once more.
TEST_F(HiddenAddresses, AreOneWhenTheyAreHiddenAgain) {
    const Vault vault = Vault::from_keys(first_key).value();
    store::HiddenAddresses hidden(db_.pool(), vault);
    db_.loop().run(hidden.seal(100));
    session_.script("update pawl.suppression set lifted_at = now() + interval '1 second'");
    come("ann");
    EXPECT_EQ(verdict(hidden, "ann"), "go");
    session_.script(
        "insert into pawl.suppression (tenant, channel, address, reason, at) values "
        "(1, 'sms', '+66812345678', 'complained', now() + interval '1 hour');"
        "select pawl.erase_person(1, 'ann', false)"
    );
    EXPECT_EQ(db_.loop().run(hidden.seal(100)), 1U);
    EXPECT_EQ(addresses("sha256:") + addresses("hmac:"), "02");
    come("ann");
    EXPECT_EQ(verdict(hidden, "ann"), "suppressed");
}

// Without a key there is nothing better than the hash: nothing is sent, and the documentation says
// what it is worth.
TEST_F(HiddenAddresses, StayHashesWhereThereIsNoKey) {
    const Vault none;
    store::HiddenAddresses hidden(db_.pool(), none);
    EXPECT_EQ(db_.loop().run(hidden.seal(100)), 0U);
    EXPECT_EQ(addresses("sha256:"), "2");
    come("ann");
    EXPECT_EQ(verdict(hidden, "ann"), "suppressed");
}

}  // namespace
}  // namespace pawl::test
