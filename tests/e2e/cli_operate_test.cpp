#include "base/json.hpp"
#include "cli_program.hpp"
#include "support/database.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

// What operators do: schedules, jobs, limits.
namespace pawl::test {
namespace {

class CliOperate : public testing::Test {
protected:
    CliOperate() {
        const auto applied =
            run({"workflows", "apply", "-f", "-"}, "name: nap\nsteps: [{name: sleep, wait: 1h}]\n");
        EXPECT_EQ(applied.code, 0) << applied.err;
    }
    Outcome run(std::vector<std::string> args, std::string input = "") const {
        return pawl({std::move(args), {{"DATABASE_URL", database_.url()}}, std::move(input)});
    }
    // The first line of what a command prints: an id.
    std::string started(std::vector<std::string> args) {
        const auto outcome = run(std::move(args));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.out.substr(0, outcome.out.find('\n'));
    }

    TestDatabase database_;
};

TEST_F(CliOperate, AScheduleIsFiredByHand) {
    const std::string daily =
        "name: report\ntriggers: [{cron: '0 9 * * *', input: {day: '1'}}]\n"
        "steps: [{name: greet, code: echo, input: {text: 'Day {{ day }}'}}]\n";
    const std::string twice =
        "name: twice\ntriggers: [{cron: '@daily'}, {cron: '@weekly'}]\n"
        "steps: [{name: sleep, wait: 1h}]\n";
    ASSERT_EQ(run({"workflows", "apply", "-f", "-"}, daily).code, 0);
    ASSERT_EQ(run({"workflows", "apply", "-f", "-"}, twice).code, 0);
    const std::string usual = started({"schedules", "trigger", "report"});
    const auto shown = parse_json(run({"runs", "show", usual, "-o", "json"}).out).value();
    EXPECT_EQ(text_in(shown, "triggered_by"), "schedule");
    EXPECT_EQ(text_in(*find(shown, "input"), "day"), "1");
    started({"schedules", "trigger", "1", "--data", R"({"day": "2"})"});
    const auto list = parse_json(run({"schedules", "list", "-o", "json"}).out).value();
    EXPECT_EQ(whole_number(find(list.as_array().at(0), "fired")), 2);
    EXPECT_EQ(run({"schedules", "trigger", "report", "--data", "[1]"}).code, 2);
    const auto several = run({"schedules", "trigger", "twice"});
    EXPECT_EQ(several.code, 2);
    EXPECT_NE(several.err.find("say which: 2, 3"), std::string::npos) << several.err;
    EXPECT_EQ(run({"schedules", "trigger", "nap"}).code, 6);
    EXPECT_EQ(run({"schedules", "pause", "reprot"}).code, 6);
    EXPECT_EQ(run({"schedules", "resume", "99"}).code, 6);
    ASSERT_EQ(run({"schedules", "pause", "report"}).code, 0);
}

TEST_F(CliOperate, TablesFitIntoTheTerminal) {
    started({"run", "nap", "--subject", std::string(60, 'x')});
    const auto widest = [this](std::vector<std::string> args, const Env& more) {
        Env env{{"DATABASE_URL", database_.url()}};
        env.insert(more.begin(), more.end());
        std::istringstream lines(pawl({std::move(args), env}).out);
        std::size_t most = 0;
        for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
        return most;
    };
    const std::vector<std::string> runs{"runs", "list"};
    EXPECT_LE(widest({"workflows", "show", "nap"}, {{"COLUMNS", "60"}}), 62u) << "an ellipsis";
    EXPECT_GT(widest(runs, {}), 100u) << "nothing is cut for a program";
    EXPECT_LT(widest(runs, {{"COLUMNS", "80"}}), widest(runs, {}));
}

TEST_F(CliOperate, JobsAreSeenAndStopped) {
    started({"run", "nap"});
    const std::string id =
        started({"runs", "bulk", "cancel", "--workflow", "nap", "--yes", "--no-wait"});
    const auto listed = parse_json(run({"jobs", "list", "-o", "json"}).out).value();
    ASSERT_EQ(listed.as_array().size(), 1u);
    const auto& job = listed.as_array().at(0);
    EXPECT_EQ(text_in(job, "id"), id);
    EXPECT_EQ(text_in(job, "action"), "cancel");
    EXPECT_EQ(text_in(job, "workflow"), "nap");
    EXPECT_EQ(text_in(job, "status"), "queued");
    EXPECT_NE(run({"jobs", "list"}).out.find("0 of 1"), std::string::npos);
    EXPECT_EQ(run({"jobs", "list", "--status", "done", "-o", "json"}).out, "[]\n");
    EXPECT_EQ(run({"jobs", "show", id}).code, 0);
    const auto stopped = run({"jobs", "cancel", id, "--by", "ann", "-o", "json"});
    EXPECT_EQ(stopped.code, 0) << stopped.err;
    EXPECT_EQ(text_in(parse_json(stopped.out).value(), "error"), "cancelled by ann");
    EXPECT_EQ(run({"jobs", "cancel", id}).code, 0) << "twice is once";
    EXPECT_EQ(run({"jobs", "watch", id}).code, 8) << "it did not do all it was to do";
    database_.session().value("update pawl.job set status = 'done' returning 'x'");
    EXPECT_EQ(run({"jobs", "cancel", id}).code, 8);
    EXPECT_EQ(run({"jobs", "watch", id}).code, 0);
    EXPECT_EQ(run({"jobs", "show", "01890a5d-ac96-774b-bcce-b302099a8057"}).code, 6);
    EXPECT_EQ(run({"jobs", "show", "x"}).code, 6);
}

TEST_F(CliOperate, WebhooksSayWhatIsNotThere) {
    const auto nothing = run({"webhooks", "create"});
    EXPECT_EQ(nothing.code, 2);
    EXPECT_NE(nothing.err.find("--url is required"), std::string::npos) << nothing.err;
    ASSERT_EQ(started({"webhooks", "create", "--channel", "told", "--event", "run.*"}), "1");
    EXPECT_NE(run({"webhooks", "list"}).out.find("run.*   yes"), std::string::npos);
    EXPECT_EQ(run({"webhooks", "deliveries", "1"}).code, 0);
    EXPECT_EQ(run({"webhooks", "deliveries", "9"}).code, 6);
    const auto wrong = run({"webhooks", "redeliver", "1", "x"});
    EXPECT_EQ(wrong.code, 6);
    EXPECT_NE(wrong.err.find("webhook 1 has no delivery 'x'"), std::string::npos) << wrong.err;
    EXPECT_EQ(run({"webhooks", "redeliver", "9", "x"}).code, 6);
}

TEST_F(CliOperate, AReplayOfWhatDidNotFailIsAnErrorForProgramsToo) {
    const std::string id = started({"run", "nap"});
    const auto outcome = run({"dead-letters", "replay", id, "-o", "json"});
    EXPECT_EQ(outcome.code, 6);
    EXPECT_NE(outcome.err.find("not_found"), std::string::npos) << outcome.err;
    EXPECT_EQ(run({"dead-letters", "list"}).err.find("RUN"), std::string::npos);
}

TEST_F(CliOperate, AWorkflowThatIsOffIsSeenToBe) {
    ASSERT_EQ(run({"versions", "off", "nap", "--reason", "it is late"}).code, 0);
    EXPECT_NE(run({"versions", "list", "nap"}).out.find(" off "), std::string::npos);
}

TEST_F(CliOperate, LimitsAreThoseThatThereAre) {
    const std::string limited =
        "name: mail\nflow: {concurrency: {limit: 2}}\n"
        "steps: [{name: sleep, wait: 1h}]\n";
    ASSERT_EQ(run({"workflows", "apply", "-f", "-"}, limited).code, 0);
    const auto wrong = run({"limits", "set", "concurency", "3", "--workflow", "mail"});
    EXPECT_EQ(wrong.code, 6);
    EXPECT_NE(wrong.err.find("did you mean 'concurrency'?"), std::string::npos) << wrong.err;
    EXPECT_EQ(run({"limits", "set", "nosuch", "3"}).code, 6);
    EXPECT_EQ(run({"limits", "set", "concurrency", "3", "--workflow", "mial"}).code, 6);
    EXPECT_EQ(run({"limits", "list", "--workflow", "mial"}).code, 6);
    EXPECT_EQ(run({"limits", "list", "-o", "json"}).out, "[]\n") << "nothing was set";
    const auto set = run({"limits", "set", "concurrency", "3", "--workflow", "mail", "-o", "json"});
    EXPECT_EQ(set.code, 0) << set.err;
    EXPECT_EQ(whole_number(find(parse_json(set.out).value(), "limit")), 3);
    ASSERT_EQ(run({"tenants", "create", "acme"}).code, 0);
    EXPECT_EQ(run({"limits", "list", "--tenant", "acme", "-o", "json"}).out, "[]\n");
    EXPECT_EQ(
        run({"limits", "set", "concurrency", "1", "--workflow", "mail", "--tenant", "acme"}).code, 6
    ) << "mail is not a workflow of acme";
}

}  // namespace
}  // namespace pawl::test
