#include "base/json.hpp"
#include "model/definition.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

using namespace std::chrono_literals;

Result<Definition> with_trigger(const std::string& trigger) {
    return parse_definition(
        "name: nightly\nsteps:\n  - {name: a, code: noop}\ntriggers:\n  - " + trigger + "\n"
    );
}

TEST(CronTrigger, ReadsAndReadsBack) {
    const auto definition = with_trigger(
        "{cron: '0 9 * * mon-fri', timezone: Europe/Berlin, overlap: queue, catch_up: 2h, "
        "jitter: 90s, input: {day: '{{ schedule.date }}'}}"
    );
    ASSERT_TRUE(definition) << definition.error().message;
    ASSERT_EQ(definition->triggers.size(), 1U);
    const Trigger& trigger = definition->triggers[0];
    EXPECT_EQ(trigger.cron, "0 9 * * mon-fri");
    EXPECT_EQ(trigger.timezone, "Europe/Berlin");
    EXPECT_EQ(trigger.overlap, "queue");
    EXPECT_EQ(trigger.catch_up, Duration(2h));
    EXPECT_EQ(trigger.jitter, Duration(90s));
    EXPECT_EQ(definition_from_json(to_json(*definition)).value(), *definition);
    const auto plain = with_trigger("{cron: '@daily'}");
    ASSERT_TRUE(plain) << plain.error().message;
    EXPECT_EQ(plain->triggers[0].catch_up, Duration(1h));
    EXPECT_EQ(plain->triggers[0].overlap, "skip");
    EXPECT_EQ(definition_from_json(to_json(*plain)).value(), *plain);
}

TEST(AudienceTrigger, ReadsAndReadsBack) {
    const auto definition = with_trigger(
        "{audience: \"with p as (select ';' as a) select id as subject, $q$;$q$ as b, E'\\\\';' as "
        "c "
        "from people -- ; all\\n ;\\n\", schedule: '0 9 * * *', timezone: Asia/Bangkok, "
        "local_time: '09:00'}"
    );
    ASSERT_TRUE(definition) << definition.error().message;
    const Trigger& trigger = definition->triggers[0];
    EXPECT_TRUE(trigger.audience.ends_with("-- ; all")) << trigger.audience;
    EXPECT_EQ(trigger.cron, "0 9 * * *");
    EXPECT_EQ(trigger.local_time, "09:00");
    EXPECT_EQ(definition_from_json(to_json(*definition)).value(), *definition);
}

TEST(EntryRules, ReadAndReadBack) {
    const auto definition = parse_definition(
        "name: w\nreentry: {after: 30d}\nholdout: 10\nenter_if: {tier: gold, points: {operator: "
        "'>=', value: 100}}\nsteps: [{name: a, code: noop}]\n"
    );
    ASSERT_TRUE(definition) << definition.error().message;
    EXPECT_EQ(definition->reentry, Reentry::after);
    EXPECT_EQ(definition->reentry_after, Duration(30 * 24h));
    EXPECT_EQ(definition->holdout, 10);
    EXPECT_TRUE(definition->person);
    EXPECT_EQ(definition_from_json(to_json(*definition)).value(), *definition);
}

TEST(QueueTrigger, ReadsAndReadsBack) {
    const auto definition = with_trigger("{queue: orders, subject: '{{ customer }}'}");
    ASSERT_TRUE(definition) << definition.error().message;
    EXPECT_EQ(definition->triggers[0].event, "queue:orders");
    const auto json = to_json(*definition);
    EXPECT_EQ(json.at("triggers").at(0).at("queue").as_string(), "orders");
    EXPECT_FALSE(json.at("triggers").at(0).as_object().contains("event"));
    EXPECT_EQ(definition_from_json(json).value(), *definition);
}

TEST(ChangeTrigger, ReadsAndReadsBack) {
    const auto definition = with_trigger(
        "{event: wallet_ledger, operation: [insert, UPDATE, INSERT], "
        "conditions: {type: earn, amount: {operator: '>=', value: 100}}}"
    );
    ASSERT_TRUE(definition) << definition.error().message;
    EXPECT_EQ(definition->triggers[0].operations, (std::vector<std::string>{"INSERT", "UPDATE"}));
    EXPECT_EQ(definition->triggers[0].conditions.at("type").as_string(), "earn");
    EXPECT_EQ(definition_from_json(to_json(*definition)).value(), *definition);
    const auto one = with_trigger("{event: wallet_ledger, operation: DELETE}");
    ASSERT_TRUE(one) << one.error().message;
    EXPECT_EQ(one->triggers[0].operations, std::vector<std::string>{"DELETE"});
    EXPECT_EQ(definition_from_json(to_json(*one)).value(), *one);
}

TEST(ChangeTrigger, SaysWhatIsWrong) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"operation: TRUNCATE",
         "triggers[0].operation: must be INSERT, UPDATE or DELETE, or a list of them"},
        {"operation: []", "triggers[0].operation: must name at least one operation"},
        {"conditions: [a]",
         "triggers[0].conditions: must be a map of columns and the values they must have"},
        {"conditions: {tier: [gold, silver]}",
         "triggers[0].conditions: tier: for one of several values write {operator: in, value: "
         "[...]}"},
        {"conditions: {tier: {value: gold}}",
         "triggers[0].conditions: tier: write {operator, value}, or a value"},
        {"conditions: {tier: '{{ x }}'}",
         "triggers[0].conditions: tier: templates are for filters; here are values"},
        {"conditions: {tier: {operator: matches, value: g.*}}",
         "triggers[0].conditions: tier: 'matches' is for filters, which see the whole event"},
        {"conditions: {a..b: 1}", "triggers[0].conditions: 'a..b' is not the name of a column"},
    };
    for (const auto& [key, message] : cases) {
        const auto definition = with_trigger("{event: e, " + key + "}");
        ASSERT_FALSE(definition) << key;
        EXPECT_EQ(definition.error().message, "line 5, " + message);
    }
    const auto unknown = with_trigger("{event: e, conditions: {n: {operator: '=>', value: 1}}}");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("conditions: n: "), std::string::npos)
        << unknown.error().message;
}

TEST(CronTrigger, SaysWhatIsWrongAndWhere) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"{cron: '0 25 * * *'}",
         "line 5, triggers[0].cron: cron hour '25': '25' is not from 0 to 23"},
        {"{cron: '0 0 31 2 *'}",
         "line 5, triggers[0].cron: cron '0 0 31 2 *' can never fire: none of its months has such "
         "a day"},
        {"{cron: '@daily', timezone: Berlin}",
         "line 5, triggers[0].timezone: 'Berlin' is not a time zone, did you mean "
         "'Europe/Berlin'?"},
        {"{cron: '@daily', input: [1]}",
         "line 5, triggers[0].input: must be a map: it becomes the input of the run"},
        {"{cron: '@daily', subject: me}",
         "line 5, triggers[0].subject: unknown key: known here are catch_up, cron, event, input, "
         "jitter, overlap, queue, timezone"},
        {"{cron: '@daily', catch_up: soon}",
         "line 5, triggers[0].catch_up: 'soon' is not a duration: write it like \"30s\", \"5m\", "
         "\"1h30m\", \"2d\" or \"PT5M\""},
        {"{queue: 'a;b'}",
         "line 5, triggers[0].queue: must be the name of a queue: up to 47 bytes without $ ; ' or "
         "--"},
        {"{queue: orders, cron: '@daily'}",
         "line 5, triggers[0]: must have one of an event, a queue, a cron expression or an "
         "audience"},
        {"{queue: orders, event: paid}", "line 5, triggers[0].queue: cannot stand beside an event"},
        {"{cron: '@daily', event: paid}",
         "line 5, triggers[0]: must have one of an event, a queue, a cron expression or an "
         "audience"},
    };
    for (const auto& [trigger, message] : cases) {
        const auto definition = with_trigger(trigger);
        ASSERT_FALSE(definition) << trigger;
        EXPECT_EQ(definition.error().message, message);
    }
}

}  // namespace
}  // namespace pawl
