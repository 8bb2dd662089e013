#include "store/repos/schedules.hpp"

#include "store/under_test.hpp"

#include <fmt/core.h>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

// The rows of pawl.schedule follow the head of their workflow, however it is written.
class ScheduleRows : public ::testing::Test {
protected:
    void apply(const std::string& triggers, const std::string& name = "nightly") {
        sql_.script(fmt::format(
            "select pawl.apply_workflow('{0}', '{{\"name\": \"{0}\", \"nodes\": [{{\"id\": \"a\", "
            "\"type\": \"code\", \"config\": {{\"function\": \"work\"}}}}], \"edges\": [], "
            "\"triggers\": {1}}}')",
            name,
            triggers
        ));
    }
    std::vector<std::string> rows(const std::string& columns) {
        return sql_.column(
            "select concat_ws(' ', " + columns + ") from pawl.schedule order by place, id"
        );
    }
    void set_next() { sql_.script("update pawl.schedule set next_at = '2030-01-01', fired = 5"); }

    PgUnderTest db_;
    Session& sql_ = db_.database().session();
    store::Schedules schedules_{db_.pool()};
};

using Texts = std::vector<std::string>;

TEST_F(ScheduleRows, AreTheCronTriggersOfTheHead) {
    apply(R"([{"cron": "@daily"}, {"event": "order.paid"},
              {"cron": "0 9 * * mon", "timezone": "Europe/Berlin", "overlap": "queue",
               "catch_up": "2h", "jitter": 90, "input": {"a": 1}}])");
    EXPECT_EQ(
        rows("place, cron, timezone, overlap, catch_up_ms, jitter_ms, input, active"),
        (Texts{
            "0 @daily UTC skip 3600000 0 {} t",
            "2 0 9 * * mon Europe/Berlin queue 7200000 90000 {\"a\": 1} t"})
    );
    apply("[]");
    EXPECT_EQ(rows("id"), Texts{});
}

TEST_F(ScheduleRows, OneThatStaysKeepsItsPlaceInTime) {
    apply(R"([{"cron": "@daily"}, {"cron": "@hourly"}])");
    set_next();
    apply(R"([{"cron": "@hourly", "overlap": "allow"}, {"cron": "@weekly"}, {"cron": "@daily"}])");
    EXPECT_EQ(
        rows("id, place, cron, overlap, next_at is null, fired"),
        (Texts{"2 0 @hourly allow f 5", "3 1 @weekly skip t 0", "1 2 @daily skip f 5"})
    );
}

TEST_F(ScheduleRows, OneThatIsChangedStaysPausedAndCountsFromNowOn) {
    apply(R"([{"cron": "@daily"}])");
    set_next();
    sql_.script("update pawl.schedule set since = '2020-01-01'");
    db_.loop().run(schedules_.pause({}, 1, "holidays"));
    apply(R"([{"cron": "@weekly"}])");
    EXPECT_EQ(
        rows("id, cron, next_at is null, since > '2020-01-01', pause_reason, fired"),
        Texts{"1 @weekly t t holidays 5"}
    );
}

TEST_F(ScheduleRows, FollowTheWorkflowWhenItIsSwitchedOffAndOn) {
    apply(R"([{"cron": "@daily"}])");
    set_next();
    EXPECT_TRUE(db_.deactivate("nightly"));
    EXPECT_EQ(rows("id, active, next_at is null"), Texts{"1 f f"});
    EXPECT_TRUE(db_.activate("nightly"));
    EXPECT_EQ(rows("id, active, next_at is null"), Texts{"1 t t"}) << "counts from now on";
    apply(R"([{"cron": "@hourly"}])");
    EXPECT_TRUE(db_.activate("nightly", 1));
    EXPECT_EQ(rows("id, cron"), Texts{"1 @daily"}) << "those of the older version";
    sql_.script("delete from pawl.definition");
    EXPECT_EQ(rows("id"), Texts{});
}

TEST_F(ScheduleRows, ListAndFind) {
    apply(R"([{"cron": "@daily"}, {"cron": "@hourly"}])");
    apply(R"([{"cron": "@weekly"}])", "other");
    const auto list = [this](const store::ScheduleFilter& filter, store::Tenant tenant = {}) {
        Texts found;
        for (const auto& schedule : db_.loop().run(schedules_.list(tenant, filter))) {
            found.push_back(schedule.workflow_name + " " + schedule.cron);
        }
        return found;
    };
    EXPECT_EQ(list({}), (Texts{"nightly @daily", "nightly @hourly", "other @weekly"}));
    store::ScheduleFilter filter;
    filter.workflow = "other";
    EXPECT_EQ(list(filter), Texts{"other @weekly"});
    filter.workflow.clear();
    filter.after = 1;
    filter.limit = 1;
    EXPECT_EQ(list(filter), Texts{"nightly @hourly"});
    EXPECT_EQ(list({}, {2, 0}), Texts{}) << "another tenant's";
    EXPECT_TRUE(db_.loop().run(schedules_.find({}, 3)));
    EXPECT_FALSE(db_.loop().run(schedules_.find({}, 4)));
    EXPECT_FALSE(db_.loop().run(schedules_.find({2, 0}, 3)));
}

TEST_F(ScheduleRows, PauseAndResume) {
    apply(R"([{"cron": "@daily"}])");
    set_next();
    db_.loop().run(schedules_.pause({2, 0}, 1, "not yours"));
    EXPECT_EQ(rows("paused_at is null"), Texts{"t"});
    db_.loop().run(schedules_.pause({}, 1, "first"));
    db_.loop().run(schedules_.pause({}, 1, "second"));
    EXPECT_EQ(rows("pause_reason, paused_at is null"), Texts{"first f"});
    EXPECT_TRUE(db_.loop().run(schedules_.due(0, 1h, 10)).empty());
    db_.loop().run(schedules_.resume({}, 1));
    EXPECT_EQ(rows("paused_at is null, next_at is null"), Texts{"t t"});
    EXPECT_EQ(db_.loop().run(schedules_.due(0, 1h, 10)).size(), 1U);
    set_next();
    db_.loop().run(schedules_.resume({}, 1));
    EXPECT_EQ(rows("next_at is null"), Texts{"f"}) << "it was not paused";
}

TEST_F(ScheduleRows, OneBackfillAtATime) {
    apply(R"([{"cron": "@daily"}])");
    const Instant to = db_.now();
    EXPECT_FALSE(db_.loop().run(schedules_.backfill({2, 0}, 1, to - 48h, to)));
    EXPECT_TRUE(db_.loop().run(schedules_.backfill({}, 1, to - 48h, to)));
    EXPECT_FALSE(db_.loop().run(schedules_.backfill({}, 1, to - 72h, to)));
    const auto found = db_.loop().run(schedules_.find({}, 1));
    EXPECT_EQ(found->backfill_at, to - 48h);
    EXPECT_EQ(found->backfill_to, to);
    EXPECT_FALSE(db_.loop().run(schedules_.cancel_backfill({2, 0}, 1)));
    EXPECT_TRUE(db_.loop().run(schedules_.cancel_backfill({}, 1)));
    EXPECT_FALSE(db_.loop().run(schedules_.cancel_backfill({}, 1))) << "none is under way";
    EXPECT_TRUE(db_.loop().run(schedules_.backfill({}, 1, to - 72h, to)));
}

TEST_F(ScheduleRows, SoonestFirstAndNoFurtherThanAsked) {
    apply(R"([{"cron": "@daily"}, {"cron": "@hourly"}, {"cron": "@weekly"}])");
    sql_.script("update pawl.schedule set due_at = now() + id * interval '1 minute'");
    sql_.script("update pawl.schedule set due_at = now() - interval '1 minute' where id = 3");
    const auto due = [this](Duration ahead, int limit) {
        std::vector<int> ids;
        for (const auto& schedule : db_.loop().run(schedules_.due(0, ahead, limit))) {
            ids.push_back(schedule.id);
        }
        return ids;
    };
    EXPECT_EQ(due(0s, 10), std::vector{3});
    EXPECT_EQ(due(90s, 10), (std::vector{3, 1}));
    EXPECT_EQ(due(1h, 10), (std::vector{3, 1, 2}));
    EXPECT_EQ(due(1h, 1), std::vector{3});
    EXPECT_TRUE(db_.loop().run(schedules_.due(1, 1h, 10)).empty()) << "another bucket's";
}

}  // namespace
}  // namespace pawl::test
