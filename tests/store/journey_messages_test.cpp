#include "store/journey_fixture.hpp"

// Templates, accounts, lists of messages, and how long they are kept.
namespace pawl::test {
namespace {

class JourneyMessages : public Journeys {
protected:
    std::string put_template(const std::string& contents, const std::string& category = "") {
        return value(fmt::format(
            "select version || ' ' || changed from pawl.put_template(1, 'hi', {}, '{}')",
            quoted(category),
            contents
        ));
    }
    std::string text_for(const std::string& locale) {
        session_.script(fmt::format("update pawl.person set locale = {}", quoted(locale)));
        return prepare(
            Ask{.template_name = "hi"}, "template_version || ' ' || (template ->> 'text')"
        );
    }
    std::string listed(const std::string& arguments) {
        return value(
            "select coalesce(string_agg(coalesce(right(id::text, 2), 'on ' || "
            "right(run_id::text, 2)), ', '), '') from pawl.list_messages(0::smallint, 1, " +
            arguments + ")"
        );
    }
    std::string count(const std::string& table) {
        return value("select count(*)::text from pawl." + table);
    }
};

TEST_F(JourneyMessages, TemplatesHaveVersionsAndLanguages) {
    EXPECT_EQ(put_template(R"({"en": {"text": "Hi"}, "th": {"text": "Sawasdee"}})"), "1 true");
    EXPECT_EQ(put_template(R"({"th": {"text": "Sawasdee"}, "en": {"text": "Hi"}})"), "1 false");
    EXPECT_EQ(text_for("th-TH"), "1 Sawasdee");
    EXPECT_EQ(text_for("th_TH"), "1 Sawasdee");
    EXPECT_EQ(text_for("fr"), "1 Hi");
    EXPECT_EQ(text_for(""), "1 Hi");
    EXPECT_EQ(put_template(R"({"pt": {"text": "Oi"}, "pt-PT": {"text": "Ola"}})"), "2 true");
    EXPECT_EQ(text_for("pt-PT"), "2 Ola");
    EXPECT_EQ(text_for("pt-BR"), "2 Oi");
    EXPECT_EQ(text_for("th-TH"), "2 Oi") << "any, since there is no English one";
    EXPECT_EQ(
        put_template(R"({"pt": {"text": "Oi"}, "pt-PT": {"text": "Ola"}})", "transactional"),
        "3 true"
    );
    EXPECT_EQ(prepare(Ask{.template_name = "hi"}, "category"), "transactional");
    EXPECT_EQ(prepare(Ask{.category = "news", .template_name = "hi"}, "category"), "news");
    EXPECT_EQ(prepare(Ask{}, "category"), "marketing");
    EXPECT_EQ(prepare(Ask{.template_name = "bye"}), "there is no template 'bye'");
    EXPECT_EQ(
        session_.refusal("select pawl.put_template(1, 'hi', null, '{}')").message,
        "template 'hi' has no content"
    );
}

TEST_F(JourneyMessages, OnePlaceDoesNotDisturbTheOthers) {
    put_template(R"({"en": {"text": "Hi"}})");
    EXPECT_EQ(
        prepare(
            {Ask{},
             Ask{.template_name = "hi"},
             Ask{.person = "nemo"},
             Ask{.template_name = "no"},
             Ask{.template_name = "hi"}},
            "place || ' ' || coalesce(template ->> 'text', '-') || ' ' || coalesce(problem, "
            "verdict, 'go')"
        ),
        (std::vector<std::string>{
            "1 - go", "2 Hi go", "3 - no_person", "4 - there is no template 'no'", "5 Hi go"})
    );
}

TEST_F(JourneyMessages, AnAccountIsTheOneNamedTheDefaultOrTheOnlyOne) {
    const std::string show = "coalesce(problem, connector || '/' || account)";
    EXPECT_EQ(prepare(Ask{}, show), "resend/main") << "the only one of the channel";
    EXPECT_EQ(prepare(Ask{.connector = "resend"}, show), "resend/main");
    EXPECT_EQ(
        prepare(Ask{.connector = "resend", .account = "x"}, show),
        "there is no account 'x' of connector 'resend'"
    );
    EXPECT_EQ(
        prepare(Ask{.connector = "sendgrid"}, show),
        "connector 'sendgrid' has no account: add one with its credentials"
    );
    EXPECT_EQ(
        prepare(Ask{.channel = "sms"}, show),
        "channel 'sms' has no account: add one with its credentials"
    );
    account("twilio", "b");
    account("sms_8x8", "a");
    const Ask sms{.channel = "sms"};
    EXPECT_EQ(
        prepare(sms, show),
        "channel 'sms' has several accounts (sms_8x8/a, twilio/b) and none is the default: "
        "name one in the step, or give one the setting default: true"
    );
    EXPECT_EQ(prepare(Ask{.channel = "sms", .connector = "twilio"}, show), "twilio/b");
    account("twilio", "default");
    EXPECT_EQ(prepare(sms, show), "twilio/default");
    account("twilio", "b", R"({"default": true})");
    EXPECT_EQ(prepare(sms, show), "twilio/b");
    account("twilio", "c", R"({"default": true})");
    EXPECT_EQ(prepare(Ask{.channel = "sms", .connector = "twilio"}, show), "twilio/c");
    EXPECT_EQ(
        value("select string_agg(account, ' ') from pawl.connector_account where settings ? "
              "'default'"),
        "c"
    ) << "there is one";
    // No credentials, no place in a count: what cannot be sent uses nothing up.
    policy("cap_count, cap_period", "1, '1 day'");
    prepare(Ask{.account = "x"}, show);
    EXPECT_EQ(count("message_reservation"), "0");
}

TEST_F(JourneyMessages, AnAccountKeepsItsCredentialsAndItsHookToken) {
    const std::string put =
        "select count(*)::text from pawl.put_account(1, 'resend', '{}', '{{email}}', 'k', {}, {}, "
        "'{{\"a\": 1}}', 'another token 0123')";
    EXPECT_EQ(value(fmt::format(fmt::runtime(put), "main", "null", "null")), "1");
    EXPECT_EQ(
        value("select hook_token || settings || encode(box, 'hex') from "
              "pawl.connector_account"),
        "0123456789abcdef{\"a\": 1}02"
    );
    EXPECT_EQ(value(fmt::format(fmt::runtime(put), "new", "null", "null")), "0");
    EXPECT_EQ(count("connector_account"), "1");
    EXPECT_EQ(value(fmt::format(fmt::runtime(put), "main", "'\\x05'", "'\\x06'")), "1");
    EXPECT_EQ(
        value("select hook_token || encode(box, 'hex') from pawl.connector_account"),
        "0123456789abcdef06"
    );
}

TEST_F(JourneyMessages, AreListedByWhatIsAskedFor) {
    session_.script("insert into pawl.workflow (tenant, name) values (1, 'empty')");
    for (int n = 1; n <= 6; ++n) project(n, n % 3 == 0 ? "skipped" : "sent", fmt::format("e{}", n));
    EXPECT_EQ(
        listed("null, null, null, null, null, null, null, 10, 100"), "06, 05, 04, 03, 02, 01"
    );
    EXPECT_EQ(listed("'e4', null, null, null, null, null, null, 10, 100"), "04");
    EXPECT_EQ(listed("null, 'ann', null, null, 'flow', null, null, 2, 100"), "06, 05");
    EXPECT_EQ(listed("null, 'bob', null, null, null, null, null, 10, 100"), "");
    EXPECT_EQ(listed("null, null, 'skipped', null, null, null, null, 10, 100"), "06, 03");
    EXPECT_EQ(
        listed(fmt::format("null, null, null, '{}', null, null, null, 10, 100", id(5))), "05"
    );
    EXPECT_EQ(listed("null, null, null, null, 'empty', null, null, 10, 100"), "");
    EXPECT_EQ(listed("null, null, null, null, 'nothing', null, null, 10, 100"), "");
    // From where the page before ended, and from where the search did.
    const auto at = [this](int n) {
        return "'" +
               value(fmt::format("select created_at::text from pawl.message where id = '{}'", id(n))
               ) +
               "'";
    };
    EXPECT_EQ(
        listed(fmt::format("null, null, null, null, null, {}, '{}', 2, 100", at(4), id(4))),
        "03, 02"
    );
    EXPECT_EQ(listed("null, null, 'skipped', null, null, null, null, 2, 3"), "06, on 04");
    EXPECT_EQ(
        listed(fmt::format("null, null, 'skipped', null, null, {}, '{}', 2, 3", at(4), id(4))),
        "03, on 01"
    );
}

TEST_F(JourneyMessages, AreReadByTheirTenantAlone) {
    project(1, "sent");
    take({{"f1", "opened"}});
    const std::string role = "reader_" + database_.name();
    session_.script(fmt::format(
        "insert into pawl.tenant (name) values ('other'); create role {0} login; "
        "select pawl.bind_role('{0}', 'default')",
        role
    ));
    {
        Session reader(database_.url() + "&user=" + role);
        EXPECT_EQ(
            reader.value("select workflow || ' ' || node || ' ' || state || ' ' || person from "
                         "pawl.messages"),
            "flow greet opened ann"
        );
        EXPECT_EQ(reader.refusal("delete from pawl.message").sqlstate, "42501");
        session_.script(fmt::format("select pawl.bind_role('{}', 'other')", role));
        EXPECT_EQ(reader.value("select count(*)::text from pawl.messages"), "0");
    }
    session_.script(fmt::format("drop owned by {0}; drop role {0}", role));
}

TEST_F(JourneyMessages, GoWithTheirFactsWhenTheyAreOld) {
    for (int n = 1; n <= 3; ++n) project(n, "sent", fmt::format("e{}", n));
    take(
        {{"f1", "opened", "e1"},
         {"f2", "opened", "e2"},
         {"unknown", "opened", "theirs"},
         {.id = "alone", .kind = "followed", .external = "", .address = "U1", .channel = "line"}}
    );
    const std::string retain =
        "select coalesce(did, '') from pawl.retain(gen_random_uuid(), '30 days', 1, '1 second')";
    EXPECT_EQ(value(retain), "");
    session_.script(
        "update pawl.message set created_at = now() - interval '31 days' where "
        "external_id <> 'e3'"
    );
    EXPECT_EQ(value(retain), "message");
    session_.script("update pawl.retention set lease_until = now()");
    EXPECT_EQ(value(retain), "message");
    session_.script("update pawl.retention set lease_until = now()");
    EXPECT_EQ(value(retain), "");
    EXPECT_EQ(value("select external_id from pawl.message"), "e3");
    EXPECT_EQ(
        value("select string_agg(provider_event_id, ' ' order by 1) from pawl.message_fact"),
        "alone unknown"
    );
    // One whose message did not come is kept for a day.
    session_.script(
        "update pawl.message_fact set received_at = now() - interval '25 hours'; "
        "update pawl.retention set lease_until = now()"
    );
    EXPECT_EQ(value(retain), "message");
    EXPECT_EQ(value("select provider_event_id from pawl.message_fact"), "alone");
}

TEST_F(JourneyMessages, OfAPersonWhoIsErasedStayWithoutThePerson) {
    project(1, "sent");
    take({{.id = "f1", .kind = "opened", .detail = R"({"ip": "192.0.2.7"})"}});
    policy("cap_count, cap_period", "9, '1 day'");
    prepare(Ask{});
    value("select pawl.set_subscription(1, 'ann', '*', '*', false, null)::text");
    value("select pawl.link_address(1, 'ann', 'line', 'U1')::text");
    value("select pawl.erase_person(1, 'ann', false)::text");
    EXPECT_EQ(
        value("select (to_jsonb(m) || coalesce(f.detail, '{}'))::text from pawl.message m, "
              "pawl.message_fact f")
            .find("nn@x"),
        std::string::npos
    );
    EXPECT_EQ(value("select count(detail)::text from pawl.message_fact"), "0");
    EXPECT_EQ(state(1), "opened");
    EXPECT_EQ(count("message_reservation") + count("unsubscribe"), "00");
    EXPECT_EQ(count("linked_address"), "0");
}

TEST_F(JourneyMessages, WhomNothingMayBeSentToStaysKnownByAHashWhenErased) {
    value("select pawl.suppress_address(1, 'email', 'Ann@X.io', 'complained')::text");
    value("select pawl.set_subscription(1, 'ann', 'sms', 'marketing', false, null)::text");
    value("select pawl.erase_person(1, 'ann', false)::text");
    EXPECT_EQ(
        value("select count(*)::text from pawl.suppression where address !~ '^sha256:'"), "0"
    );
    session_.script(
        "update pawl.person set erased_at = null, "
        "addresses = '{\"email\": \"ann@x.io\", \"sms\": \"+66812345678\"}' "
        "where key = 'ann'"
    );
    EXPECT_EQ(prepare(Ask{}), "suppressed");
    EXPECT_EQ(value("select pawl.lift_suppression(1, 'email', 'ann@x.io ')::text"), "true");
    EXPECT_EQ(prepare(Ask{}), "go");
}

TEST_F(JourneyMessages, AnAddressThatIsRefusedAfterAnErasureIsKeptAsAHashToo) {
    value("select pawl.suppress_refused(1, 'ann', 'email', 'Ann@x.io')::text");
    EXPECT_EQ(value("select address from pawl.suppression"), "ann@x.io");
    session_.script("delete from pawl.suppression");
    value("select pawl.erase_person(1, 'ann', false)::text");
    value("select pawl.suppress_refused(1, 'ann', 'email', 'Ann@x.io')::text");
    EXPECT_EQ(value("select left(address, 7) from pawl.suppression"), "sha256:");
}

TEST_F(JourneyMessages, WhatComesBackAfterAnErasureSuppressesTheAddressByAHash) {
    const auto back = [&] {
        session_.script(
            "update pawl.person set erased_at = null, addresses = '{\"email\": \"ann@x.io\"}' "
            "where key = 'ann'"
        );
        const std::string said = prepare(Ask{});
        value("select pawl.erase_person(1, 'ann', false)::text");
        return said;
    };
    project(1, "sent");
    value("select pawl.erase_person(1, 'ann', false)::text");
    take(
        {{.id = "f1",
          .kind = "bounced",
          .detail = R"({"permanent": false})",
          .address = "Ann@X.io"}}
    );
    EXPECT_EQ(back(), "go") << "a bounce that is not for good";
    take({{.id = "f2", .kind = "complained", .address = "Ann@X.io"}});
    EXPECT_EQ(back(), "suppressed");
    EXPECT_EQ(
        value("select string_agg(address, ' ') from pawl.suppression").substr(0, 7), "sha256:"
    );
    EXPECT_EQ(value("select count(address)::text from pawl.message_fact"), "0");
}

TEST_F(JourneyMessages, ThatWereOnTheirWayWhenThePersonWasErasedStayWithoutThePerson) {
    value("select pawl.erase_person(1, 'ann', false)::text");
    project(1, "sent");
    EXPECT_EQ(value("select count(person) + count(address) || '' from pawl.message"), "0");
    session_.script("update pawl.person set erased_at = now() - interval '2 hours'");
    const std::string skipped = fmt::format(
        "select pawl.project_messages(0::smallint, array['{0}'::uuid], array[1], "
        "array['{0}'::uuid], array[1], array[1], array['greet'], array['ann'], "
        "array['{{\"state\": \"skipped\", \"channel\": \"email\", \"reason\": "
        "\"no_person\"}}'::jsonb])::text",
        id(2)
    );
    value(skipped);
    EXPECT_EQ(state(2), "skipped");
    EXPECT_EQ(value("select count(person)::text from pawl.message"), "0");
}

TEST_F(JourneyMessages, APersonOfATableOfTheTenantIsErasedToo) {
    session_.script(
        "create table customers (id text primary key, email text);"
        "insert into customers values ('eve', 'Eve@x.io');"
        "select pawl.set_person_source('public.customers', key => 'id', address => "
        "'{\"email\": \"email\"}')"
    );
    value("select pawl.set_subscription(1, 'eve', '*', '*', false, null)::text");
    EXPECT_EQ(value("select known::text from pawl.erase_person(1, 'eve', false)"), "false");
    session_.script("delete from customers; insert into customers values ('new', 'eve@x.io')");
    EXPECT_EQ(prepare(Ask{.person = "new"}), "unsubscribed");
    EXPECT_EQ(prepare(Ask{.person = "eve"}), "no_person");
    EXPECT_EQ(prepare(Ask{.person = "eve", .to = "other@x.io"}), "no_person");
}

}  // namespace
}  // namespace pawl::test
