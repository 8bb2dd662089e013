#include "engine/start/trigger.hpp"

#include "engine/core/callback_ticket.hpp"
#include "model/definition.hpp"

#include <gtest/gtest.h>

namespace pawl::engine {
namespace {

ProgramPtr program(std::string_view triggers, std::string_view rest = "") {
    auto definition = parse_definition(
        "{name: welcome, triggers: " + std::string(triggers) +
        ", steps: [{id: a, type: code, function: f, input: {to: '{{ to }}'}}]" + std::string(rest) +
        "}"
    );
    EXPECT_TRUE(definition) << definition.error().message;
    Program made;
    made.definition = std::move(*definition);
    return std::make_shared<const Program>(std::move(made));
}

store::InboxEvent event(std::string_view data = R"({"to": "ann", "total": 50})") {
    store::InboxEvent made;
    made.id = "e1";
    made.name = "signed_up";
    made.key = "k7";
    made.at = Instant(std::chrono::seconds(1'700'000'000));
    made.data = parse_json(data).value();
    return made;
}

TEST(Trigger, StartsWithTheDataOfTheEvent) {
    const auto triggered = apply_triggers(program("[{event: signed_up}]"), event());
    ASSERT_TRUE(triggered.start) << triggered.problem;
    EXPECT_EQ(triggered.start->input, event().data);
    EXPECT_EQ(triggered.start->subject, "k7");
    EXPECT_EQ(triggered.start->correlation, "event:e1");
    EXPECT_EQ(triggered.start->triggered_by, "event");
}

TEST(Trigger, TheSubjectOfTheEventIsBetterThanItsKey) {
    auto about = event();
    about.subject = "customer 7";
    EXPECT_EQ(apply_triggers(program("[{event: signed_up}]"), about).start->subject, "customer 7");
}

TEST(Trigger, TemplatesSeeTheEventAndItsData) {
    const auto triggered = apply_triggers(
        program("[{event: signed_up, subject: '{{ event.name }} {{ key }} {{ total }}', "
                "input: {to: '{{ event.data.to }}', at: '{{ time }}', n: '{{ data.total }}'}}]"),
        event()
    );
    ASSERT_TRUE(triggered.start) << triggered.problem;
    EXPECT_EQ(triggered.start->subject, "signed_up k7 50");
    const json::value expected{{"to", "ann"}, {"at", "2023-11-14T22:13:20.000000Z"}, {"n", 50}};
    EXPECT_EQ(triggered.start->input, expected);
}

TEST(Trigger, TheFirstThatFitsCounts) {
    const auto made = program(
        "[{event: other}, "
        "{event: signed_up, filter: {path: data.total, operator: '>', value: 100}, subject: big}, "
        "{event: signed_up, filter: {path: total, operator: '>', value: 10}, subject: small}, "
        "{event: signed_up, subject: rest}]"
    );
    EXPECT_EQ(apply_triggers(made, event()).start->subject, "small");
    EXPECT_EQ(apply_triggers(made, event(R"({"to": "x", "total": 500})")).start->subject, "big");
    EXPECT_EQ(apply_triggers(made, event(R"({"to": "x", "total": 5})")).start->subject, "rest");
}

TEST(Trigger, AChangeOfARowMustBeOneThatIsWanted) {
    const auto made = program(
        "[{event: signed_up, operation: UPDATE, subject: update, "
        "conditions: {tier: gold, old.tier: {operator: in, value: [silver, bronze]}, "
        "changed: {operator: contains, value: tier}}}, "
        "{event: signed_up, operation: [insert], conditions: {name: Ann}, subject: insert}]"
    );
    const auto started = [&](const std::string& data) {
        const auto triggered = apply_triggers(made, event("{\"to\": \"x\", " + data + "}"));
        EXPECT_EQ(triggered.problem, "");
        return triggered.start ? triggered.start->subject : "none";
    };
    const std::string change = R"("old": {"tier": "silver"}, "changed": ["tier"], "tier": "gold")";
    EXPECT_EQ(started(R"("operation": "UPDATE", )" + change), "update");
    EXPECT_EQ(started(R"("operation": "INSERT", )" + change), "none");
    EXPECT_EQ(started(R"("operation": "UPDATE", "tier": "gold")"), "none");
    // The columns of the row, not the members of the event.
    EXPECT_EQ(started(R"("operation": "INSERT", "name": "Ann")"), "insert");
    EXPECT_EQ(started(R"("name": "Ann")"), "none");
}

TEST(Trigger, WhatTheDatabaseFoundInValuesThatAreNotThereCounts) {
    const auto made = program(
        "[{event: signed_up, operation: UPDATE, conditions: {name: Ann}, subject: update}, "
        "{event: signed_up, conditions: {name: {operator: not exists}}, subject: none}]"
    );
    const auto started = [&](const store::ToldConditions& told) {
        const auto triggered =
            apply_triggers(made, event(R"({"to": "x", "operation": "UPDATE"})"), told);
        return triggered.start ? triggered.start->subject : "nothing";
    };
    EXPECT_EQ(started({{0, true}, {1, false}}), "update");
    EXPECT_EQ(started({{0, false}, {1, false}}), "nothing");
    EXPECT_EQ(started({{0, false}}), "none") << "the event is asked what was not told";
    const auto inserted = event(R"({"to": "x", "operation": "INSERT"})");
    EXPECT_FALSE(apply_triggers(made, inserted, {{0, true}, {1, false}}).start)
        << "it is another operation";
}

TEST(Trigger, NothingForOtherEventsOrWhenNoFilterHolds) {
    const auto made =
        program("[{event: signed_up, filter: {path: total, operator: '>', value: 100}}]");
    const auto quiet = apply_triggers(made, event());
    EXPECT_FALSE(quiet.start);
    EXPECT_EQ(quiet.problem, "");
    EXPECT_FALSE(apply_triggers(program("[{event: other}]"), event()).start);
}

TEST(Trigger, WhatIsMissingIsSaid) {
    const auto missing = apply_triggers(program("[{event: signed_up}]"), event("{}"));
    EXPECT_FALSE(missing.start);
    EXPECT_NE(missing.problem.find("workflow 'welcome' was not started"), std::string::npos);
    EXPECT_NE(missing.problem.find("to"), std::string::npos);
    const auto undefined =
        apply_triggers(program("[{event: signed_up, subject: '{{ data.missing }}'}]"), event());
    EXPECT_NE(undefined.problem.find("missing"), std::string::npos) << undefined.problem;
}

TEST(Callback, TicketsComeBackAsTheyWere) {
    const Seal seal("0123456789abcdef");
    CallbackTicket ticket;
    ticket.run.uuid.bytes[3] = 7;
    ticket.bucket = 2;
    ticket.token = 4'000'000'000;
    ticket.visit = 17;
    ticket.expires = Instant(std::chrono::seconds(1'700'000'000));
    const auto opened = open_callback(seal, seal_callback(seal, ticket));
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->run, ticket.run);
    EXPECT_EQ(opened->bucket, ticket.bucket);
    EXPECT_EQ(opened->token, ticket.token);
    EXPECT_EQ(opened->visit, ticket.visit);
    EXPECT_EQ(opened->expires, ticket.expires);
    EXPECT_FALSE(open_callback(seal, seal.close("task", "anything")));
    EXPECT_FALSE(open_callback(seal, seal.close("callback", "anything")));
}

}  // namespace
}  // namespace pawl::engine
