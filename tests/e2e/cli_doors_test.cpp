#include "base/json.hpp"
#include "cli_program.hpp"
#include "support/database.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <regex>

// Every everyday command through both of its doors: on the database, and through a server's API.
namespace pawl::test {
namespace {

const char* const definitions[] = {
    "name: hello\nsteps: [{name: greet, code: echo, input: {text: 'Hi {{ name }}'}}]\n",
    "name: broken\nsteps: [{name: x, code: fail, retry: {attempts: 1}}]\n",
    "name: nap\nsteps: [{name: sleep, wait: 1h}]\n",
    "name: daily\ntriggers: [{cron: '0 9 * * *'}]\nsteps: [{name: greet, code: echo}]\n",
    "name: once\nreentry: once\nsteps: [{name: sleep, wait: 1h}]\n",
    "name: ask\nsteps: [{name: review, type: human, config: {title: 'Really?', assignee: ann}}]\n",
};

using Words = std::vector<std::string>;

// What differs from one run to the next is replaced by its kind.
std::string without_particulars(std::string text) {
    const std::pair<const char*, const char*> kinds[] = {
        {"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID"},
        {"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+Z?", "TIME"},
        {"[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?", "TIME"},
        {"[0-9.]+ ?(ms|s)\\b", "TOOK"},
        {"idempotency:ID:0", "KEY"},
        // A worker finds the next slot of a schedule when it looks.
        {"\"next_at\": (null|\"TIME\")", "NEXT"},
    };
    for (const auto& [pattern, kind] : kinds) {
        text = std::regex_replace(text, std::regex(pattern), kind);
    }
    return text;
}

class CliDoors : public testing::Test {
protected:
    CliDoors() {
        for (const char* definition : definitions) {
            const auto outcome = inside({"workflows", "apply", "-f", "-"}, definition);
            EXPECT_EQ(outcome.code, 0) << outcome.err;
        }
        const auto key = inside({"keys", "create", "--name", "k", "--scope", "admin", "-q"});
        key_ = key.out.substr(0, key.out.find('\n'));
        server_ = std::make_unique<Program>(Call{
            {"serve", "--listen", "127.0.0.1:0"}, {{"DATABASE_URL", database_.url()}}, ""});
        EXPECT_TRUE(eventually([this] { return !server_url().empty(); })) << server_->err();
        url_ = server_url();
    }
    std::string server_url() const {
        std::smatch found;
        const std::string log = server_->err();
        const bool said = std::regex_search(log, found, std::regex("url=(https?://[^ \n]+)"));
        return said ? found[1].str() : "";
    }
    Outcome inside(Words args, std::string input = "") const {
        return pawl({std::move(args), {{"DATABASE_URL", database_.url()}}, std::move(input)});
    }
    Outcome outside(Words args, std::string input = "") const {
        const Env env{{"PAWL_URL", url_}, {"PAWL_API_KEY", key_}};
        return pawl({std::move(args), env, std::move(input)});
    }
    // The same bytes and the same code.
    void expect_same(const Words& args, int code = 0) const {
        const auto here = inside(args);
        const auto there = outside(args);
        const std::string what = fmt::format("{}", fmt::join(args, " "));
        EXPECT_EQ(here.code, code) << what << "\n" << here.err;
        EXPECT_EQ(there.code, code) << what << "\n" << there.err;
        EXPECT_EQ(here.out, there.out) << what;
        EXPECT_EQ(here.err, there.err) << what;
    }
    // Of two runs, one for each door: the same but for ids and times.
    void expect_alike(const Words& here_args, const Words& there_args, int code = 0) const {
        const auto here = inside(here_args);
        const auto there = outside(there_args);
        const std::string what = fmt::format("{}", fmt::join(there_args, " "));
        EXPECT_EQ(here.code, code) << what << "\n" << here.err;
        EXPECT_EQ(there.code, code) << what << "\n" << there.err;
        EXPECT_EQ(without_particulars(here.out), without_particulars(there.out)) << what;
        EXPECT_EQ(without_particulars(here.err), without_particulars(there.err)) << what;
    }
    void expect_alike(const Words& args, int code = 0) const { expect_alike(args, args, code); }
    std::string started(const Words& args) const {
        const auto outcome = inside(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.out.substr(0, outcome.out.find('\n'));
    }
    std::string one_task() const {
        std::string id;
        EXPECT_TRUE(eventually([&] {
            const auto list = inside({"tasks", "list", "-o", "jsonl"});
            const auto task = parse_json(list.out.substr(0, list.out.find('\n')));
            id = task ? std::string(text_in(*task, "id")) : "";
            return !id.empty();
        }));
        return id;
    }
    void wait_until_waiting(const std::string& run) const {
        EXPECT_TRUE(eventually([&] {
            const auto listed = inside({"runs", "list", "--status", "waiting"});
            return listed.out.find(run) != std::string::npos;
        }));
    }
    std::string failed_run() const {
        const auto outcome = inside({"run", "broken", "--wait", "-o", "json"});
        EXPECT_EQ(outcome.code, 5) << outcome.err;
        return std::string(text_in(parse_json(outcome.out).value(), "id"));
    }

    TestDatabase database_;
    TempDir dir_;
    std::unique_ptr<Program> server_;
    std::string key_;
    std::string url_;
};

TEST_F(CliDoors, WhatIsLookedAtLooksTheSame) {
    const std::string nap = started({"run", "nap", "--subject", "ann"});
    const std::string broken = failed_run();
    started({"run", "ask"});
    const std::string task = one_task();
    started({"events", "send", "order.paid", "--key", "17", "--id", "e1", "--data", "{\"a\": 1.5}"}
    );
    started({"webhooks", "create", "--channel", "told"});
    const std::string file = dir_.file("hello.yaml", "name: hello\nsteps: [{name: a, wait: 1m}]\n");
    for (const Words& args : std::vector<Words>{
             {"runs", "list"},
             {"runs", "list", "--limit", "1"},
             {"runs", "list", "--status", "failed", "--workflow", "broken"},
             {"runs", "show", nap},
             {"runs", "show", broken},
             {"runs", "why", nap},
             {"runs", "why", broken},
             {"workflows", "list"},
             {"workflows", "show", "hello"},
             {"versions", "list", "hello"},
             {"versions", "history", "hello"},
             {"schedules", "list"},
             {"schedules", "show", "daily"},
             {"tasks", "list"},
             {"tasks", "show", task},
             {"dead-letters", "list"},
             {"events", "list"},
             {"jobs", "list"},
             {"limits", "list"},
             {"webhooks", "list"},
             {"webhooks", "show", "1"}}) {
        expect_same(args);
        for (const char* form : {"json", "jsonl", "yaml"}) {
            Words formed = args;
            formed.insert(formed.end(), {"-o", form});
            expect_same(formed);
        }
    }
    expect_same({"runs", "watch", broken}, 5);
    expect_same({"workflows", "diff", "-f", file}, 1);
    expect_same({"workflows", "validate", "-f", file});
    expect_same({"webhooks", "deliveries", "1"});
    expect_same({"versions", "diff", "hello", "1", "1"});
}

TEST_F(CliDoors, WhatIsRefusedIsRefusedTheSameWay) {
    const std::string unknown = "01890a5d-ac96-774b-bcce-b302099a8057";
    const std::string broken = failed_run();
    for (const auto& [args, code] : std::vector<std::pair<Words, int>>{
             {{"run", "helo"}, 6},
             {{"run", "hello"}, 2},
             {{"run", ""}, 2},
             {{"run", "nap", "--subject", ""}, 2},
             {{"run", "hello", "--version", "9", "--data", "{\"name\": 1}"}, 6},
             {{"runs", "list", "--workflow", "helo"}, 6},
             {{"runs", "show", unknown}, 6},
             {{"runs", "show", "nothing"}, 2},
             {{"runs", "why", unknown}, 6},
             {{"runs", "cancel", broken}, 8},
             {{"runs", "cancel", unknown}, 6},
             {{"runs", "signal", broken, "go"}, 8},
             {{"runs", "signal", broken, ""}, 2},
             {{"runs", "skip", broken, "--node", "x", "--reason", "r"}, 8},
             {{"runs", "rerun", broken, "--from", "nosuch"}, 2},
             {{"runs", "retry", unknown}, 6},
             {{"workflows", "show", "helo"}, 6},
             {{"versions", "list", "helo"}, 6},
             {{"versions", "activate", "hello", "7"}, 6},
             {{"versions", "activate", "helo", "1"}, 6},
             {{"schedules", "pause", "99"}, 6},
             {{"schedules", "show", "hello"}, 6},
             {{"tasks", "show", unknown}, 6},
             {{"jobs", "show", unknown}, 6},
             {{"dead-letters", "replay", unknown}, 6},
             {{"events", "send", "pawl.task.opened"}, 2},
             {{"limits", "set", "nosuch", "3", "--workflow", "hello"}, 6},
             {{"webhooks", "show", "7"}, 6}}) {
        expect_same(args, code);
        Words machine = args;
        machine.insert(machine.end(), {"-o", "json"});
        expect_same(machine, code);
    }
}

TEST_F(CliDoors, WhatIsDoneIsDoneAndToldAlike) {
    const std::string name = R"({"name": "Ada"})";
    expect_alike({"run", "hello", "--data", name});
    expect_alike({"run", "hello", "--data", name, "-o", "json"});
    expect_alike({"run", "broken", "--wait", "-q"}, 5);
    expect_alike({"run", "nap", "--delay", "10m", "--priority", "3", "--subject", "ann"});
    started({"run", "nap", "--correlation", "once"});
    expect_same({"run", "nap", "--correlation", "once"});
    started({"run", "once", "--subject", "bob", "--data", R"({"a": 1})"});
    expect_same({"run", "once", "--subject", "bob", "--data", R"({"a": 2})"});
    const auto pair = [this] {
        return std::pair(started({"run", "nap"}), started({"run", "nap"}));
    };
    for (const Words& tail : std::vector<Words>{{"pause"}, {"resume"}, {"cancel"}}) {
        const auto [a, b] = pair();
        expect_alike({"runs", tail[0], a}, {"runs", tail[0], b});
    }
    const auto [a, b] = pair();
    expect_alike({"runs", "signal", a, "go", "--early"}, {"runs", "signal", b, "go", "--early"});
    const std::string c = failed_run();
    const std::string d = failed_run();
    expect_alike({"runs", "retry", c}, {"runs", "retry", d});
    expect_alike({"runs", "rerun", c}, {"runs", "rerun", d});
    expect_alike({"runs", "rerun", c, "--from", "x"}, {"runs", "rerun", d, "--from", "x"});
    const std::string e = failed_run();
    const std::string f = failed_run();
    expect_alike({"dead-letters", "replay", e}, {"dead-letters", "replay", f});
    expect_alike({"events", "send", "order.paid", "--key", "17"});
    expect_alike({"schedules", "pause", "daily"});
    expect_alike({"schedules", "resume", "daily", "-o", "json"});
    expect_alike({"schedules", "trigger", "daily"});
    const Words backfill{"schedules", "backfill", "daily", "--from", "2026-03-01", "--to"};
    for (const char* to : {"2026-03-03", "2026-03-05"}) {
        Words args = backfill;
        args.insert(args.end(), {to, "--wait"});
        const auto filled = outside(args);
        EXPECT_EQ(filled.code, 0) << filled.err;
        EXPECT_NE(filled.err.find("slots from"), std::string::npos) << filled.err;
    }
    expect_alike({"runs", "bulk", "pause", "--workflow", "nap", "--dry-run"});
    expect_alike({"runs", "bulk", "pause", "--workflow", "nap", "--yes"});
    started({"run", "ask"});
    const std::string task = one_task();
    expect_alike({"tasks", "claim", task, "--by", "ann"});
    const std::string file = dir_.file("new.yaml", "name: new\nsteps: [{name: a, wait: 1m}]\n");
    const auto first = outside({"workflows", "apply", "-f", file});
    EXPECT_EQ(first.out, "new  v1  published\n") << first.err;
    expect_same({"workflows", "apply", "-f", file});
}

TEST_F(CliDoors, AWorkflowIsDeletedAndSaysWhatWent) {
    const std::string run = started({"run", "nap"});
    expect_same({"workflows", "delete", "nap"}, 8);
    expect_same({"workflows", "delete", "nab"}, 6);
    const auto gone = outside({"workflows", "delete", "daily"});
    EXPECT_EQ(gone.code, 0) << gone.err;
    EXPECT_EQ(gone.out, "daily\n");
    EXPECT_NE(gone.err.find("1 schedule"), std::string::npos) << gone.err;
    EXPECT_EQ(inside({"schedules", "list", "-o", "jsonl"}).out, "");
    const auto cancelled = inside({"workflows", "delete", "nap", "--cancel-runs"});
    EXPECT_EQ(cancelled.code, 0) << cancelled.err;
    EXPECT_EQ(outside({"runs", "watch", run}).code, 5);
    expect_same({"runs", "show", run});
    expect_same({"versions", "list", "nap"});
    EXPECT_EQ(inside({"run", "nap"}).code, 6);
}

TEST_F(CliDoors, AStepOfARunThatWasMovedGoesByItsNameOfNow) {
    const auto apply = [this](const std::string& step) {
        const auto applied = inside(
            {"workflows", "apply", "-f", "-"},
            "name: moved\nsteps: [{name: " + step + ", code: echo}, {name: w, wait: 1h}]\n"
        );
        EXPECT_EQ(applied.code, 0) << applied.err;
    };
    apply("old");
    const std::string run = started({"run", "moved"});
    wait_until_waiting(run);
    apply("renamed");
    const auto moved =
        inside({"versions", "migrate", "moved", "--to", "2", "--map", "old=renamed", "--yes"});
    EXPECT_EQ(moved.code, 0) << moved.err;
    EXPECT_TRUE(eventually([&] {
        const auto shown = parse_json(inside({"runs", "show", run, "-o", "json"}).out);
        return shown && whole_number(find(*shown, "version")) == 2;
    }));
    expect_alike({"runs", "rerun", run, "--from", "renamed"});
    expect_same({"runs", "rerun", run, "--from", "old"}, 2);
}

TEST_F(CliDoors, ARerunIsAStartThatLimitsHoldFor) {
    const std::string nap = started({"run", "nap"});
    wait_until_waiting(nap);
    EXPECT_EQ(inside({"tenants", "limit", "default", "--open-runs", "1"}).code, 0);
    const auto refused = inside({"runs", "rerun", nap});
    EXPECT_NE(refused.err.find("may have 1 open runs"), std::string::npos) << refused.err;
    expect_same({"runs", "rerun", nap}, 8);
    expect_same({"runs", "rerun", nap, "--from", "sleep"}, 8);
}

TEST_F(CliDoors, AClosedTaskSaysSoWhateverItsFormAsksFor) {
    const auto applied = inside(
        {"workflows", "apply", "-f", "-"},
        "name: fill\nsteps: [{name: sum, type: human, config: {title: 'How much?', assignee: ann, "
        "form: {type: object, required: [n]}}}]\n"
    );
    EXPECT_EQ(applied.code, 0) << applied.err;
    started({"run", "fill"});
    const std::string task = one_task();
    const Words empty{"tasks", "approve", task, "--by", "ann", "--data", "{}"};
    expect_same(empty, 2);
    EXPECT_EQ(inside({"tasks", "approve", task, "--by", "ann", "--data", "{\"n\": 1}"}).code, 0);
    expect_same(empty, 8);
}

TEST_F(CliDoors, AnOptionWinsOverAVariableAndAUrlOverADatabase) {
    const Env both{
        {"PAWL_URL", "http://127.0.0.1:1"},
        {"PAWL_API_KEY", key_},
        {"DATABASE_URL", database_.url()}};
    const auto led = pawl({{"runs", "list"}, both, ""});
    EXPECT_EQ(led.code, 1) << led.out;
    EXPECT_NE(led.err.find("http://127.0.0.1:1 does not answer"), std::string::npos) << led.err;
    EXPECT_EQ(pawl({{"runs", "list", "--url", url_}, both, ""}).code, 0);
    EXPECT_EQ(pawl({{"runs", "list", "--database-url", database_.url()}, both, ""}).code, 0);
    // What works on the database takes it where both are given.
    EXPECT_EQ(pawl({{"keys", "list"}, both, ""}).code, 0);
}

TEST_F(CliDoors, WhatNeedsTheDatabaseSaysSo) {
    for (const Words& args : std::vector<Words>{
             {"migrate", "status"},
             {"doctor"},
             {"keys", "list"},
             {"tenants", "list"},
             {"worker"}}) {
        const auto refused = outside(args);
        EXPECT_EQ(refused.code, 2) << args[0] << refused.err;
        EXPECT_NE(refused.err.find("works on the database itself"), std::string::npos)
            << refused.err;
        EXPECT_NE(refused.err.find("DATABASE_URL"), std::string::npos) << refused.err;
    }
}

TEST_F(CliDoors, ARefusedCallerIsToldWhy) {
    const auto keyless = pawl({{"runs", "list"}, {{"PAWL_URL", url_}}, ""});
    EXPECT_EQ(keyless.code, 4);
    EXPECT_NE(keyless.err.find("PAWL_API_KEY"), std::string::npos) << keyless.err;
    const auto reader = inside({"keys", "create", "--name", "r", "--scope", "runs:read", "-q"});
    const std::string key = reader.out.substr(0, reader.out.find('\n'));
    const auto refused = pawl({{"run", "nap", "--url", url_, "--api-key", key}, {}, ""});
    EXPECT_EQ(refused.code, 4);
    EXPECT_NE(refused.err.find("runs:write"), std::string::npos) << refused.err;
    EXPECT_EQ(pawl({{"runs", "list", "--url", "ftp://x"}, {}, ""}).code, 2);
    EXPECT_EQ(outside({"runs", "list", "--tenant", "other"}).code, 2);
    // With a database at hand, that is what is asked for a tenant.
    const Env both{{"PAWL_URL", url_}, {"PAWL_API_KEY", key_}, {"DATABASE_URL", database_.url()}};
    EXPECT_EQ(pawl({{"runs", "list", "--tenant", "default"}, both, ""}).code, 0);
    EXPECT_EQ(pawl({{"runs", "list", "--tenant", "other"}, both, ""}).code, 6);
    EXPECT_EQ(outside({"runs", "list", "--url", url_, "--database-url", "postgresql://x"}).code, 2);
}

TEST_F(CliDoors, APartOfAnIdNamesARun) {
    const std::string id = started({"run", "nap"});
    const std::string end = id.substr(id.size() - 12);
    EXPECT_EQ(inside({"runs", "why", end}).out, inside({"runs", "why", id}).out);
    EXPECT_EQ(outside({"runs", "why", end}).out, inside({"runs", "why", id}).out);
    EXPECT_EQ(inside({"runs", "why", id.substr(0, 23)}).out, inside({"runs", "why", id}).out);
    const std::string other = started({"run", "nap"});
    const auto both = inside({"runs", "cancel", id.substr(0, 8)});
    if (other.substr(0, 8) == id.substr(0, 8)) {
        EXPECT_EQ(both.code, 2);
        EXPECT_NE(both.err.find(id), std::string::npos) << both.err;
        EXPECT_NE(both.err.find(other), std::string::npos) << both.err;
    }
    EXPECT_EQ(inside({"runs", "show", "ffffffffffff"}).code, 6);
    EXPECT_EQ(inside({"runs", "show", end.substr(0, 7)}).code, 2);
}

TEST_F(CliDoors, ACallerThatWaitsForARunSeesItsSteps) {
    const auto waited = outside({"run", "hello", "--data", R"({"name": "Ada"})", "--wait"});
    EXPECT_EQ(waited.code, 0) << waited.err;
    EXPECT_NE(waited.err.find("greet"), std::string::npos) << waited.err;
    EXPECT_NE(waited.err.find("completed"), std::string::npos) << waited.err;
    EXPECT_EQ(waited.out.find("greet  "), std::string::npos) << waited.out;
    const auto quiet = outside({"run", "hello", "--data", R"({"name": "Ada"})", "--wait", "-q"});
    EXPECT_EQ(quiet.err, "");
}

}  // namespace
}  // namespace pawl::test
