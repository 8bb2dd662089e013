#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

// Where people are: a table of the application that a tenant names, or pawl.person.
namespace pawl::test {
namespace {

class PeopleSources : public ::testing::Test {
protected:
    PeopleSources() {
        session_.script(
            "insert into pawl.tenant (name, organization) values "
            "('acme', '00000000-0000-0000-0000-00000000000a'),"
            "('bolt', '00000000-0000-0000-0000-00000000000b');"
            "create table customers (id bigint, merchant text, email text, phone text, lang text,"
            " zone text, first_name text, private text, primary key (merchant, id));"
            "insert into customers values (1, 'acme', 'ann@x', '', 'th', 'Asia/Bangkok', 'Ann', "
            "'s'),"
            "(2, 'acme', null, '+66', 'en', null, 'Bob', 's'),"
            "(1, '00000000-0000-0000-0000-00000000000b', 'eve@x', null, null, null, 'Eve', 's')"
        );
    }
    void set_source(const std::string& more = "") {
        session_.script(
            "select pawl.set_person_source('public.customers', key => 'id', tenant => 'merchant', "
            "address => '{\"email\": \"email\", \"sms\": \"phone\"}', locale => 'lang', "
            "timezone => 'zone', columns => '{first_name}'" +
            more + ")"
        );
    }
    // The people of these keys, as "place person" in the order of their places.
    std::vector<std::string> read(const std::string& tenants, const std::string& keys) {
        return session_.column(fmt::format(
            "select r.place || ' ' || r.person::text from pawl.read_persons("
            "array(select t.id from unnest('{}'::text[]) with ordinality as n (name, place) "
            "join pawl.tenant t on t.name = n.name order by n.place), '{}') as r order by r.place",
            tenants,
            keys
        ));
    }

    TestDatabase database_;
    Session& session_ = database_.session();
};

TEST_F(PeopleSources, AreReadTogetherAndOnlyForTheirTenant) {
    set_source();
    const std::vector<std::string> expected{
        "1 {\"id\": 1, \"key\": \"1\", \"locale\": \"th\", \"timezone\": \"Asia/Bangkok\", "
        "\"addresses\": {\"email\": \"ann@x\"}, \"first_name\": \"Ann\"}",
        "2 {\"id\": 2, \"key\": \"2\", \"locale\": \"en\", \"timezone\": null, "
        "\"addresses\": {\"sms\": \"+66\"}, \"first_name\": \"Bob\"}",
        "3 {\"id\": 1, \"key\": \"1\", \"locale\": null, \"timezone\": null, "
        "\"addresses\": {\"email\": \"eve@x\"}, \"first_name\": \"Eve\"}"};
    EXPECT_EQ(read("{acme,acme,bolt,bolt}", "{1,2,1,2}"), expected);
}

TEST_F(PeopleSources, AKeyThatCannotBeOneFindsNobody) {
    set_source();
    EXPECT_TRUE(
        read("{acme,acme,acme,acme}", "{ann,01,99999999999999999999,\"1; drop table x\"}").empty()
    );
    session_.script(
        "alter table customers drop constraint customers_pkey;"
        "alter table customers alter id type uuid using gen_random_uuid()"
    );
    EXPECT_TRUE(read("{acme,acme}", "{ann,1}").empty());
    session_.script("alter table customers alter id type numeric using 7.5");
    EXPECT_EQ(read("{bolt}", "{7.5}").size(), 1u);
}

TEST_F(PeopleSources, ATenantMayHaveOneOfItsOwn) {
    set_source();
    session_.script(
        "create view vips as select 'v1'::text as code, 'acme' as of;"
        "select pawl.set_person_source('vips', key => 'code', for_tenant => 'acme')"
    );
    EXPECT_EQ(
        read("{acme,bolt}", "{v1,1}").at(0),
        "1 {\"id\": \"v1\", \"of\": \"acme\", \"key\": \"v1\", \"code\": \"v1\", \"locale\": null, "
        "\"timezone\": null, \"addresses\": {}}"
    );
    EXPECT_EQ(read("{acme,bolt}", "{1,1}").size(), 1u);
    EXPECT_EQ(session_.value("select pawl.forget_person_source('acme')::text"), "true");
    EXPECT_EQ(read("{acme,bolt}", "{1,1}").size(), 2u);
}

TEST_F(PeopleSources, AreForgottenAsTheyWereSaid) {
    const auto forget = [&](const std::string& tenant) {
        return session_.value("select pawl.forget_person_source(" + tenant + ")::text");
    };
    const auto left = [&] {
        return session_.value(
            "select coalesce(string_agg(tenant::text, ',' order by tenant), '') "
            "from pawl.person_source"
        );
    };
    const std::string acme = session_.value("select id::text from pawl.tenant where name = 'acme'");
    set_source();
    session_.script(
        "select pawl.set_person_source('customers', key => 'id', for_tenant => 'acme'),"
        " pawl.set_person_source('customers', key => 'id')"
    );
    EXPECT_EQ(left(), "0,1," + acme);
    EXPECT_EQ(forget(""), "true");
    EXPECT_EQ(left(), "1," + acme) << "of no other tenant";
    EXPECT_EQ(forget(""), "true");
    EXPECT_EQ(forget(""), "false");
    EXPECT_EQ(left(), acme);
    EXPECT_EQ(forget("'acme'"), "true");
    session_.script("set role pawl_api");
    EXPECT_EQ(session_.refusal("select pawl.forget_person_source()").sqlstate, "42501");
}

TEST_F(PeopleSources, WithoutOnePeopleAreInPawlPerson) {
    session_.script(
        "insert into pawl.person (tenant, key, attributes, addresses, locale) select t.id, 'ann', "
        "'{\"tier\": \"gold\"}', '{\"email\": \"ann@x\"}', 'th' from pawl.tenant t "
        "where t.name = 'acme'"
    );
    const std::string ann =
        "2 {\"id\": \"ann\", \"key\": \"ann\", \"tier\": \"gold\", \"locale\": \"th\", "
        "\"timezone\": null, \"addresses\": {\"email\": \"ann@x\"}}";
    EXPECT_EQ(read("{bolt,acme,acme}", "{ann,ann,bob}"), std::vector<std::string>{ann});
    session_.script("update pawl.person set attributes = '{}', addresses = '{}', erased_at = now()"
    );
    EXPECT_TRUE(read("{acme}", "{ann}").empty());
}

TEST_F(PeopleSources, WhatDoesNotExistIsRefusedAndNothingSaved) {
    const auto wrong = [this](const std::string& arguments) {
        const auto said = session_.refusal("select pawl.set_person_source(" + arguments + ")");
        EXPECT_FALSE(said.hint.empty()) << arguments;
        return said.message;
    };
    EXPECT_EQ(wrong("'nowhere', key => 'id'"), "there is no table public.nowhere");
    EXPECT_EQ(
        wrong("'customers', key => 'id', tenant => 'shop', columns => '{first_name,tier}'"),
        "the table public.customers has no column 'shop', 'tier'"
    );
    EXPECT_EQ(
        wrong("'customers', key => 'id', address => '[]'"),
        "address must name a column for each channel, not []"
    );
    EXPECT_EQ(wrong("'pawl.api_key', key => 'id'"), "pawl.api_key is the engine's own");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.person_source"), "0");
}

TEST_F(PeopleSources, WhatRunsAndMessagesKeepCannotBeRedacted) {
    set_source();
    const auto wrong = [this](const std::string& statement) {
        const auto said = session_.refusal("select " + statement);
        EXPECT_FALSE(said.hint.empty()) << statement;
        return said.message;
    };
    EXPECT_EQ(
        wrong("pawl.redact('{first_name,tier}')"), "the table public.customers has no column 'tier'"
    );
    for (const char* column : {"email", "merchant", "zone"}) {
        EXPECT_EQ(
            wrong(fmt::format("pawl.redact('{{{}}}', 'acme')", column)),
            fmt::format("the column '{}' of public.customers cannot be redacted", column)
        );
    }
    EXPECT_EQ(
        wrong("pawl.redact('{addresses}')"),
        "columns must name what is known of people, but for id, key, locale, timezone, addresses: "
        "not {addresses}"
    );
    EXPECT_EQ(session_.value("select count(*)::text from pawl.person_redaction"), "0");
    EXPECT_EQ(session_.value("select pawl.redact('{first_name}', 'bolt')::text"), "1");
}

TEST_F(PeopleSources, RedactedColumnsAreNamedToStepsAndHiddenFromOthers) {
    set_source(", for_tenant => 'acme'");
    EXPECT_EQ(session_.value("select pawl.redact('{first_name}', 'acme')::text"), "1");
    EXPECT_EQ(session_.value("select pawl.redact('{private}')::text"), "1");
    const std::string read =
        " from pawl.read_persons((select array[t.id] from pawl.tenant t where t.name = 'acme'), "
        "'{1}') as r";
    EXPECT_EQ(
        session_.value("select r.person ->> 'first_name' || (r.person ->> 'pawl.redacted')" + read),
        "Ann[\"first_name\", \"private\"]"
    );
    EXPECT_EQ(
        session_.value("select pawl.hide_redacted(r.person)::text" + read),
        "{\"id\": 1, \"key\": \"1\", \"locale\": \"th\", \"timezone\": \"Asia/Bangkok\", "
        "\"addresses\": {\"email\": \"ann@x\"}, \"first_name\": \"(secret)\"}"
    );
    EXPECT_EQ(
        session_
            .refusal("select pawl.set_person_source('public.customers', key => 'id', address => "
                     "'{\"x\": \"first_name\"}', for_tenant => 'acme')")
            .message,
        "the column 'first_name' of public.customers cannot be redacted"
    );
    EXPECT_EQ(session_.value("select pawl.redact('{}', 'acme')::text"), "1") << "of every tenant";
    EXPECT_EQ(session_.value("select pawl.redact('{}')::text"), "0");
    EXPECT_EQ(session_.value("select (r.person ? 'pawl.redacted')::text" + read), "false");
    session_.script("set role pawl_api");
    EXPECT_EQ(session_.refusal("select pawl.redact('{first_name}')").sqlstate, "42501");
}

TEST_F(PeopleSources, OneTenantCannotReadAnothersThroughTheApi) {
    set_source();
    session_.script(
        "select set_config('pawl.tenant', (select id::text from pawl.tenant where name = 'bolt'), "
        "false); set role pawl_api"
    );
    EXPECT_EQ(
        session_.refusal("select * from pawl.read_persons(array[2], array['1'])").sqlstate, "42501"
    );
    EXPECT_EQ(
        session_.value("select person ->> 'first_name' from pawl.read_persons(array[3], '{1}')"),
        "Eve"
    );
    EXPECT_EQ(
        session_.refusal("select pawl.set_person_source('customers', key => 'id')").sqlstate,
        "42501"
    );
}

}  // namespace
}  // namespace pawl::test
