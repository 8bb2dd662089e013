#include "base/json.hpp"
#include "store/under_test.hpp"

#include <boost/json/parse.hpp>
#include <fmt/core.h>

// Workflows from YAML or the API, as workflow_definitions shows them and takes changes of them.
namespace pawl::test {
namespace {

class ListedDefinitions : public ::testing::Test {
protected:
    std::string head(const std::string& columns, const std::string& name) {
        return session_.value(fmt::format(
            "select ({})::text from workflow_definitions where name = '{}'", columns, name
        ));
    }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
};

const char* const in_yaml = R"(
name: yaml
steps:
  - {name: mail, function: send-email, action: send, payload: {to: "{{ to }}"}, on_failure: retry}
  - {name: chat, function: slack, action: say, on_failure: continue}
  - {name: bill, function: bill, action: make, on_failure: abort}
  - {name: often, function: f, action: x, retry: {attempts: 9, base: 5s}}
)";

TEST_F(ListedDefinitions, AnAppliedWorkflowIsShownAsTheDocumentShowsIt) {
    db_.apply(parse_definition(in_yaml).value());
    EXPECT_EQ(head("visibility_timeout, max_retries, version, active", "yaml"), "(60,3,1,t)");
    EXPECT_EQ(
        json::parse(head("steps", "yaml")).at(0),
        json::parse(R"({"name": "mail", "function": "send-email", "action": "send",
                        "payload_template": {"to": "{{ to }}"}, "on_failure": "retry"})")
    );
    EXPECT_EQ(head("steps -> 1 ->> 'on_failure'", "yaml"), "continue");
    EXPECT_EQ(head("steps -> 2 ->> 'on_failure'", "yaml"), "abort");
    EXPECT_EQ(head("steps -> 3 -> 'retry' ->> 'attempts'", "yaml"), "9");
}

TEST_F(ListedDefinitions, AnUpdateOfItChangesWhatRuns) {
    db_.apply(parse_definition(in_yaml).value());
    session_.script("update workflow_definitions set max_retries = 7, visibility_timeout = 5");
    auto changed = definition_from_json(db_.find_workflow("yaml")->definition);
    ASSERT_TRUE(changed) << changed.error().message;
    EXPECT_EQ(changed->nodes[0].retry.attempts, 8);
    EXPECT_EQ(changed->nodes[1].retry.attempts, 1);
    EXPECT_EQ(changed->nodes[1].on_failure, OnFailure::continue_);
    EXPECT_EQ(changed->nodes[3].retry.attempts, 9) << "it has a policy of its own";
    EXPECT_EQ(changed->nodes[0].timeout, Duration(std::chrono::seconds(5)));
    EXPECT_EQ(changed->next(0), NodeIndex{1});
    session_.script(
        "update workflow_definitions set steps = jsonb_set(steps, '{0,on_failure}', '\"abort\"')"
    );
    changed = definition_from_json(db_.find_workflow("yaml")->definition);
    EXPECT_EQ(changed.value().nodes[0].retry.attempts, 1);
    EXPECT_EQ(head("version, max_retries", "yaml"), "(3,7)");
}

// Only its columns say what it is from then on; what only they say again is no change.
TEST_F(ListedDefinitions, WhatWasAppliedIsKnownAgainAfterAnUpdateThatChangesNothing) {
    const auto definition = parse_definition(in_yaml).value();
    db_.apply(definition);
    session_.script("update workflow_definitions set active = false");
    session_.script("update workflow_definitions set active = true");
    EXPECT_FALSE(db_.apply(definition).changed);
    session_.script("update workflow_definitions set max_retries = 1");
    EXPECT_TRUE(db_.apply(definition).changed);
    EXPECT_EQ(head("max_retries", "yaml"), "3");
}

// A sample of pawl dev blocks no insert.
TEST_F(ListedDefinitions, AnInsertTakesThePlaceOfASample) {
    const auto publish = [this] {
        const auto sample = parse_definition(in_yaml).value();
        return db_.loop().run(db_.pg().publish_sample(store::default_tenant, sample));
    };
    EXPECT_TRUE(publish().value().changed);
    EXPECT_FALSE(publish().value().changed);
    EXPECT_EQ(head("created_by", "yaml"), "pawl dev");
    session_.script(
        "insert into workflow_definitions (name, steps) values ('yaml', '[{\"name\": \"mine\", "
        "\"function\": \"f\"}]') on conflict (name) do nothing"
    );
    EXPECT_EQ(head("steps -> 0 ->> 'name'", "yaml"), "mine");
    EXPECT_FALSE(publish()) << "it is not published over that";
    EXPECT_EQ(head("steps -> 0 ->> 'name'", "yaml"), "mine");
}

TEST_F(ListedDefinitions, ASampleThatWasChangedStays) {
    auto sample = parse_definition(in_yaml).value();
    db_.loop().run(db_.pg().publish_sample(store::default_tenant, sample));
    sample.description = "ours";
    db_.apply(sample);
    session_.script(
        "insert into workflow_definitions (name, steps) values ('yaml', '[{\"name\": \"mine\", "
        "\"function\": \"f\"}]') on conflict (name) do nothing"
    );
    EXPECT_EQ(head("description", "yaml"), "ours");
}

}  // namespace
}  // namespace pawl::test
