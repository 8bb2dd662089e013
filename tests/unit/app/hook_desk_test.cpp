#include "app/messages/hook_desk.hpp"

#include "app/messages/account_uses.hpp"
#include "app/messages/person_uses.hpp"
#include "app/messages/settler.hpp"
#include "app/messages/unsubscribe_link.hpp"

#include <gtest/gtest.h>

namespace pawl::app {
namespace {

store::ConnectorAccount account() {
    store::ConnectorAccount one;
    one.tenant = 7;
    one.connector = "sendgrid";
    one.account = "shop";
    one.channels = {"email", "other"};
    one.hook_token = "abc";
    return one;
}

TEST(HookDesk, AFactIsKeptForTheAccountItCameBy) {
    connect::Fact fact;
    fact.provider_event_id = "e1";
    fact.kind = connect::FactKind::opened;
    fact.external_id = "x1";
    fact.message_id = "6f9619ff-8b86-d011-b42d-00c04fc964ff";
    fact.address = "ann@example.com";
    fact.at = Instant(std::chrono::seconds(5));
    fact.machine = true;
    const auto kept = kept_fact(account(), fact);
    EXPECT_EQ(kept.tenant, 7);
    EXPECT_EQ(kept.connector, "sendgrid");
    EXPECT_EQ(kept.account, "shop");
    EXPECT_EQ(kept.event_id, "e1");
    EXPECT_EQ(kept.kind, "opened");
    EXPECT_EQ(kept.external_id, "x1");
    ASSERT_TRUE(kept.message);
    EXPECT_EQ(to_string(*kept.message), fact.message_id);
    EXPECT_EQ(kept.channel, "email");
    EXPECT_EQ(kept.address, "ann@example.com");
    EXPECT_EQ(kept.at, fact.at);
    EXPECT_TRUE(kept.machine);
}

TEST(HookDesk, TheAddressForProvidersHasTheEndpoint) {
    EXPECT_EQ(
        hook_url("https://pawl.example", account()), "https://pawl.example/v1/hooks/sendgrid/abc"
    );
}

TEST(Connectors, PlacesBecomePointers) {
    EXPECT_EQ(pointer_to_place(""), "");
    EXPECT_EQ(pointer_to_place("credentials.api_key"), "/credentials/api_key");
    EXPECT_EQ(pointer_to_place("answers[1].means"), "/answers/1/means");
}

TEST(Settler, AStepThatAFactSettlesHasTheResultOfOneThatSent) {
    store::ProvedMessage message;
    message.channel = "sms";
    message.connector = "twilio";
    message.account = "shop";
    message.category = "marketing";
    message.external_id = "SM1";
    message.state = "delivered";
    const json::object result = settled_result(message);
    EXPECT_EQ(result.at("state"), "sent");
    EXPECT_EQ(result.at("message"), json::value(to_string(message.id)));
    EXPECT_EQ(result.at("external_id"), "SM1");
    EXPECT_FALSE(result.contains("template"));
}

TEST(UnsubscribeLink, OnlyOurOwnAreOpened) {
    const Seal seal(std::string(32, 's'));
    UnsubscribeLink link{{7, 0}, "ann", "email", "marketing", Uuid{}};
    link.message->bytes[0] = 9;
    const std::string token = seal_unsubscribe(seal, link);
    const auto read = open_unsubscribe(seal, token);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->tenant.id, 7);
    EXPECT_EQ(read->person, "ann");
    EXPECT_EQ(read->channel, "email");
    EXPECT_EQ(read->category, "marketing");
    EXPECT_EQ(read->message, link.message);
    EXPECT_FALSE(open_unsubscribe(Seal(std::string(32, 't')), token));
    EXPECT_FALSE(open_unsubscribe(seal, token.substr(1)));
    EXPECT_FALSE(open_unsubscribe(seal, seal.close("task", "[7,0,\"ann\",\"*\",\"*\",\"\"]")));
    EXPECT_EQ(unsubscribe_url(Seal(), "https://x", link), "") << "nothing to sign it with";
    EXPECT_EQ(unsubscribe_url(seal, "https://x", link), "https://x/v1/unsubscribe/" + token);
}

TEST(People, WhatIsWrongWithAPersonIsToldAtItsPlace) {
    store::Person person;
    person.key = "4711";
    person.addresses["email"] = "ann@example.com";
    person.timezone = "Asia/Bangkok";
    EXPECT_TRUE(person_problems(person, "").empty());
    person.addresses["a/b"] = 5;
    person.timezone = "Mars/Olympus";
    person.key = std::string(501, 'x');
    const auto wrong = person_problems(person, "/people/3");
    ASSERT_EQ(wrong.size(), 3U);
    EXPECT_EQ(wrong[0].pointer, "/people/3/key");
    EXPECT_EQ(wrong[1].pointer, "/people/3/addresses/a~1b");
    EXPECT_EQ(wrong[2].pointer, "/people/3/timezone");
}

}  // namespace
}  // namespace pawl::app
