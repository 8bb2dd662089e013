#include "jq/confine.hpp"
#include "jq/frame.hpp"
#include "jq/jq_pool.hpp"
#include "support/loop.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

namespace pawl::jq {
namespace {

using namespace std::chrono_literals;

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool memory_is_limited = false;
#else
constexpr bool memory_is_limited = true;
#endif

std::string text(const Outcome& outcome) {
    constexpr const char* names[] = {
        "done",
        "failed",
        "invalid",
        "too_large",
        "out_of_memory",
        "timeout",
        "crashed",
        "unavailable",
        "unwanted"};
    return fmt::format("{} {}", names[static_cast<int>(outcome.fate)], outcome.text);
}

// Processes that this one has started and not yet buried.
std::vector<pid_t> children() {
    std::vector<pid_t> found;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream list(task.path() / "children");
        for (pid_t pid = 0; list >> pid;) found.push_back(pid);
    }
    return found;
}

class JqPool : public testing::Test {
protected:
    static PoolOptions options() {
        PoolOptions options;
        options.binary = this_binary;
        return options;
    }
    std::string run(std::string program, std::string input = "null", Duration limit = 5s) {
        return text(loop.run(pool.run(std::move(program), std::move(input), limit)));
    }

    test::Loop loop;
    Pool pool{loop.context().get_executor(), options()};
};

TEST_F(JqPool, RunsProgramsInAChildThatStays) {
    EXPECT_EQ(pool.children(), 0U);
    EXPECT_EQ(run(".a + 1", R"({"a": 1})"), "done 2");
    const auto before = children();
    ASSERT_EQ(before.size(), 1U);
    EXPECT_EQ(run("empty"), "done ");
    EXPECT_EQ(run(".a.b", "[]"), "failed Cannot index array with string \"a\"");
    EXPECT_EQ(run("}").substr(0, 8), "invalid ");
    EXPECT_EQ(children(), before);
}

TEST_F(JqPool, TheChildSeesNothingOfUs) {
    setenv("PAWL_TEST_SECRET", "x", 1);
    EXPECT_EQ(run("env"), "done {}");
    EXPECT_EQ(run("$ENV"), "done {}");
    const std::string fds = fmt::format("/proc/{}/fd", children().at(0));
    std::size_t open = 0;
    for ([[maybe_unused]] const auto& fd : std::filesystem::directory_iterator(fds)) ++open;
    EXPECT_EQ(open, 3U) << "its socket, and /dev/null twice";
    EXPECT_TRUE(run("import \"a\" as a; .").starts_with("invalid "));
    EXPECT_EQ(run("now | type"), "done \"number\"");
    EXPECT_EQ(run("0 | localtime | mktime"), "done 0");
    EXPECT_EQ(run("debug | stderr", "1"), "done 1");
}

TEST_F(JqPool, AProgramWithoutEndIsKilledAndTheNextOneRuns) {
    EXPECT_EQ(run("1"), "done 1");
    const auto before = children();
    const auto begun = Steady::now();
    EXPECT_EQ(run("def f: f; f", "null", 200ms), "timeout ");
    EXPECT_LT(Steady::now() - begun, 2s);
    EXPECT_TRUE(children().empty()) << "killed and buried";
    EXPECT_EQ(run("2"), "done 2");
    EXPECT_NE(children(), before);
    EXPECT_EQ(run("[range(1e9)] | length", "null", 100ms), "timeout ");
    EXPECT_EQ(run("3"), "done 3");
}

TEST_F(JqPool, MemoryHasALimit) {
    if (!memory_is_limited) GTEST_SKIP() << "not under this sanitizer";
    EXPECT_EQ(run("[1] | until(false; . + .)", "null", 60s), "out_of_memory ");
    EXPECT_EQ(run("2"), "done 2");
}

TEST_F(JqPool, ACrashOfJqIsTheProgramsOwn) {
    if (!memory_is_limited) GTEST_SKIP() << "not under this sanitizer";
    // Letting go of a value this deep overflows the stack of jq 1.6.
    const std::string deep = "reduce range(1000000) as $i (null; [.]) | 1";
    EXPECT_EQ(run(deep, "null", 20s), "crashed jq crashed with signal 11");
    EXPECT_EQ(run("1"), "done 1");
}

TEST_F(JqPool, AKilledChildIsReplaced) {
    EXPECT_EQ(run("1"), "done 1");
    const pid_t idle = children().at(0);
    ::kill(idle, SIGKILL);
    // Its end of the socket is closed before it can be waited for.
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(idle), &info, WEXITED | WNOWAIT);
    EXPECT_EQ(run("2"), "done 2");

    const auto killed = loop.run_beside(pool.run("def f: f; f", "null", 20s), [] {
        for (const pid_t pid : children()) ::kill(pid, SIGKILL);
    });
    EXPECT_EQ(text(killed), "unavailable the jq child ended (signal 9)");
    EXPECT_EQ(run("3"), "done 3");
}

TEST_F(JqPool, CallsWaitForAFreeChild) {
    std::vector<asio::awaitable<Outcome>> calls;
    for (int i = 0; i < 50; ++i) {
        calls.push_back(pool.run(fmt::format("{}", i % 7), "null", 10s, {1, {}}));
    }
    const auto outcomes = loop.run_all(std::move(calls));
    for (int i = 0; i < 50; ++i)
        EXPECT_EQ(outcomes[static_cast<std::size_t>(i)].text, std::to_string(i % 7));
    EXPECT_EQ(children().size(), 2U);
}

TEST_F(JqPool, ThoseBehindALoopWithoutEndHaveTheirOwnTime) {
    std::vector<asio::awaitable<Outcome>> calls;
    for (int i = 0; i < 4; ++i) calls.push_back(pool.run("def f: f; f", "null", 100ms));
    for (int i = 0; i < 4; ++i) calls.push_back(pool.run("1", "null", 2s));
    const auto outcomes = loop.run_all(std::move(calls));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(text(outcomes[i]), "timeout ");
    for (std::size_t i = 4; i < 8; ++i) EXPECT_EQ(text(outcomes[i]), "done 1");
}

TEST_F(JqPool, NoCallerWaitsForEver) {
    PoolOptions narrow = options();
    narrow.children_max = 1;
    narrow.queue_timeout = 50ms;
    Pool small(loop.context().get_executor(), narrow);
    std::vector<asio::awaitable<Outcome>> calls;
    for (int i = 0; i < 3; ++i) calls.push_back(small.run("def f: f; f", "null", 400ms));
    const auto outcomes = loop.run_all(std::move(calls));
    EXPECT_EQ(text(outcomes[0]), "timeout ");
    EXPECT_EQ(text(outcomes[1]), "unavailable all jq children are busy");
    EXPECT_EQ(text(outcomes[2]), "unavailable all jq children are busy");
}

// A call, and when it ended.
struct Timed {
    std::string said;
    Steady::duration took{};
};
asio::awaitable<Timed> timed(asio::awaitable<Outcome> call) {
    const auto begun = Steady::now();
    const Outcome outcome = co_await std::move(call);
    co_return Timed{text(outcome), Steady::now() - begun};
}

TEST_F(JqPool, OneTenantCannotHoldAllChildren) {
    std::vector<asio::awaitable<Timed>> calls;
    for (int i = 0; i < 4; ++i) {
        calls.push_back(timed(pool.run("def f: f; f", "null", 1s, {7, {}})));
    }
    calls.push_back(timed(pool.run("1", "null", 5s, {8, {}})));
    const auto ends = loop.run_all(std::move(calls));
    EXPECT_EQ(ends[4].said, "done 1");
    EXPECT_LT(ends[4].took, 900ms) << "it had a child of its own";
    EXPECT_GT(ends[3].took, 1900ms) << "the other one had two at once";
}

TEST_F(JqPool, TenantsTakeTurns) {
    PoolOptions narrow = options();
    narrow.children_max = 1;
    Pool small(loop.context().get_executor(), narrow);
    std::vector<asio::awaitable<Timed>> calls;
    for (int i = 0; i < 6; ++i) {
        calls.push_back(timed(small.run("def f: f; f", "null", 300ms, {7, {}})));
    }
    for (int i = 0; i < 2; ++i) calls.push_back(timed(small.run("1", "null", 5s, {8, {}})));
    const auto ends = loop.run_all(std::move(calls));
    EXPECT_LT(ends[6].took, ends[5].took);
    EXPECT_LT(ends[7].took, ends[5].took) << "not behind all of the others";
}

TEST_F(JqPool, AProgramThatIsNotWantedAnyMoreIsKilled) {
    bool wanted = true;
    Caller caller{1, [&wanted] { return wanted; }};
    const auto begun = Steady::now();
    const auto outcome = loop.run_beside(pool.run("def f: f; f", "null", 9s, caller), [&wanted] {
        if (!children().empty()) wanted = false;
    });
    EXPECT_EQ(text(outcome), "unwanted ");
    EXPECT_LT(Steady::now() - begun, 5s);
    EXPECT_TRUE(children().empty());
    EXPECT_EQ(text(loop.run(pool.run("1", "null", 9s, caller))), "unwanted ") << "not even begun";
    EXPECT_EQ(run("2"), "done 2");
}

TEST_F(JqPool, NoProgramGetsMoreThanTheMostThereIs) {
    PoolOptions hasty = options();
    hasty.time_max = 200ms;
    Pool other(loop.context().get_executor(), hasty);
    const auto begun = Steady::now();
    EXPECT_EQ(text(loop.run(other.run("def f: f; f", "null", 1h))), "timeout ");
    EXPECT_LT(Steady::now() - begun, 5s);
}

TEST_F(JqPool, CompilingIsLimitedByWhatItComputes) {
    PoolOptions hasty = options();
    hasty.check_computing = 1ms;
    Pool other(loop.context().get_executor(), hasty);
    std::string large;
    for (int i = 0; i < 1000; ++i) large += fmt::format("def f{}: {};", i, i);
    const auto checked = loop.run(other.check(large + "f0"));
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().message, "it takes too long to compile");
    EXPECT_TRUE(loop.run(pool.check(large + "f0")));
}

// As on a machine where others compute.
TEST_F(JqPool, CompilingIsNotLimitedByTheTimeThatOthersTake) {
    PoolOptions patient = options();
    patient.check_computing = 1s;
    Pool other(loop.context().get_executor(), patient);
    EXPECT_EQ(text(loop.run(other.run("1", "null", 5s))), "done 1");
    const pid_t child = children().at(0);
    ASSERT_EQ(kill(child, SIGSTOP), 0);
    const auto begun = Steady::now();
    EXPECT_TRUE(loop.run_beside(other.check(".a"), [&] {
        if (Steady::now() - begun > patient.check_computing) kill(child, SIGCONT);
    }));
    EXPECT_GT(Steady::now() - begun, patient.check_computing);
}

TEST_F(JqPool, TheKernelLimitsWhatAChildComputes) {
    EXPECT_EQ(run("1"), "done 1");
    std::ifstream limits(fmt::format("/proc/{}/limits", children().at(0)));
    const std::string all{std::istreambuf_iterator<char>(limits), {}};
    const auto line = all.find("Max cpu time");
    ASSERT_NE(line, std::string::npos);
    EXPECT_NE(all.substr(line, 60).find(fmt::format(" {} ", cpu_seconds_max)), std::string::npos)
        << all.substr(line, 60);
}

TEST_F(JqPool, LargeTextsGoBothWays) {
    const std::string large(900'000, 'x');
    EXPECT_EQ(run(".", '"' + large + '"'), "done \"" + large + '"');
    EXPECT_EQ(run(". + .", '"' + large + '"'), "too_large the output has more than 1048576 bytes");
    const std::string huge(input_bytes_max, ' ');
    EXPECT_EQ(run(".", huge + "1"), "too_large the input has more than 8388608 bytes");
    EXPECT_EQ(
        run(std::string(program_bytes_max, ' ') + '1'),
        "too_large the program has more than 20000 bytes"
    );
    EXPECT_EQ(run(std::string(program_bytes_max - 1, ' ') + '1'), "done 1");
}

TEST_F(JqPool, DeepProgramsAreRefusedOrRunButDoNoHarm) {
    for (const char c : {'[', '(', '{', '-', '"', '\\'}) {
        run(std::string(program_bytes_max, c));
        run(std::string(program_bytes_max / 2 - 1, c) + '1' +
            std::string(program_bytes_max / 2 - 1, c == '[' ? ']' : ')'));
    }
    EXPECT_EQ(run("1"), "done 1");
}

// jq says of each level what is wrong, with the whole program: megabytes.
TEST_F(JqPool, WhatIsWrongWithADeepProgramIsToldInShort) {
    std::string program;
    for (int i = 0; i < 600; ++i) program += "if . then ";
    program += '1';
    for (int i = 0; i < 600; ++i) program += " end";
    const std::string ran = run(program, "null", 9s);
    EXPECT_TRUE(ran.starts_with("invalid syntax error")) << ran.substr(0, 100);
    EXPECT_LE(ran.size(), 5000U);
    const auto checked = loop.run(pool.check(program));
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, Errc::invalid);
}

TEST_F(JqPool, TheEndOfThePoolIsTheEndOfItsChildren) {
    {
        Pool other(loop.context().get_executor(), options());
        loop.run(other.run("1", "null", 5s));
        EXPECT_EQ(children().size(), 1U);
    }
    EXPECT_TRUE(children().empty());
}

TEST_F(JqPool, WithoutABinaryThereIsNoJq) {
    PoolOptions none;
    Pool empty(loop.context().get_executor(), none);
    EXPECT_EQ(text(loop.run(empty.run("1", "null", 1s))), "unavailable jq is not set up here");
    none.binary = "/does/not/exist";
    Pool wrong(loop.context().get_executor(), none);
    EXPECT_EQ(
        text(loop.run(wrong.run("1", "null", 1s))),
        "unavailable cannot start a jq child: No such file or directory"
    );
    EXPECT_EQ(wrong.children(), 0U);
}

TEST_F(JqPool, ProgramsCanBeCheckedWithoutRunningThem) {
    EXPECT_TRUE(loop.run(pool.check("def f: f; f")));
    const auto wrong = loop.run(pool.check(".a |"));
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, Errc::invalid);
    EXPECT_NE(wrong.error().message.find("line 1"), std::string::npos) << wrong.error().message;
    EXPECT_FALSE(loop.run(pool.check("import \"a\" as a; .")));
    Pool none(loop.context().get_executor(), {});
    EXPECT_EQ(loop.run(none.check(".")).error().code, Errc::unavailable);
}

}  // namespace
}  // namespace pawl::jq
