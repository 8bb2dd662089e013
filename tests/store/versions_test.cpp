#include "plan/repin.hpp"
#include "store/repos/version_store.hpp"
#include "store/working.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

// Versions of a workflow, over a real database and a real worker.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

Definition parsed(const std::string& text) {
    auto definition = parse_definition(text);
    EXPECT_TRUE(definition) << definition.error().message;
    return definition.value();
}

// With a wait in the middle, under this name.
Definition with_wait(const std::string& wait, const std::string& label = "1.0.0") {
    return parsed(fmt::format(
        "{{name: w, version: {}, steps: [{{id: a, type: code, function: work}}, "
        "{{id: {}, type: wait, signal: go}}, {{id: b, type: code, function: work}}]}}",
        label,
        wait
    ));
}

class VersionsTest : public ::testing::Test {
protected:
    std::string value(const std::string& sql) { return db_.database().session().value(sql); }
    void script(const std::string& sql) { db_.database().session().script(sql); }
    std::string canary(std::vector<VersionShare> shares) {
        return db_.loop().run(versions_.set_canary(1, "w", std::move(shares)));
    }
    std::string retire(std::int32_t version, bool drain = false) {
        return db_.loop().run(versions_.retire(1, "w", version, drain));
    }
    RunId start(std::int32_t version = 1) {
        auto run = new_run(db_.find_workflow("w")->id);
        run.version = version;
        run.data.get_object()["version"] = version;
        db_.start({run});
        return run.id;
    }
    void send(RunId run, const std::string& kind, json::object data) {
        db_.send({{run, kind, std::move(data)}});
    }
    std::vector<std::string> types(RunId run) {
        std::vector<std::string> names;
        for (const Event& event : db_.log(run)) names.emplace_back(name(event.type));
        return names;
    }
    // Of a run that is open or closed.
    std::string version(RunId run) {
        return value(fmt::format(
            "select coalesce((select version from pawl.live_run where run_id = '{0}'),"
            " (select version from pawl.run where run_id = '{0}'))::text",
            to_string(run)
        ));
    }
    // Of an open run.
    std::string state(RunId run) {
        return value(fmt::format(
            "select max(state)::text from pawl.live_run where run_id = '{}'", to_string(run)
        ));
    }

    PgUnderTest db_;
    store::Versions versions_{db_.pool()};
};

TEST_F(VersionsTest, ALabelBelongsToOneDefinitionForEver) {
    EXPECT_EQ(db_.apply(with_wait("x")).version, 1);
    EXPECT_EQ(db_.find_workflow("w")->label, "1.0.0");
    EXPECT_FALSE(db_.apply(with_wait("x")).changed);
    EXPECT_ANY_THROW(db_.apply(with_wait("y")));
    EXPECT_EQ(db_.apply(with_wait("y", "1.1.0")).version, 2);
    // The same definition under its label is that version again.
    EXPECT_EQ(db_.apply(with_wait("x")).version, 1);
    EXPECT_EQ(db_.list_versions("w").size(), 2u);
    EXPECT_ANY_THROW(script("update pawl.workflow_version set definition = '{}'"));
    EXPECT_EQ(db_.loop().run(versions_.number(1, "w", "1.1.0")), 2);
    EXPECT_EQ(db_.loop().run(versions_.number(1, "w", "2")), 2);
    EXPECT_EQ(db_.loop().run(versions_.number(1, "w", "3")), std::nullopt);
    EXPECT_EQ(db_.loop().run(versions_.before(1, "w")), 2);
}

TEST_F(VersionsTest, ADraftStartsNothingUntilItIsActivated) {
    db_.apply(with_wait("x"));
    const auto draft = db_.loop().run(versions_.save_draft(1, with_wait("y", "1.1.0")));
    EXPECT_EQ(draft.version, 2);
    EXPECT_TRUE(db_.find_version("w", 2)->draft);
    EXPECT_FALSE(db_.find_version("w", 2)->active);
    EXPECT_EQ(db_.find_workflow("w")->version, 1);
    EXPECT_FALSE(db_.loop().run(versions_.save_draft(1, with_wait("y", "1.1.0"))).changed);
    db_.activate("w", 2);
    EXPECT_FALSE(db_.find_version("w", 2)->draft);
    EXPECT_EQ(db_.find_workflow("w")->version, 2);
}

TEST_F(VersionsTest, ADraftOfWhatIsThereUnderItsLabelIsThatVersion) {
    db_.apply(with_wait("x", "1.0.0"));
    db_.apply(with_wait("y", "1.1.0"));
    const auto draft = db_.loop().run(versions_.save_draft(1, with_wait("x", "1.0.0")));
    EXPECT_EQ(draft.version, 1);
    EXPECT_FALSE(draft.changed);
    EXPECT_EQ(db_.find_workflow("w")->version, 2);
}

TEST_F(VersionsTest, AVersionWithOpenRunsIsNotRetiredUnlessTheyMayDrain) {
    db_.apply(with_wait("x"));
    start();
    db_.apply(with_wait("y", "1.1.0"));
    EXPECT_NE(retire(2).find("the one that starts use"), std::string::npos);
    EXPECT_EQ(
        retire(1), "version 1 has 1 open run: migrate them, or let them go to their end (drain)"
    );
    EXPECT_EQ(retire(1, true), "");
    EXPECT_TRUE(db_.find_version("w", 1)->retired_at);
    EXPECT_ANY_THROW(db_.activate("w", 1));
    EXPECT_EQ(canary({{1, 100}}), "version 1 is retired");
}

TEST_F(VersionsTest, WhatIsSwitchedOffStaysOffWhateverIsApplied) {
    db_.apply(with_wait("x"));
    EXPECT_TRUE(db_.loop().run(versions_.switch_off(1, "w", "it double-charges")));
    db_.apply(with_wait("y", "1.1.0"));
    EXPECT_FALSE(db_.find_workflow("w")->active);
    EXPECT_EQ(db_.find_workflow("w")->off_reason, "it double-charges");
    db_.activate("w");
    EXPECT_FALSE(db_.find_workflow("w")->active);
    EXPECT_ANY_THROW(script("select pawl.start('w')"));
    EXPECT_TRUE(db_.loop().run(versions_.switch_off(1, "w", std::nullopt)));
    EXPECT_TRUE(db_.find_workflow("w")->active);
}

TEST_F(VersionsTest, SharesAreChecked) {
    db_.apply(with_wait("x"));
    db_.apply(with_wait("y", "1.1.0"));
    EXPECT_NE(canary({{2, 100}}).find("is the head"), std::string::npos);
    EXPECT_EQ(canary({{7, 100}}), "there is no version 7 of it");
    EXPECT_EQ(canary({{1, 6'000}, {1, 100}}), "a version is named twice");
    EXPECT_EQ(canary({{1, 550}}), "");
    EXPECT_EQ(db_.find_workflow("w")->canary, (std::vector<VersionShare>{{1, 550}}));
    EXPECT_TRUE(db_.find_version("w", 1)->active);
    // The head has what the others leave.
    db_.activate("w", 1);
    EXPECT_TRUE(db_.find_workflow("w")->canary.empty());
}

TEST_F(VersionsTest, SqlAndTheEngineChooseAlike) {
    const std::vector<VersionShare> shares{{2, 1'250}, {3, 3'000}};
    const auto chosen = db_.database().session().column(
        "select pawl.choose_version(7, 1, '[{\"version\": 2, \"share\": 12.5},"
        " {\"version\": 3, \"share\": 30}]', 'k' || i)::text from generate_series(1, 3000) as i"
    );
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        EXPECT_EQ(
            chosen[i], std::to_string(choose_version(1, shares, 7, fmt::format("k{}", i + 1)))
        );
    }
}

TEST_F(VersionsTest, AShareIsMetWithinOnePercentAndStickyOver100000Starts) {
    db_.apply(with_wait("x"));
    db_.apply(with_wait("y", "1.1.0"));
    ASSERT_EQ(canary({{1, 1'000}}), "");
    for (const char* part : {"1, 50000", "50001, 100000", "1, 1000"}) {
        script(fmt::format(
            "select count(*) from pawl.start_many('w', (select jsonb_agg(jsonb_build_object("
            "'subject', 'customer-' || i)) from generate_series({}) as i))",
            part
        ));
    }
    const int few = std::stoi(
        value("select (count(distinct subject))::text from pawl.live_run where version = 1")
    );
    EXPECT_NEAR(few, 10'000, 1'000);
    EXPECT_EQ(
        value("select count(*)::text from (select subject from pawl.live_run group by subject"
              " having count(distinct version) > 1) as torn"),
        "0"
    );
}

TEST_F(VersionsTest, AWaitingRunMovesToAnotherVersionAndEndsThere) {
    db_.apply(with_wait("x"));
    Working working(db_);
    const RunId run = start();
    working.until([&] { return state(run) == "2"; });
    db_.apply(with_wait("y", "1.1.0"));
    send(run, "repin", {{"version", 2}, {"map", json::object{{"x", "y"}}}, {"by", "me"}});
    working.until([&] { return version(run) == "2"; });
    working.until([&] { return state(run) == "2"; });
    send(run, "signal", {{"name", "go"}, {"data", 1}});
    working.until_closed(1);
    EXPECT_EQ(version(run), "2");
    EXPECT_EQ(working.executed("a"), 1);
    EXPECT_EQ(working.executed("b"), 1);
    const auto log = db_.log(run);
    EXPECT_EQ(plan::pinned_versions(log), (std::vector<std::int32_t>{1, 2}));
    EXPECT_EQ(value("select count(*)::text from pawl.signal"), "0");
}

TEST_F(VersionsTest, AMoveThatWouldBreakIsRefusedAndTheRunGoesOn) {
    db_.apply(with_wait("x"));
    Working working(db_);
    const RunId run = start();
    working.until([&] { return state(run) == "2"; });
    db_.apply(with_wait("y", "1.1.0"));
    send(run, "repin", {{"version", 2}});
    working.until([&] { return types(run).back() == "run_repinned"; });
    EXPECT_TRUE(plan::was_refused(db_.log(run).back()));
    send(run, "signal", {{"name", "go"}, {"data", 1}});
    working.until_closed(1);
    EXPECT_EQ(version(run), "1");
}

TEST_F(VersionsTest, ARunOfAnUnknownVersionIsHeldAndGoesOnWhenThatComes) {
    db_.apply(with_wait("x"));
    Working working(db_);
    const RunId run = start(9);
    working.until([&] { return types(run).back() == "run_held"; });
    EXPECT_EQ(state(run), "0");
    EXPECT_EQ(
        value(fmt::format(
            "select (due_at > now() + '3 s')::text from pawl.live_run where run_id = '{}'",
            to_string(run)
        )),
        "true"
    );
    // Looked at again, it is not noted again.
    script("update pawl.live_run set due_at = now()");
    working.until([&] {
        return value("select (due_at > now())::text from pawl.live_run") == "true";
    });
    EXPECT_EQ(types(run), (std::vector<std::string>{"run_started", "run_held"}));
    script(
        "insert into pawl.workflow_version (workflow, version, definition)"
        " select workflow, 9, definition - 'version' from pawl.workflow_version;"
        " update pawl.live_run set due_at = now()"
    );
    working.until([&] { return state(run) == "2"; });
    send(run, "signal", {{"name", "go"}, {"data", 1}});
    working.until_closed(1);
    EXPECT_EQ(types(run).back(), "run_completed");
    EXPECT_EQ(version(run), "9");
}

// A program that has the version may come at any time, so the run is left to others; but that no
// worker that met it has it stands in its log, once, and the outbox tells of it.
TEST_F(VersionsTest, ACppVersionThatNoProgramHasLeavesAnAuditEvent) {
    script(
        "select pawl.apply_workflow('in_code', '{\"name\": \"in_code\", \"code\": \"1.4.0\", "
        "\"nodes\": [{\"id\": \"a\", \"type\": \"code\", \"config\": {}}], \"edges\": []}');"
        "insert into pawl.outbox_target (tenant, kind, address, events) "
        "values (1, 'notify', 'audit', '{run.held}')"
    );
    Working working(db_);
    const RunId run{parse_uuid(value("select pawl.start('in_code')::text")).value()};
    working.until([&] { return types(run).back() == "run_held"; });
    const auto log = db_.log(run);
    EXPECT_EQ(
        json::serialize(log.back().data),
        "{\"reason\":\"no program that has met it has version 1.4.0 of the C++ workflow "
        "'in_code'\",\"version\":1}"
    );
    EXPECT_EQ(
        value(fmt::format(
            "select event_type from pawl.outbox_events where run_id = '{}'", to_string(run)
        )),
        "run.held"
    );
    script("update pawl.live_run set due_at = now()");
    working.until([&] {
        return value("select (due_at > now())::text from pawl.live_run") == "true";
    });
    EXPECT_EQ(types(run), (std::vector<std::string>{"run_started", "run_held"}));
}

}  // namespace
}  // namespace pawl::test
