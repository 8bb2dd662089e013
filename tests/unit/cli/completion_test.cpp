#include "cli/commands/completion.hpp"

#include "cli/commands/man_page.hpp"
#include "cli/parse/args.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pawl::cli {
namespace {

using Names = Completion::Names;

std::vector<std::string> words_for(std::vector<std::string> words) {
    std::vector<std::string> found;
    for (const auto& one : complete(command_pages(), words).words) found.push_back(one.word);
    return found;
}

Names names_for(std::vector<std::string> words) {
    return complete(command_pages(), words).names;
}

bool has(const std::vector<std::string>& words, const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

TEST(Completion, CommandsAndThoseBelow) {
    EXPECT_TRUE(has(words_for({""}), "runs"));
    EXPECT_FALSE(has(words_for({""}), "complete"));
    EXPECT_FALSE(has(words_for({""}), "bench-child"));
    EXPECT_EQ(words_for({"sched"}), std::vector<std::string>{"schedules"});
    EXPECT_TRUE(has(words_for({"runs", ""}), "why"));
    EXPECT_EQ(words_for({"--tenant", "acme", "runs", "wa"}), std::vector<std::string>{"watch"});
}

TEST(Completion, OptionsOfTheCommandAndOfAll) {
    const auto words = words_for({"runs", "list", "--"});
    EXPECT_TRUE(has(words, "--workflow"));
    EXPECT_TRUE(has(words, "--tenant"));
    EXPECT_FALSE(has(words, "--wait"));
    EXPECT_EQ(words_for({"run", "--wai"}), std::vector<std::string>{"--wait"});
}

TEST(Completion, ValuesThatAreWords) {
    EXPECT_EQ(words_for({"-o", "js"}), (std::vector<std::string>{"json", "jsonl"}));
    EXPECT_TRUE(has(words_for({"completion", ""}), "zsh"));
}

TEST(Completion, NamesOfTheDatabase) {
    EXPECT_EQ(names_for({"run", ""}), Names::workflows);
    EXPECT_EQ(names_for({"runs", "list", "--workflow", "or"}), Names::workflows);
    EXPECT_EQ(names_for({"versions", "rollback", ""}), Names::workflows);
    EXPECT_EQ(names_for({"runs", "why", ""}), Names::runs);
    EXPECT_EQ(names_for({"dead-letters", "replay", ""}), Names::runs);
    EXPECT_EQ(names_for({"tasks", "approve", ""}), Names::tasks);
    EXPECT_EQ(names_for({"schedules", "pause", ""}), Names::schedules);
    EXPECT_EQ(names_for({"jobs", "watch", ""}), Names::jobs);
    EXPECT_EQ(names_for({"--tenant", ""}), Names::tenants);
    EXPECT_EQ(names_for({"tenants", "limit", ""}), Names::tenants);
    EXPECT_EQ(names_for({"tenants", "create", ""}), Names::none);
    EXPECT_EQ(names_for({"workflows", "apply", "-f", ""}), Names::files);
}

TEST(Completion, TheWordsBeforeSayWhereToLook) {
    const auto found = complete(
        command_pages(), {"--tenant", "acme", "--database-url", "postgresql://x", "run", "he"}
    );
    EXPECT_EQ(found.tenant, "acme");
    EXPECT_EQ(found.database_url, "postgresql://x");
    EXPECT_EQ(found.prefix, "he");
}

TEST(Completion, ThreeShells) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        ASSERT_TRUE(completion_script(shell)) << shell;
        EXPECT_NE(completion_script(shell)->find("pawl complete -- "), std::string::npos) << shell;
    }
    EXPECT_FALSE(completion_script("tcsh"));
}

TEST(ManPage, HasEveryCommandAndOption) {
    const auto pages = command_pages();
    const std::string text = man_page(pages, "0.1.0");
    EXPECT_TRUE(text.starts_with(".TH PAWL 1 "));
    for (const std::string& words : command_names()) {
        std::string escaped;
        for (const char c : words) escaped += c == '-' ? "\\-" : std::string(1, c);
        EXPECT_NE(text.find(".SS pawl " + escaped + "\n"), std::string::npos) << words;
    }
    EXPECT_NE(text.find("\\fB\\-\\-workflow\\fR \\fINAME\\fR"), std::string::npos);
    EXPECT_NE(text.find("PAWL_TENANT"), std::string::npos);
    // A line that begins with a dot is a request; there are none but ours.
    for (std::size_t at = 0; (at = text.find("\n.", at)) != std::string::npos; ++at) {
        const std::string request = text.substr(at + 2, 2);
        EXPECT_TRUE(
            request == "SH" || request == "SS" || request == "TP" || request == "PP" ||
            request == "nf" || request == "fi" || request == "B "
        ) << request;
    }
}

}  // namespace
}  // namespace pawl::cli
