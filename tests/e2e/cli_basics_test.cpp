#include "base/json.hpp"
#include "cli_program.hpp"
#include "support/database.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>

namespace pawl::test {
namespace {

using testing::Test;

std::string error_code(const std::string& err) {
    const auto document = parse_json(err);
    if (!document) return "not JSON: " + err;
    const auto* error = find(*document, "error");
    const auto* code = error == nullptr ? nullptr : find(*error, "code");
    return code == nullptr ? "no code" : std::string(code->as_string());
}

TEST(CliBasics, VersionIsTheProjects) {
    std::ifstream file(PAWL_SOURCE_DIR "/CMakeLists.txt");
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::smatch match;
    ASSERT_TRUE(std::regex_search(text, match, std::regex(R"(project\(pawl VERSION ([\d.]+))")));
    const auto outcome = pawl({{"version"}});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.out.find("pawl " + match[1].str() + " "), 0u) << outcome.out;
    EXPECT_EQ(outcome.err, "");
}

TEST(CliBasics, VersionAsJson) {
    const auto outcome = pawl({{"-o", "json", "version"}});
    const auto document = parse_json(outcome.out);
    ASSERT_TRUE(document);
    EXPECT_NE(find(*document, "version"), nullptr);
}

TEST(CliBasics, HelpGoesToStdoutAndHasExamples) {
    for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
             {},
             {"--help"},
             {"run", "--help"},
             {"runs", "list", "--help"},
             {"workflows", "apply", "--help"},
             {"dev", "--help"}}) {
        const auto outcome = pawl({args});
        EXPECT_EQ(outcome.code, 0);
        EXPECT_EQ(outcome.err, "");
        EXPECT_NE(outcome.out.find("Examples:"), std::string::npos) << outcome.out;
    }
}

TEST(CliBasics, AWrongWordIsRefusedWithASuggestion) {
    struct Case {
        std::vector<std::string> args;
        std::string words;
    };
    for (const Case& wrong : std::vector<Case>{
             {{"workflow"}, "did you mean 'workflows'?"},
             {{"runs", "lst"}, "did you mean 'list'?"},
             {{"runs", "list", "--limt", "3"}, "did you mean '--limit'?"},
             {{"runs"}, "list, show, why, retry, rerun, watch, cancel"},
             {{"runs", "list", "--limit", "5", "--limit", "6"}, "--limit may be given only once"},
             {{"runs", "list", "-o"}, "--output needs a value: table|json|jsonl|yaml"},
             {{"help", "runz"}, "did you mean 'run"},
             {{"run"}, "NAME is required"},
             {{"runs", "list", "--limit", "0"}, "from 1 to 1000"},
             {{"runs", "list", "--status", "done"}, "completed"},
             {{"run", "x", "--timeout", "soon"}, "--timeout"},
             {{"-o", "xml", "runs", "list"}, "table|json|jsonl"},
             {{"dev", "--listen", "8080"}, "HOST:PORT"},
             {{"worker", "--threads", "many"}, "--threads"},
             {{"dev", "--ephemeral", "--data-dir", "x"}, "excludes"}}) {
        const auto outcome = pawl({wrong.args});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_NE(outcome.err.find(wrong.words), std::string::npos) << outcome.err;
    }
}

TEST(CliBasics, ErrorsComeAsJsonWhenAskedFor) {
    const auto outcome = pawl({{"runs", "list", "--limt", "3", "-o", "json"}});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(error_code(outcome.err), "invalid");
}

TEST(CliBasics, NoEscapeCodesWithoutATerminal) {
    const auto outcome = pawl({{"runz"}, {{"TERM", "xterm"}}});
    EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
    const auto forced = pawl({{"runz"}, {{"FORCE_COLOR", "1"}}});
    EXPECT_NE(forced.err.find('\x1b'), std::string::npos);
    const auto both = pawl({{"runz"}, {{"FORCE_COLOR", "1"}, {"NO_COLOR", "1"}}});
    EXPECT_EQ(both.err.find('\x1b'), std::string::npos);
}

TEST(CliDatabase, OneThatCannotBeReached) {
    const Env nowhere{{"DATABASE_URL", "postgresql://x@127.0.0.1:1/x"}};
    const auto outcome = pawl({{"runs", "list"}, nowhere});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("DATABASE_URL"), std::string::npos) << outcome.err;
    const auto machine = pawl({{"-o", "json", "runs", "list"}, nowhere});
    EXPECT_EQ(machine.code, 1);
    EXPECT_EQ(error_code(machine.err), "unavailable");
}

TEST(CliDatabase, AUrlThatIsNone) {
    const auto outcome = pawl({{"--database-url", "postgresql://[x", "runs", "list"}});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
}

TEST(CliDatabase, AUserThatIsNotLetIn) {
    const TestDatabase database;
    std::string url = database.url();
    url += (url.find('?') == std::string::npos ? "?" : "&") + std::string("user=nobody_here");
    const auto outcome = pawl({{"--database-url", url, "runs", "list"}});
    EXPECT_EQ(outcome.code, 4) << outcome.err;
}

TEST(CliDatabase, WithoutTablesItSaysWhatToDo) {
    const TestDatabase database(TestDatabase::Content::empty);
    for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
             {"runs", "list"}, {"run", "hello"}, {"worker"}, {"workflows", "list"}}) {
        const auto outcome = pawl({args, {{"DATABASE_URL", database.url()}}});
        EXPECT_EQ(outcome.code, 1);
        EXPECT_NE(outcome.err.find("pawl migrate up"), std::string::npos) << outcome.err;
    }
}

TEST(CliDatabase, TheOptionGoesBeforeTheEnvironmentAndThatBeforeDevEnv) {
    const TestDatabase database;
    const TempDir dir;
    const std::string nowhere = "postgresql://x@127.0.0.1:1/x";
    const Env env{{"DATABASE_URL", nowhere}};
    EXPECT_EQ(pawl({{"--database-url", database.url(), "runs", "list"}, env}).code, 0);

    dir.file(".pawl/dev.env", "# comment\nDATABASE_URL=" + database.url() + "\n");
    EXPECT_EQ(pawl({{"runs", "list"}, env}, dir.path()).code, 1);
    const auto found = pawl({{"runs", "list"}}, dir.path());
    EXPECT_EQ(found.code, 0) << found.err;
    EXPECT_NE(found.err.find(".pawl/dev.env"), std::string::npos);
    EXPECT_EQ(pawl({{"-q", "runs", "list"}}, dir.path()).err.find("dev.env"), std::string::npos);
}

TEST(CliMigrate, MakesTheTablesOnce) {
    const TestDatabase database(TestDatabase::Content::empty);
    const Env env{{"DATABASE_URL", database.url()}};
    const auto before = pawl({{"migrate", "status"}, env});
    EXPECT_EQ(before.code, 0) << before.err;
    EXPECT_NE(before.out.find("pending"), std::string::npos);
    EXPECT_NE(before.err.find("pawl migrate up"), std::string::npos);
    const auto up = pawl({{"migrate", "up", "-q"}, env});
    EXPECT_EQ(up.code, 0) << up.err;
    EXPECT_EQ(up.err, "") << "quiet is quiet";
    EXPECT_NE(up.out.find("applied"), std::string::npos);
    const auto again = pawl({{"migrate", "up", "-o", "json"}, env});
    EXPECT_EQ(again.code, 0);
    EXPECT_EQ(find(parse_json(again.out).value(), "applied")->as_int64(), 0);
    const auto after = pawl({{"migrate", "status", "-o", "json"}, env});
    const auto list = parse_json(after.out).value();
    for (const auto& one : list.as_array()) {
        EXPECT_TRUE(find(one, "applied_at")->is_string());
    }
}

TEST(CliMigrate, PrintsSqlWithoutADatabase) {
    const auto outcome = pawl({{"migrate", "sql"}});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_NE(outcome.out.find("create table pawl.event"), std::string::npos);
}

}  // namespace
}  // namespace pawl::test
