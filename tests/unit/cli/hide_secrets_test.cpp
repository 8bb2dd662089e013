#include "cli/commands/hide_secrets.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pawl::cli {
namespace {

std::string hidden(std::vector<std::string> words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    hide_secrets(static_cast<int>(words.size()), pointers.data());
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
    return line;
}

TEST(HideSecrets, UrlsOfDatabasesAreCoveredWhole) {
    EXPECT_EQ(hidden({"pawl", "--database-url", "a:b", "serve"}), "pawl --database-url xxx serve");
    EXPECT_EQ(hidden({"pawl", "--database-url=a:b", "serve"}), "pawl --database-url=xxx serve");
    EXPECT_EQ(hidden({"pawl", "serve", "--sql-url", "s"}), "pawl serve --sql-url x");
    EXPECT_EQ(
        hidden({"pawl", "--database-url", "--sql-url", "serve"}),
        "pawl --database-url xxxxxxxxx serve"
    ) << "a value is never taken for a flag";
    EXPECT_EQ(hidden({"pawl", "serve", "--sql-url"}), "pawl serve --sql-url");
    EXPECT_EQ(hidden({"pawl", "--api-key", "pawl_a", "runs"}), "pawl --api-key xxxxxx runs");
}

TEST(HideSecrets, PasswordsElsewhere) {
    EXPECT_EQ(
        hidden({"pawl", "serve", "--functions-url", "https://u:geheim@f.test/x"}),
        "pawl serve --functions-url https://u:xxxxxx@f.test/x"
    );
    EXPECT_EQ(
        hidden({"pawl", "x", "--target-limit", "http://a:b@c=1;http://d:e@f=2"}),
        "pawl x --target-limit http://a:x@c=1;http://d:x@f=2"
    );
    EXPECT_EQ(hidden({"pawl", "x", "host=db password=a b"}), "pawl x host=db password=xxx");
}

TEST(HideSecrets, TheRestStays) {
    for (const char* word :
         {"https://f.test/a@b:c",
          "https://f.test:8080/",
          "a:b@c",
          "@file.json",
          "--listen=[::1]:80"}) {
        EXPECT_EQ(hidden({"pawl", word}), std::string("pawl ") + word);
    }
    EXPECT_EQ(hidden({"pawl"}), "pawl");
}

}  // namespace
}  // namespace pawl::cli
