#include "store/journey_fixture.hpp"

// What people write or do on their own: it names their address, and no message of ours.
namespace pawl::test {
namespace {

class Replies : public Journeys {
protected:
    static Fact of(const char* id, const char* kind, const char* channel, const char* address) {
        return {
            .id = id,
            .kind = kind,
            .external = fmt::format("theirs {}", id),
            .address = address,
            .channel = channel};
    }
    // Of each event: its key, and whom it is about.
    std::string told() {
        return value(
            "select coalesce(string_agg(key || '/' || coalesce(subject, ''), ', ' order by id), "
            "'') from pawl.inbox"
        );
    }
};

TEST_F(Replies, BelongToThePersonWhoseAddressItIs) {
    want("message.replied");
    take({of("1", "replied", "sms", "+49170"), of("2", "replied", "line", "U1")});
    EXPECT_EQ(told(), "ann/ann, ann/ann");
    take({of("3", "replied", "sms", "+49171"), of("4", "replied", "email", "ann@x.io")});
    EXPECT_EQ(told(), "ann/ann, ann/ann, +49171/, ann@x.io/") << "of none; not by such a channel";
    person("bob", R"({"sms": "+49-170"})");
    take({of("5", "replied", "sms", "+49170")});
    EXPECT_EQ(told(), "ann/ann, ann/ann, +49171/, ann@x.io/, +49170/") << "one of two";
}

TEST_F(Replies, AreToldOnceWhenTheirMessageIsFoundLater) {
    want("message.replied");
    Fact early = of("1", "replied", "sms", "+49170");
    early.external = "e1";
    take({early});
    project(1, "sent");
    EXPECT_EQ(told(), "ann/ann");
    EXPECT_EQ(value("select (replied_at is not null)::text from pawl.message"), "true");
}

TEST_F(Replies, StandInTheTimelineOfThePersonOnce) {
    const auto timeline = [&](const char* person) {
        return value(fmt::format(
            "select coalesce(string_agg(concat_ws(' ', kind, entry ->> 'fact', entry ->> "
            "'channel', "
            "entry -> 'detail' ->> 'text', entry ->> 'node'), ', ' order by at, kind, id), '') "
            "from pawl.person_items(0::smallint, 1, '{}', null, null, null, 10)",
            person
        ));
    };
    Fact reply = of("1", "replied", "sms", "+49170");
    reply.detail = R"({"text": "Yes"})";
    Fact early = of("2", "replied", "sms", "+49170");
    early.at = "2026-05-01 11:00+00";
    early.external = "e1";
    take({reply, early, of("3", "replied", "sms", "+49171")});
    EXPECT_EQ(timeline("ann"), "fact replied sms Yes, fact replied sms");
    project(1, "sent");
    EXPECT_EQ(
        timeline("ann"), "fact replied sms Yes, fact replied email greet, message email greet"
    ) << "its message came";
    EXPECT_EQ(timeline("bob"), "");
}

TEST_F(Replies, ThatStopMessagesStopThemForThePerson) {
    account("twilio", "main");
    want("message.unsubscribed");
    take({of("1", "unsubscribed", "sms", "+49170")});
    EXPECT_EQ(told(), "ann/ann");
    EXPECT_EQ(prepare(Ask{.channel = "sms"}), "unsubscribed");
    EXPECT_EQ(prepare(Ask{.channel = "email"}), "go");
    EXPECT_EQ(value("select count(*)::text from pawl.suppression"), "0") << "it can be taken back";
}

TEST_F(Replies, AStartTakesAStopBackUnlessItIsOlder) {
    account("twilio", "main");
    const auto say = [&](const char* id, const char* kind, const char* address, const char* at) {
        Fact fact = of(id, kind, "sms", address);
        fact.at = at;
        take({fact});
    };
    for (const char* address : {"+49170", "+49171"}) {
        const Ask ask{
            .person = address == std::string("+49170") ? "ann" : "",
            .channel = "sms",
            .to = address};
        const std::string id = address;
        say((id + "1").c_str(), "unsubscribed", address, "2026-05-02");
        say((id + "2").c_str(), "followed", address, "2026-05-01");
        EXPECT_EQ(prepare(ask), "unsubscribed") << address;
        say((id + "3").c_str(), "followed", address, "2026-05-03");
        EXPECT_EQ(prepare(ask), "go") << address;
        say((id + "4").c_str(), "unsubscribed", address, "2026-05-04");
        EXPECT_EQ(prepare(ask), "unsubscribed") << address;
    }
    value("select pawl.suppress_address(1, 'sms', '+49172', 'refused')::text");
    say("5", "followed", "+49172", "2100-01-01");
    EXPECT_EQ(prepare(Ask{.person = "", .channel = "sms", .to = "+49172"}), "go");
}

TEST_F(Replies, AreFoundInATableOfTheTenantByAnIndex) {
    want("message.replied");
    session_.script(
        "create table customers (id int primary key, shop text, phone text);"
        "insert into customers values (1, 'default', '+49170'), (2, 'other', '+49170');"
        "select pawl.set_person_source('public.customers', key => 'id', tenant => "
        "'shop', address => '{\"sms\": \"phone\"}')"
    );
    take({of("1", "replied", "sms", "+49170")});
    EXPECT_EQ(told(), "+49170/") << "the whole table is not read for it";
    session_.script("create index on customers (phone)");
    take({of("2", "replied", "sms", "+49170"), of("3", "replied", "line", "U1")});
    EXPECT_EQ(told(), "+49170/, 1/1, U1/");
}

TEST_F(Replies, AreForgottenWithThePerson) {
    project(1, "sent");
    take({of("1", "replied", "line", "U1"), {.id = "2", .kind = "delivered", .address = "Ann@x.io"}}
    );
    const auto known = [&] {
        return value(
            "select count(*)::text from pawl.message_fact where person is not null or "
            "address is not null or detail::text like '%Ann%'"
        );
    };
    EXPECT_EQ(known(), "2");
    value("select pawl.erase_person(1, 'ann', false)::text");
    EXPECT_EQ(known(), "0");
    // What comes after it.
    take(
        {{.id = "3",
          .kind = "bounced",
          .detail = R"({"permanent": false, "reason": "Ann is away"})",
          .address = "Ann@x.io"},
         of("4", "replied", "line", "U1")}
    );
    EXPECT_EQ(known(), "1") << "of the reply: whose address it is, is not known any more";
    EXPECT_EQ(
        value("select detail::text from pawl.message_fact where kind = 'bounced'"),
        R"({"permanent": false})"
    );
    EXPECT_EQ(state(1), "delivered");
}

TEST_F(Replies, ThePageOfPreferencesTells) {
    want("message.unsubscribed");
    const auto say = [&](bool wanted) {
        value(fmt::format(
            "select pawl.set_preferences(0::smallint, 1, 'ann', '{{email,sms}}', "
            "'{{marketing,marketing}}', '{{{},true}}')::text",
            wanted
        ));
    };
    say(false);
    say(false);
    EXPECT_EQ(told(), "ann/ann");
    EXPECT_EQ(
        value("select data ->> 'channel' || ' ' || (data ->> 'category') from pawl.inbox"),
        "email *"
    );
    EXPECT_EQ(prepare(Ask{}), "unsubscribed");
    say(true);
    EXPECT_EQ(prepare(Ask{}), "go");
    const std::string by_api =
        "select pawl.unsubscribe_person(0::smallint, 1, 'ann', 'email', '*')::text";
    value(by_api);
    value(by_api);
    EXPECT_EQ(told(), "ann/ann, ann/ann") << "once for each time";
    EXPECT_EQ(prepare(Ask{}), "unsubscribed");
}

}  // namespace
}  // namespace pawl::test
