#include "cli/terminal/progress.hpp"

#include "cli/terminal/columns.hpp"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

using namespace std::chrono_literals;

TEST(Progress, SaysHowFarItIsAndHowLongItTakes) {
    const std::string begun = progress_line("replay", 0, 200, 1s, 100);
    EXPECT_EQ(begun.find("█"), std::string::npos) << begun;
    EXPECT_NE(begun.find("0 of 200"), std::string::npos) << begun;
    EXPECT_EQ(begun.find("left"), std::string::npos) << begun;
    const std::string half = progress_line("replay", 100, 200, 10s, 100);
    EXPECT_NE(half.find("replay  ████████████░░░░░░░░░░░░  50 %"), std::string::npos) << half;
    EXPECT_NE(half.find("10s left"), std::string::npos) << half;
    const std::string over = progress_line("replay", 200, 200, 20s, 100);
    EXPECT_EQ(over.find("░"), std::string::npos) << over;
    EXPECT_NE(over.find("100 %"), std::string::npos) << over;
    EXPECT_EQ(over.find("left"), std::string::npos) << over;
}

TEST(Progress, FitsTheTerminalAndSurvivesWhatCannotBe) {
    EXPECT_LE(width(progress_line("migrate", 123456, 1000000, 60s, 40)), 40U);
    EXPECT_NE(progress_line("x", 0, 0, 0s, 80).find("0 %"), std::string::npos);
    EXPECT_NE(progress_line("x", 9, 3, 5s, 80).find("100 %"), std::string::npos);
}

TEST(Progress, ALogGetsALineEveryTenSecondsAndNoneAtOnce) {
    const Steady::time_point began{};
    LogPace pace(began);
    int lines = 0;
    for (auto took = 0ms; took <= 60s; took += 200ms) lines += pace.due(began + took) ? 1 : 0;
    EXPECT_EQ(lines, 6);
    LogPace slow(began);
    EXPECT_FALSE(slow.due(began + 9999ms));
    EXPECT_TRUE(slow.due(began + 35s));
    EXPECT_FALSE(slow.due(began + 40s)) << "the next one waits again";
    EXPECT_EQ(progress_log_line("import", 580, 1000, 10s), "import: 58 %, 580 of 1000, 7s left");
    EXPECT_EQ(progress_log_line("import", 1000, 1000, 10s), "import: 100 %, 1000 of 1000");
}

}  // namespace
}  // namespace pawl::cli
