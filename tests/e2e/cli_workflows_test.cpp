#include "base/json.hpp"
#include "cli_program.hpp"
#include "support/database.hpp"

#include <fmt/core.h>
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

TEST_F(CliWorkflows, ApplyPublishesAndThenChangesNothing) {
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

TEST_F(CliWorkflows, ApplyTakesStdinSeveralFilesAndFolders) {
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

TEST_F(CliWorkflows, APlanInCppShowsOnlyWhatIsKnown) {
    database_.session().value(
        "select version::text from pawl.apply_workflow('twice', '{\"name\": \"twice\", \"code\": "
        "\"1.0.0\", \"nodes\": [{\"id\": \"work\", \"type\": \"code\"}, {\"id\": \"rest\", "
        "\"type\": \"wait\"}]}')"
    );
    const auto shown = run({"workflows", "show", "twice"});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_EQ(shown.out.find("(end)"), std::string::npos) << shown.out;
    EXPECT_NE(shown.out.find("C++ code, version 1.0.0"), std::string::npos) << shown.out;
    const auto drawn = run({"workflows", "show", "twice", "--graph"});
    EXPECT_NE(drawn.err.find("its plan"), std::string::npos) << drawn.err;
}

TEST_F(CliWorkflows, ANumberThatWouldBeRoundedIsRefused) {
    const auto outcome =
        run({"workflows", "apply", "-f", "-"},
            "name: x\nsteps: [{name: a, code: echo, input: {id: 12345678901234567890123}}]\n");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("put it in quotes"), std::string::npos) << outcome.err;
    EXPECT_EQ(count(), "0");
}

TEST_F(CliWorkflows, AMalformedDefinitionIsRefusedWithFileLineAndPath) {
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

TEST_F(CliWorkflows, FilesThatCannotBeUsed) {
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

TEST_F(CliWorkflows, ListAndShow) {
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

TEST_F(CliWorkflows, ValidateSaysAllThatIsWrongWithoutADatabase) {
    const std::string good = dir_.file("good.yaml", hello);
    const auto fine = pawl({{"workflows", "validate", "-f", good}, {}, ""});
    EXPECT_EQ(fine.code, 0) << fine.err;
    EXPECT_EQ(fine.out, "");
    const std::string bad = dir_.file("bad.yaml", R"(name: bad
timeout: soon
steps:
  - {name: x, code: noop, timout: 5s}
)");
    const auto wrong = pawl({{"workflows", "validate", "-f", dir_.path().string()}, {}, ""});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_EQ(
        wrong.out,
        bad +
            ":2: timeout: 'soon' is not a duration: write it like \"30s\", \"5m\", \"1h30m\", "
            "\"2d\" or \"PT5M\"\n" +
            bad + ":4: steps[0].timout: unknown key, did you mean 'timeout'? (in 'x')\n"
    );
    EXPECT_EQ(wrong.err, "2 problems in 2 files\n");
    const auto json = pawl({{"workflows", "validate", "-f", bad, "-o", "json"}, {}, ""});
    EXPECT_EQ(json.code, 2);
    const auto list = parse_json(json.out).value();
    EXPECT_EQ(find(list.as_array().at(1), "line")->as_int64(), 4);
    EXPECT_EQ(find(list.as_array().at(1), "path")->as_string(), "steps[0].timout");
    dir_.file("bad.yaml", hello);
    const auto twice = pawl({{"workflows", "validate", "-f", dir_.path().string()}, {}, ""});
    EXPECT_NE(twice.out.find("'hello' is defined in"), std::string::npos) << twice.out;
    EXPECT_EQ(pawl({{"workflows", "validate", "-f", "/nowhere.yaml"}, {}, ""}).code, 2);
}

TEST_F(CliWorkflows, DiffAgainstWhatIsPublished) {
    const std::string file = dir_.file("hello.yaml", hello);
    const auto fresh = run({"workflows", "diff", "-f", file});
    EXPECT_EQ(fresh.code, 1);
    EXPECT_NE(fresh.out.find("hello is new"), std::string::npos) << fresh.out;
    run({"workflows", "apply", "-f", file});
    const auto same = run({"workflows", "diff", "-f", file});
    EXPECT_EQ(same.code, 0) << same.err;
    EXPECT_EQ(same.out, "");
    dir_.file(
        "hello.yaml",
        "name: hello\ndescription: Greets.\ntimeout: 5m\nsteps:\n"
        "  - {name: greet, code: echo, input: {greeting: 'Hi'}}\n  - {name: done, code: noop}\n"
    );
    const auto changed = run({"workflows", "diff", "-f", file});
    EXPECT_EQ(changed.code, 1);
    EXPECT_EQ(
        changed.out,
        "hello v1 → " + file +
            "\n  + timeout: \"5m\"\n  + node done (code)\n  ~ node greet\n"
            "      - config.input.greeting: \"Hello, {{ name }}!\"\n"
            "      + config.input.greeting: \"Hi\"\n  + edge greet → done\n"
    );
    const auto json = parse_json(run({"workflows", "diff", "-f", file, "-o", "json"}).out).value();
    EXPECT_FALSE(find(json.as_array().at(0), "same")->as_bool());
    const auto* nodes = find(*find(json.as_array().at(0), "diff"), "nodes");
    EXPECT_EQ(find(*nodes, "changed")->as_array().size(), 1U);
}

TEST_F(CliWorkflows, ShowAsTextThatCanBeAppliedAgain) {
    run({"workflows", "apply", "-f", "-"}, hello);
    const auto yaml = run({"workflows", "show", "hello", "-o", "yaml"});
    EXPECT_EQ(yaml.code, 0) << yaml.err;
    EXPECT_TRUE(yaml.out.starts_with("name: hello\ndescription: Greets.\nnodes:\n")) << yaml.out;
    const std::string file = dir_.file("again.yaml", yaml.out);
    EXPECT_EQ(run({"workflows", "diff", "-f", file}).code, 0);
    EXPECT_EQ(run({"workflows", "show", "-f", file, "-o", "yaml"}).out, yaml.out);
}

TEST_F(CliWorkflows, ShowADrawing) {
    const std::string file = dir_.file("hello.yaml", hello);
    const std::string drawn = "┌───────────┐\n│ greet     │\n│ code echo │\n└───────────┘\n";
    EXPECT_EQ(pawl({{"workflows", "show", "-f", file, "--graph"}, {}, ""}).out, drawn);
    run({"workflows", "apply", "-f", file});
    EXPECT_EQ(run({"workflows", "show", "hello", "--graph"}).out, drawn);
    const auto mermaid = run({"workflows", "show", "hello", "--graph", "--format", "mermaid"});
    EXPECT_TRUE(mermaid.out.starts_with("flowchart TD\n")) << mermaid.out;
    const auto svg = run({"workflows", "show", "hello", "--graph", "--format", "svg"});
    EXPECT_TRUE(svg.out.starts_with("<svg ")) << svg.out;
    EXPECT_EQ(run({"workflows", "show", "--graph"}).code, 2);
    EXPECT_EQ(run({"workflows", "show", "hello", "-f", file}).code, 2);
    EXPECT_EQ(run({"workflows", "show", "hello", "--format", "svg"}).code, 2);
}

TEST(CliNew, AWorkflowIsWrittenOnceAndNeverOverSomething) {
    TempDir dir;
    const std::string folder = (dir.path() / "flows").string();
    for (const char* kind : {"steps", "approval", "etl", "event", "nightly"}) {
        const auto made =
            pawl({{"new", "workflow", kind, "--template", kind, "--dir", folder}, {}, ""});
        EXPECT_EQ(made.code, 0) << made.err;
        EXPECT_EQ(made.out, fmt::format("{}/{}.yaml\n", folder, kind));
    }
    const auto valid = pawl({{"workflows", "validate", "-f", folder}, {}, ""});
    EXPECT_EQ(valid.code, 0) << valid.out << valid.err;
    const auto taken = pawl({{"new", "workflow", "etl", "--dir", folder}, {}, ""});
    EXPECT_EQ(taken.code, 8);
    EXPECT_NE(taken.err.find("etl.yaml already"), std::string::npos) << taken.err;
    for (const char* name : {"", "a b\nc: d", "../up", "a/b"}) {
        EXPECT_EQ(pawl({{"new", "workflow", name, "--dir", folder}, {}, ""}).code, 2) << name;
    }
    EXPECT_EQ(pawl({{"new", "workflow", "x", "--template", "nosuch"}, {}, ""}).code, 2);
}

}  // namespace
}  // namespace pawl::test
