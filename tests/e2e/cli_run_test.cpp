#include "base/json.hpp"
#include "cli_program.hpp"
#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <csignal>
#include <memory>

namespace pawl::test {
namespace {

const char* const definitions[] = {
    "name: hello\nsteps: [{name: greet, code: echo, input: {text: 'Hi {{ name }}'}}]\n",
    "name: broken\nsteps: [{name: x, code: fail, retry: {attempts: 1}}]\n",
    "name: nap\nsteps: [{name: sleep, wait: 1h}]\n",
};

class CliRun : public testing::Test {
protected:
    CliRun() {
        for (const char* definition : definitions) {
            const auto outcome = run({"workflows", "apply", "-f", "-"}, definition);
            EXPECT_EQ(outcome.code, 0) << outcome.err;
        }
    }
    Call call(std::vector<std::string> args, std::string input = "") const {
        return {std::move(args), {{"DATABASE_URL", database_.url()}}, std::move(input)};
    }
    Outcome run(std::vector<std::string> args, std::string input = "") const {
        return pawl(call(std::move(args), std::move(input)));
    }
    void start_worker() {
        worker_ = std::make_unique<Program>(call({"worker"}));
        const bool up = eventually([this] {
            return database_.session().value("select count(*)::text from pawl.worker") == "1";
        });
        ASSERT_TRUE(up) << worker_->err();
    }
    std::string started(std::vector<std::string> args) {
        const auto outcome = run(std::move(args));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.out.substr(0, outcome.out.find('\n'));
    }
    std::string rows() {
        return database_.session().value(
            "select ((select count(*) from pawl.event) + (select count(*) from "
            "pawl.live_run))::text"
        );
    }

    TestDatabase database_;
    TempDir dir_;
    std::unique_ptr<Program> worker_;
};

TEST_F(CliRun, AFailedRunIsRetriedAndOneIsDoneAgain) {
    start_worker();
    const auto failed = run({"run", "broken", "--wait", "-o", "json"});
    const std::string id = started({"runs", "list", "--workflow", "broken", "-o", "jsonl"});
    const std::string old(text_in(parse_json(id).value(), "id"));
    const std::string again = started({"runs", "retry", old});
    EXPECT_NE(again, old);
    EXPECT_NE(run({"runs", "why", old}).out.find("pawl runs why " + again), std::string::npos);
    const std::string whole = started({"runs", "rerun", old, "--from", "x"});
    EXPECT_NE(whole, old);
    EXPECT_EQ(run({"runs", "rerun", old, "--from", "nosuch"}).code, 2);
    EXPECT_EQ(run({"runs", "rerun", old, "--data", "[1]"}).code, 2);
    const auto nap = started({"run", "nap", "--subject", "ann"});
    const auto refused = run({"runs", "retry", nap});
    EXPECT_NE(refused.err.find("only a failed or cancelled run"), std::string::npos);
    EXPECT_NE(run({"runs", "list", "--subject", "ann"}).out.find(nap), std::string::npos);
}

TEST_F(CliRun, LimitsOfTheTenantHoldHereToo) {
    const auto limited = run({"tenants", "limit", "default", "--open-runs", "1"});
    ASSERT_EQ(limited.code, 0) << limited.err;
    started({"run", "nap"});
    EXPECT_NE(run({"run", "nap"}).code, 0);
    const auto small =
        run({"tenants", "limit", "default", "--open-runs", "9", "--payload-bytes", "5"});
    ASSERT_EQ(small.code, 0) << small.err;
    const auto refused = run({"run", "nap", "--data", "{\"a\": 12345}"});
    EXPECT_NE(refused.err.find("may give 5"), std::string::npos) << refused.err;
}

TEST_F(CliRun, StartsOfOtherProcessesCountAgainstTheRateOfTheTenant) {
    started({"run", "nap"});
    const auto limited = run({"tenants", "limit", "default", "--starts", "1"});
    ASSERT_EQ(limited.code, 0) << limited.err;
    // As if it had begun just now, however slow this machine is: ids carry the time.
    const auto move_start = [this](const std::string& interval) {
        database_.session().script(
            "update pawl.live_run set run_id = (left(pawl.uuid7_bound(now() + interval '" +
            interval + "')::text, 24) || right(run_id::text, 12))::uuid"
        );
    };
    move_start("1 hour");
    const auto refused = run({"run", "nap"});
    EXPECT_NE(refused.code, 0);
    EXPECT_NE(refused.err.find("may start 1 run a second"), std::string::npos) << refused.err;
    move_start("-1 hour");
    started({"run", "nap"});
}

TEST_F(CliRun, NamesThatAreEmptyOrTheEnginesOwnAreRefused) {
    EXPECT_EQ(run({"run", "nap", "--correlation", ""}).code, 2);
    EXPECT_EQ(run({"run", "nap", "--subject", ""}).code, 2);
    EXPECT_EQ(run({"run", ""}).code, 2);
    EXPECT_EQ(run({"events", "send", ""}).code, 2);
    EXPECT_EQ(run({"events", "send", "pawl.task.opened"}).code, 2);
    EXPECT_EQ(run({"dead-letters", "list", "--fingerprint", "xyz"}).code, 2);
    EXPECT_NE(run({"dead-letters", "list", "--workflow", "nosuch"}).code, 0);
    EXPECT_EQ(run({"doctor", "--skip", "nosuch"}).code, 2);
    EXPECT_EQ(rows(), "0");
}

TEST_F(CliRun, BadInputIsRefusedAndNothingIsWritten) {
    std::string deep;
    for (int i = 0; i < 70; ++i) deep += "{\"a\":";
    deep += "1" + std::string(70, '}');
    const std::string large = "{\"name\":\"" + std::string(1 << 20, 'x') + "\"}";
    struct Case {
        std::string data;
        std::string words;
    };
    for (const Case& bad : std::vector<Case>{
             {"{}", "Missing template variables: name"},
             {"{\"name\":", "invalid JSON"},
             {"", "invalid JSON"},
             {"{\"name\":1} x", "extra text"},
             {"[1]", "JSON object"},
             {"7", "JSON object"},
             {R"({"name":"a\u0000b"})", "U+0000"},
             {"{\"name\":\"\xff\"}", "invalid JSON"},
             {deep, "deeper than"},
             {"@/nowhere.json", "/nowhere.json"},
             {"@" + dir_.file("large.json", large), "limit"}}) {
        const auto outcome = run({"run", "hello", "--data", bad.data});
        EXPECT_EQ(outcome.code, 2) << bad.data.substr(0, 40);
        EXPECT_EQ(outcome.out, "");
        EXPECT_NE(outcome.err.find(bad.words), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(run({"run", "hello", "--data", "-"}, large).code, 2);
    const std::string fine = R"({"name":"x"})";
    EXPECT_EQ(run({"run", "hello", "--data", fine, "--subject", "\xff"}).code, 2);
    EXPECT_EQ(
        run({"run", "hello", "--data", fine, "--correlation", std::string(501, 'k')}).code, 2
    );
    EXPECT_EQ(run({"run", "hello", "--data", fine, "--priority", "40000"}).code, 2);
    EXPECT_EQ(run({"run", "hello", "--data", fine, "--delay", "-5s"}).code, 2);
    EXPECT_EQ(rows(), "0");
}

TEST_F(CliRun, AnUnknownWorkflowIsNotFound) {
    const auto outcome = run({"run", "helo"});
    EXPECT_EQ(outcome.code, 6);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("did you mean 'hello'?"), std::string::npos) << outcome.err;
    EXPECT_EQ(rows(), "0");
    const auto machine = run({"run", "helo", "-o", "json"});
    const auto document = parse_json(machine.err).value();
    EXPECT_EQ(find(*find(document, "error"), "code")->as_string(), "not_found");
}

TEST_F(CliRun, AVersionCanBeNamed) {
    for (const char* minutes : {"2", "3"}) {
        const std::string next = fmt::format(
            "name: nap\nversion: 1.{0}.0\nsteps: [{{name: sleep, wait: {0}m}}]\n", minutes
        );
        ASSERT_EQ(run({"workflows", "apply", "-f", "-"}, next).code, 0);
    }
    const auto version_of = [this](std::vector<std::string> args) {
        const std::string id = started(std::move(args));
        const auto shown = parse_json(run({"runs", "show", id, "-o", "json"}).out).value();
        return whole_number(find(shown, "version")).value_or(0);
    };
    EXPECT_EQ(version_of({"run", "nap"}), 3);
    EXPECT_EQ(version_of({"run", "nap", "--version", "1.3.0"}), 3);
    const auto inactive = run({"run", "nap", "--version", "1.2.0"});
    EXPECT_EQ(inactive.code, 8);
    EXPECT_NE(inactive.err.find("pawl versions canary nap 1.2.0=0"), std::string::npos)
        << inactive.err;
    ASSERT_EQ(run({"versions", "canary", "nap", "2=0"}).code, 0);
    EXPECT_EQ(version_of({"run", "nap", "--version", "1.2.0"}), 2);
    EXPECT_EQ(version_of({"run", "nap", "--version", "2"}), 2);
    EXPECT_EQ(run({"run", "nap", "--version", "9"}).code, 6);
}

TEST_F(CliRun, PrintsTheIdAloneAndTakesDataFromEverywhere) {
    const auto outcome = run({"run", "hello", "--data", R"({"name":"Ada"})"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(parse_uuid(outcome.out.substr(0, outcome.out.size() - 1))) << outcome.out;
    const std::string file = dir_.file("data.json", R"({"name":"Bob"})");
    EXPECT_EQ(run({"run", "hello", "--data", "@" + file}).code, 0);
    EXPECT_EQ(run({"run", "hello", "--data", "-"}, R"({"name":"Cy"})").code, 0);
    EXPECT_EQ(run({"run", "hello", "-q", "--data", R"({"name":"D"})"}).err, "");
    const auto list = parse_json(run({"runs", "list", "-o", "json"}).out).value();
    EXPECT_EQ(list.as_array().size(), 4u);
}

TEST_F(CliRun, ACorrelationKeyStartsOneRun) {
    const std::vector<std::string> args{
        "run",
        "nap",
        "--correlation",
        "k",
        "--subject",
        "ann",
        "--priority",
        "-3",
        "--delay",
        "1h"};
    const std::string first = started(args);
    EXPECT_EQ(started(args), first);
    const auto list = parse_json(run({"runs", "list", "-o", "json"}).out).value();
    ASSERT_EQ(list.as_array().size(), 1u);
    EXPECT_EQ(find(list.as_array().at(0), "subject")->as_string(), "ann");
    EXPECT_TRUE(find(list.as_array().at(0), "due_at")->is_string());
}

TEST_F(CliRun, WaitTellsHowItEnded) {
    start_worker();
    const auto good = run({"run", "hello", "--data", R"({"name":"Ada"})", "--wait", "-o", "json"});
    EXPECT_EQ(good.code, 0) << good.err;
    const auto document = parse_json(good.out).value();
    EXPECT_EQ(find(document, "status")->as_string(), "completed");
    EXPECT_EQ(find(*find(document, "output"), "text")->as_string(), "Hi Ada");
    const auto bad = run({"run", "broken", "--wait"});
    EXPECT_EQ(bad.code, 5);
    EXPECT_NE(bad.out.find("failed"), std::string::npos) << bad.out;
    EXPECT_NE(bad.err.find("error:"), std::string::npos);
    const auto late = run({"run", "nap", "--wait", "--timeout", "300ms"});
    EXPECT_EQ(late.code, 7);
    EXPECT_NE(late.err.find("it goes on"), std::string::npos) << late.err;
}

TEST_F(CliRun, WaitWithoutAWorkerSaysSoAndStopsOnCtrlC) {
    Program program(call({"run", "nap", "--wait"}));
    EXPECT_TRUE(eventually([&] { return program.err().find("pawl worker") != std::string::npos; }));
    program.signal(SIGINT);
    EXPECT_EQ(program.wait(), 130);
}

TEST_F(CliRun, ListFiltersAndPages) {
    start_worker();
    run({"run", "broken", "--wait"});
    for (int i = 0; i < 3; ++i) run({"run", "nap"});
    const auto ids = [this](std::vector<std::string> more) {
        std::vector<std::string> args{"runs", "list", "-o", "jsonl"};
        args.insert(args.end(), more.begin(), more.end());
        const auto outcome = run(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::vector<std::string> found;
        std::istringstream lines(outcome.out);
        for (std::string line; std::getline(lines, line);) {
            found.emplace_back(find(parse_json(line).value(), "id")->as_string());
        }
        return found;
    };
    EXPECT_EQ(ids({}).size(), 4u);
    EXPECT_EQ(ids({"--workflow", "nap"}).size(), 3u);
    EXPECT_EQ(ids({"--status", "failed"}).size(), 1u);
    EXPECT_EQ(ids({"--status", "completed"}).size(), 0u);
    const auto page = ids({"--limit", "2"});
    ASSERT_EQ(page.size(), 2u);
    EXPECT_EQ(ids({"--before", page[1]}).size(), 2u);
    EXPECT_EQ(run({"runs", "list", "--before", "x"}).code, 2);
    EXPECT_EQ(run({"runs", "list", "--workflow", "napp"}).code, 6);
    EXPECT_EQ(run({"runs", "list", "--workflow", "hello", "-o", "json"}).out, "[]\n");
}

TEST_F(CliRun, ShowHasTheLog) {
    start_worker();
    const auto ended = run({"run", "broken", "--wait", "-o", "json"});
    const std::string id(find(parse_json(ended.out).value(), "id")->as_string());
    const auto table = run({"runs", "show", id});
    EXPECT_EQ(table.code, 0);
    for (const char* word : {"run_started", "step_failed", "run_failed", "broken v1", "failed"}) {
        EXPECT_NE(table.out.find(word), std::string::npos) << word << "\n" << table.out;
    }
    const auto whole = parse_json(run({"runs", "show", id, "-o", "json"}).out).value();
    const auto& events = find(whole, "events")->as_array();
    for (std::size_t i = 0; i < events.size(); ++i) {
        EXPECT_EQ(find(events[i], "seq")->as_int64(), static_cast<std::int64_t>(i));
    }
    EXPECT_EQ(run({"runs", "show", "x"}).code, 2);
    EXPECT_EQ(run({"runs", "show", "01890a5d-ac96-774b-bcce-b302099a8057"}).code, 6);
}

TEST_F(CliRun, CancelEndsASleepingRun) {
    start_worker();
    const std::string id = started({"run", "nap"});
    const auto outcome = run({"runs", "cancel", id, "--reason", "no longer"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const bool cancelled = eventually([&] {
        return run({"runs", "show", id}).out.find("run_cancelled") != std::string::npos;
    });
    EXPECT_TRUE(cancelled);
    EXPECT_NE(run({"runs", "show", id}).out.find("no longer"), std::string::npos);
    const auto again = run({"runs", "cancel", id});
    EXPECT_EQ(again.code, 8);
    EXPECT_NE(again.err.find("cancelled"), std::string::npos);
    EXPECT_EQ(run({"runs", "cancel", "x"}).code, 2);
    EXPECT_EQ(run({"runs", "cancel", "01890a5d-ac96-774b-bcce-b302099a8057"}).code, 6);
}

TEST_F(CliRun, WorkerStopsCleanlyAndServesItsPages) {
    Program worker(call({"worker", "--listen", "127.0.0.1:0", "--threads", "2"}));
    const auto port = [&] {
        const std::string err = worker.err();
        const auto at = err.find("listen=127.0.0.1:");
        return at == std::string::npos ? "" : err.substr(at + 17, err.find('\n', at) - at - 17);
    };
    ASSERT_TRUE(eventually([&] { return !port().empty(); })) << worker.err();
    const std::string url = "http://127.0.0.1:" + port();
    for (const char* page : {"/livez", "/readyz", "/metrics"}) {
        EXPECT_EQ(http_status(url + page), 200) << page;
    }
    EXPECT_EQ(http_status(url + "/nothing"), 404);
    worker.signal(SIGTERM);
    EXPECT_EQ(worker.wait(), 0);
    EXPECT_EQ(worker.out(), "");
    EXPECT_EQ(database_.session().value("select count(*)::text from pawl.worker"), "0");
}

TEST_F(CliRun, DoctorSaysWhatToDo) {
    // The cluster of the tests trades safety for speed, and the doctor says so.
    const auto unsafe = run({"doctor"});
    EXPECT_EQ(unsafe.code, 1) << unsafe.out;
    EXPECT_NE(unsafe.out.find("fsync is off"), std::string::npos) << unsafe.out;
    const auto idle = run({"doctor", "--skip", "settings"});
    EXPECT_EQ(idle.code, 0) << idle.out;
    EXPECT_NE(idle.out.find("pawl worker"), std::string::npos) << idle.out;
    start_worker();
    const auto busy = run({"doctor", "-o", "json", "--skip", "settings"});
    EXPECT_EQ(busy.code, 0);
    const auto findings = parse_json(busy.out).value();
    for (const auto& finding : findings.as_array()) {
        EXPECT_EQ(find(finding, "verdict")->as_string(), "ok") << busy.out;
    }
    const TestDatabase empty(TestDatabase::Content::empty);
    const auto sick = pawl({{"doctor"}, {{"DATABASE_URL", empty.url()}}});
    EXPECT_EQ(sick.code, 1);
    EXPECT_NE(sick.out.find("pawl migrate up"), std::string::npos) << sick.out;
    const auto gone = pawl({{"doctor"}, {{"DATABASE_URL", "postgresql://x@127.0.0.1:1/x"}}});
    EXPECT_EQ(gone.code, 1);
    EXPECT_NE(gone.out.find("fail"), std::string::npos) << gone.out;
}

}  // namespace
}  // namespace pawl::test
