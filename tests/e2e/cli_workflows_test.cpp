#include "base/json.hpp"
#include "cli_program.hpp"
#include "support/database.hpp"

#include <gtest/gtest.h>

namespace pawl::test {
namespace {

const char* const hello = R"(name: hello
description: Greets.
steps:
  - name: greet
    code: echo
    input: {greeting: 'Hello, {{ name }}!'}
)";

class CliWorkflows : public testing::Test {
protected:
    Outcome run(std::vector<std::string> args, std::string input = "") {
        return pawl({std::move(args), {{"DATABASE_URL", database_.url()}}, std::move(input)});
    }
    std::string count() {
        return database_.session().value("select count(*)::text from pawl.workflow_version");
    }

    TestDatabase database_;
    TempDir dir_;
};

TEST_F(CliWorkflows, apply_publishes_and_then_changes_nothing) {
    const std::string file = dir_.file("hello.yaml", hello);
    const auto first = run({"workflows", "apply", "-f", file});
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_NE(first.out.find("published"), std::string::npos);
    const auto second = run({"workflows", "apply", "-f", file});
    EXPECT_NE(second.out.find("unchanged"), std::string::npos);
    EXPECT_EQ(count(), "1");
    dir_.file("hello.yaml", std::string(hello) + "  - {name: done, code: noop}\n");
    const auto third = run({"workflows", "apply", "-f", file, "-o", "json"});
    const auto list = parse_json(third.out).value();
    EXPECT_EQ(find(list.as_array().at(0), "version")->as_int64(), 2);
    EXPECT_TRUE(find(list.as_array().at(0), "changed")->as_bool());
}

TEST_F(CliWorkflows, apply_takes_stdin_several_files_and_folders) {
    EXPECT_EQ(run({"workflows", "apply", "-f", "-"}, hello).code, 0);
    const std::string one =
        dir_.file("a.json", R"({"name":"a","steps":[{"name":"x","code":"noop"}]})");
    const std::string two = dir_.file("b.yml", "name: b\nsteps: [{name: x, code: noop}]\n");
    const auto both = run({"workflows", "apply", "-f", one, "-f", two});
    EXPECT_EQ(both.code, 0) << both.err;
    const auto folder = run({"workflows", "apply", "-f", dir_.path().string()});
    EXPECT_EQ(folder.code, 0) << folder.err;
    EXPECT_EQ(count(), "3");
}

TEST_F(CliWorkflows, a_malformed_definition_is_refused_with_file_line_and_path) {
    const std::string good = dir_.file("good.yaml", hello);
    const std::string bad = dir_.file("bad.yaml", R"(name: bad
steps:
  - name: x
    code: noop
    retry:
      attempts: many
)");
    const auto outcome = run({"workflows", "apply", "-f", good, "-f", bad});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("bad.yaml: line 6"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("steps[0].retry.attempts"), std::string::npos) << outcome.err;
    EXPECT_EQ(count(), "0") << "the good one must not be written either";
}

TEST_F(CliWorkflows, files_that_cannot_be_used) {
    EXPECT_EQ(run({"workflows", "apply", "-f", "/nowhere.yaml"}).code, 2);
    EXPECT_EQ(run({"workflows", "apply", "-f", dir_.path().string()}).code, 2);
    EXPECT_EQ(run({"workflows", "apply", "-f", "-"}, "").code, 2);
    EXPECT_EQ(run({"workflows", "apply", "-f", "-"}, std::string(1100000, '#')).code, 2);
    const std::string one = dir_.file("a.yaml", hello);
    const std::string two = dir_.file("b.yaml", hello);
    const auto twice = run({"workflows", "apply", "-f", one, "-f", two});
    EXPECT_EQ(twice.code, 2);
    EXPECT_NE(twice.err.find("both define 'hello'"), std::string::npos) << twice.err;
    EXPECT_EQ(count(), "0");
}

TEST_F(CliWorkflows, list_and_show) {
    const auto none = run({"workflows", "list"});
    EXPECT_EQ(none.code, 0);
    EXPECT_EQ(none.out, "");
    EXPECT_EQ(run({"workflows", "list", "-o", "json"}).out, "[]\n");
    run({"workflows", "apply", "-f", "-"}, hello);
    EXPECT_NE(run({"workflows", "list"}).out.find("hello"), std::string::npos);
    const auto list = parse_json(run({"workflows", "list", "-o", "json"}).out).value();
    EXPECT_EQ(find(list.as_array().at(0), "name")->as_string(), "hello");
    const auto show = run({"workflows", "show", "hello"});
    EXPECT_EQ(show.code, 0);
    EXPECT_NE(show.out.find("greet"), std::string::npos);
    const auto whole = parse_json(run({"workflows", "show", "hello", "-o", "json"}).out).value();
    EXPECT_NE(find(*find(whole, "definition"), "nodes"), nullptr);
    const auto missing = run({"workflows", "show", "helo"});
    EXPECT_EQ(missing.code, 6);
    EXPECT_NE(missing.err.find("did you mean 'hello'?"), std::string::npos) << missing.err;
}

}  // namespace
}  // namespace pawl::test
