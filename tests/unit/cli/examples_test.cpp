#include "cli/parse/args.hpp"
#include "cli/terminal/columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

// The pages of --help: every command has an example, and each example is one that works.
namespace pawl::cli {
namespace {

// The commands of a line as a shell would have them, those of $(...) among them.
std::vector<std::vector<std::string>> shell_commands(std::string_view line) {
    std::vector<std::vector<std::string>> commands(1);
    std::string word;
    bool in_word = false;
    char quote = 0;
    const auto end_word = [&] {
        if (in_word) commands.back().push_back(word);
        word.clear();
        in_word = false;
    };
    for (const char c : line) {
        if (quote != 0) {
            if (c == quote) {
                quote = 0;
            } else {
                word += c;
            }
        } else if (c == '\'' || c == '"') {
            quote = c;
            in_word = true;
        } else if (c == ' ') {
            end_word();
        } else if (c == '|' || c == '&' || c == '<' || c == '>' || c == '(' || c == ')') {
            end_word();
            commands.emplace_back();
        } else {
            word += c;
            in_word = true;
        }
    }
    end_word();
    return commands;
}

// The arguments of each `pawl` in it; variables that are set before it are left out.
std::vector<std::vector<std::string>> pawl_commands(std::string_view line) {
    std::vector<std::vector<std::string>> found;
    for (auto& command : shell_commands(line)) {
        const auto name = std::find(command.begin(), command.end(), "pawl");
        if (name != command.end()) found.emplace_back(name, command.end());
    }
    return found;
}

Parsed parsed(std::vector<std::string> words) {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    return parse_args(static_cast<int>(argv.size()), argv.data());
}

TEST(Examples, EachCanBeParsed) {
    for (const Command& command : commands()) {
        for (const Example& example : command.examples) {
            for (const auto& words : pawl_commands(example.line)) {
                if (words.at(1) == "help") continue;
                EXPECT_TRUE(parsed(words).command) << example.line;
            }
        }
    }
}

TEST(Examples, EveryCommandHasOneThatUsesIt) {
    for (const Command& command : commands()) {
        const bool group = !command.build;
        EXPECT_EQ(command.examples.empty(), group || command.hidden()) << command.words;
        const std::string words = "pawl " + std::string(command.words);
        const auto uses = [&words](const Example& example) {
            return example.line.find(words) != std::string_view::npos;
        };
        const auto& all = command.examples;
        EXPECT_TRUE(all.empty() || std::any_of(all.begin(), all.end(), uses)) << command.words;
    }
}

TEST(Examples, AWrongOneWouldBeFound) {
    const auto words = pawl_commands("X=1 pawl runs list --limt 3 | jq .id");
    ASSERT_EQ(words.size(), 1u);
    EXPECT_EQ(words[0], (std::vector<std::string>{"pawl", "runs", "list", "--limt", "3"}));
    EXPECT_FALSE(parsed(words[0]).command);
}

std::string page(std::vector<std::string> words) {
    words.insert(words.begin(), "pawl");
    testing::internal::CaptureStdout();
    const auto outcome = parsed(words);
    std::string text = testing::internal::GetCapturedStdout();
    EXPECT_FALSE(outcome.command);
    EXPECT_EQ(outcome.exit_code, exit_ok) << text;
    return text;
}

TEST(Help, PagesFitInto80Columns) {
    std::vector<std::string> pages = command_names();
    for (const char* group : {"", "runs", "jobs", "workflows", "versions", "webhooks", "tenants"}) {
        pages.emplace_back(group);
    }
    for (const std::string& name : pages) {
        std::istringstream words(name);
        std::vector<std::string> args{std::istream_iterator<std::string>(words), {}};
        args.emplace_back("--help");
        std::istringstream lines(page(args));
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(width(line), 80u) << name << ": " << line;
        }
    }
}

TEST(Help, IsACommandToo) {
    EXPECT_EQ(page({"help", "runs", "list"}), page({"runs", "list", "--help"}));
    EXPECT_EQ(page({"help"}), page({"--help"}));
    EXPECT_EQ(page({}), page({"--help"}));
    EXPECT_NE(page({"help", "jobs"}).find("pawl jobs cancel ID"), std::string::npos);
    testing::internal::CaptureStderr();
    EXPECT_EQ(parsed({"pawl", "help", "run5"}).exit_code, exit_usage);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("did you mean"), std::string::npos);
}

}  // namespace
}  // namespace pawl::cli
