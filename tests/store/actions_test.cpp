#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

// What the owner of the schema registers for action nodes is looked at then, and nothing of it
// runs.
namespace pawl::test {
namespace {

class RegisteredActions : public ::testing::Test {
protected:
    RegisteredActions() {
        session_.script("create table points (person text, amount int, step text primary key)");
    }
    std::string registering(const std::string& statement) {
        return "select pawl.register_action('award', $text$" + statement + "$text$)";
    }
    void accepted(const std::string& statement) {
        session_.script(registering(statement));
        EXPECT_EQ(
            session_.value("select count(*)::text from pg_prepared_statements where name like "
                           "'action %'"),
            "0"
        );
    }
    void refused(const std::string& statement, const std::string& message) {
        EXPECT_EQ(session_.refusal(registering(statement)).message, message) << statement;
    }

    TestDatabase database_;
    Session& session_ = database_.session();
};

TEST_F(RegisteredActions, AStatementIsParsedAndDoesNotRun) {
    accepted("insert into points values ($person, $amount, $key) returning amount; ");
    accepted("-- gives\n /* a lot */ (select $amount + 1);;");
    accepted(
        "with gone as (delete from points where person = $person) select ';', \"a;b\" from "
        "(select 1 as \"a;b\") as x"
    );
    accepted("call a_procedure_of_later($person)");
    accepted("update points set amount = 1 / 0 where person = $person");
    EXPECT_EQ(session_.value("select count(*)::text from points"), "0");
}

TEST_F(RegisteredActions, WhatIsNotSqlIsRefusedWithItsPlace) {
    refused("insert into point values ($person)", "relation \"point\" does not exist");
    refused(
        "insert into points (person, amuont) values ($person, $amount)",
        "column \"amuont\" of relation \"points\" does not exist"
    );
    refused("select $amount fro points", "syntax error at or near \"points\"");
    refused("select give($person)", "function give(unknown) does not exist");
    refused("select $amount::money_of_ours", "type \"money_of_ours\" does not exist");
    refused(
        "insert into points (amount) values ('much')",
        "invalid input syntax for type integer: \"much\""
    );
    refused(
        "give $person all",
        "the action award must be SQL that reads or writes rows, and begins with 'give'"
    );
    refused(
        "drop table points",
        "the action award must be SQL that reads or writes rows, and begins with 'drop'"
    );
    refused(
        "select jsonb_build_object('amount', $amount)",
        "the type of $amount in the action award cannot be told"
    );
    refused("select 'Your key is $key', $amount", "the action award names $key in a text");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.action"), "0");
}

TEST_F(RegisteredActions, NothingBehindASemicolonRuns) {
    for (const char* statement :
         {"select $person; drop table points",
          "select E'\\''; drop table points; --'",
          "select 1 -- it's\n; drop table points -- '",
          "select 1 -- ends here\r; drop table points",
          "select 1 /* ' */; drop table points /* ' */",
          "select 1 /* /* */ ; drop table points /* */ */; drop table points",
          "select ''';'''; drop table points"}) {
        refused(statement, "the action award must be one statement");
    }
    EXPECT_EQ(session_.value("select to_regclass('points')::text"), "points");
}

// The worker that runs it has not said where its names are.
TEST_F(RegisteredActions, NamesAreLookedUpAsInANewSession) {
    session_.script("create schema shop; create table shop.carts (id int)");
    session_.script("set search_path = shop");
    refused("insert into carts values ($amount)", "relation \"carts\" does not exist");
    accepted("insert into shop.carts values ($amount)");
    accepted("insert into points (amount) values ($amount)");
    session_.script("reset search_path");
}

}  // namespace
}  // namespace pawl::test
