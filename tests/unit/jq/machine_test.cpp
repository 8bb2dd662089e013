#include "jq/machine.hpp"

#include <gtest/gtest.h>

namespace pawl::jq {
namespace {

// Only programs that do no harm to the process they run in; the others are tried on a Pool.
std::string run(std::string_view program, std::string_view input = "null") {
    Machine machine;
    const Reply reply = machine.run(program, input);
    switch (reply.answer) {
        case Answer::done: return reply.text;
        case Answer::failed: return "failed: " + reply.text;
        case Answer::invalid: return "invalid: " + reply.text;
        case Answer::too_large: return "too large";
        case Answer::out_of_memory: return "out of memory";
    }
    return "?";
}

TEST(JqMachine, GivesTheFirstOutput) {
    EXPECT_EQ(run(".a", R"({"a": [1, "x", null, true]})"), R"([1,"x",null,true])");
    EXPECT_EQ(run("1, 2, error"), "1");
    EXPECT_EQ(run("empty"), "");
    EXPECT_EQ(run("halt"), "");
    EXPECT_EQ(run(".[] | select(. > 1)", "[1, 2, 3]"), "2");
    EXPECT_EQ(
        run("{total: (map(.price * .n) | add)}", R"([{"price": 2.5, "n": 3}])"), R"({"total":7.5})"
    );
    EXPECT_EQ(run(".", "\"h\\u00e9 \xF0\x9F\x98\x80\""), "\"h\xC3\xA9 \xF0\x9F\x98\x80\"");
}

TEST(JqMachine, AnErrorIsToldAsJqTellsIt) {
    EXPECT_EQ(run(".a.b", R"({"a": []})"), "failed: Cannot index array with string \"b\"");
    EXPECT_EQ(run("error(\"no stock\")"), "failed: no stock");
    EXPECT_EQ(run("error({code: 7})"), R"(failed: error: {"code":7})");
    EXPECT_EQ(run("\"gone\" | halt_error"), "failed: gone");
    EXPECT_EQ(run("1 % 0").substr(0, 8), "failed: ");
    EXPECT_TRUE(run(".", "{\"a\":").starts_with("failed: the input cannot be read: Unfinished"));
}

TEST(JqMachine, AProgramThatDoesNotCompileSaysWhere) {
    EXPECT_EQ(
        run(".a |\n ]"),
        "invalid: syntax error, unexpected INVALID_CHARACTER at <top-level>, line 2:\n ]"
    );
    EXPECT_EQ(run("nope(1)"), "invalid: nope/1 is not defined at <top-level>, line 1:\nnope(1)");
    EXPECT_EQ(run("$x"), "invalid: $x is not defined at <top-level>, line 1:\n$x");
    EXPECT_EQ(run(std::string_view("1\0+", 3)), "invalid: a program cannot hold U+0000");
}

TEST(JqMachine, ThereAreNoFiles) {
    for (const char* program :
         {"import \"a\" as a; .",
          "include \"a\"; .",
          "module {}; .",
          "# a note\n\r\t import \"passwd\" as $p {search: \"/etc\"}; $p",
          "#\n#\nimport\"a\"as a;."}) {
        EXPECT_TRUE(begins_with_import(program)) << program;
        EXPECT_TRUE(run(program).starts_with("invalid: import, include")) << program;
    }
    for (const char* program : {"", "#import", ".import", "{import: 1}", "importx", "\"import\""}) {
        EXPECT_FALSE(begins_with_import(program)) << program;
    }
    EXPECT_TRUE(run("input").starts_with("failed: "));
    EXPECT_EQ(run("[inputs]"), "[]");
    EXPECT_EQ(run("debug", "[1]"), "[1]");
    EXPECT_TRUE(run("\"a\" | modulemeta").starts_with("failed: "));
    EXPECT_EQ(run("input_filename"), "null");
}

TEST(JqMachine, OutputHasALimit) {
    EXPECT_EQ(run("[limit(200000; repeat(\"abcdefgh\"))]"), "too large");
    EXPECT_EQ(run("[limit(20000; repeat(\"abcdefgh\"))] | length"), "20000");
    EXPECT_EQ(run("error([limit(20000; repeat(\"abcdefgh\"))])").size(), 4000 + 8);
}

TEST(JqMachine, ProgramsUsedLastStayCompiled) {
    constexpr std::size_t most = 3;
    Machine machine(nullptr, most);
    for (std::size_t i = 0; i <= most; ++i) {
        EXPECT_EQ(machine.run(std::to_string(i), "null").text, std::to_string(i));
        EXPECT_EQ(machine.run("0", "null").text, "0");
        machine.check("not a program");
    }
    EXPECT_EQ(machine.compiled(), most);
    EXPECT_EQ(machine.run("1", "null").text, "1");
    EXPECT_EQ(machine.compiled(), most);
}

TEST(JqMachine, OneCallLeavesNothingForTheNext) {
    Machine machine;
    EXPECT_EQ(machine.run("first(range(.; 9))", "1").text, "1");
    EXPECT_EQ(machine.run("first(range(.; 9))", "5").text, "5");
    EXPECT_EQ(machine.run("\"x\" | halt_error", "1").answer, Answer::failed);
    EXPECT_EQ(machine.run("\"x\" | halt_error", "1").text, "x");
    EXPECT_EQ(machine.run("if . then error(\"e\") else 3 end", "true").answer, Answer::failed);
    EXPECT_EQ(machine.run("if . then error(\"e\") else 3 end", "false").text, "3");
}

}  // namespace
}  // namespace pawl::jq
