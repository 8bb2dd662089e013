#include "api/http/preference_page.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

store::Preferences two() {
    return {"", {{"email", "marketing", true}, {"email", "a<b>\"c", false}}};
}

TEST(PreferencePage, ShowsWhatIsWantedAndEscapesTheRest) {
    const auto page = preference_page(two(), "en", false);
    EXPECT_EQ(page.status, 200);
    EXPECT_NE(page.body.find("value=\"email:marketing\" checked>"), std::string::npos);
    EXPECT_NE(page.body.find("value=\"email:a&lt;b&gt;&quot;c\"> Email"), std::string::npos);
    EXPECT_EQ(page.body.find("a<b>"), std::string::npos);
    EXPECT_EQ(page.body.find("<script"), std::string::npos);
    EXPECT_EQ(page.body.find("Saved."), std::string::npos);
    EXPECT_NE(preference_page(two(), "en", true).body.find("Saved."), std::string::npos);
    const std::string* policy = http::find_header(page.headers, "Content-Security-Policy");
    ASSERT_NE(policy, nullptr);
    EXPECT_NE(policy->find("default-src 'none'"), std::string::npos);
}

TEST(PreferencePage, SpeaksThai) {
    EXPECT_EQ(page_language("th-TH", "en"), "th");
    EXPECT_EQ(page_language("", "th,en;q=0.5"), "th");
    EXPECT_EQ(page_language("de", "th"), "en");
    const auto page = preference_page(two(), "th", false);
    EXPECT_NE(page.body.find("<html lang=\"th\">"), std::string::npos);
    EXPECT_NE(page.body.find("อีเมล"), std::string::npos);
    EXPECT_EQ(no_preference_page("en").status, 404);
}

TEST(PreferencePage, AFormSaysWhatIsWantedOfWhatWasShown) {
    const auto read = read_preferences(
        "seen=email%3Amarketing&want=email%3Amarketing&seen=email%3Aa%3Cb%3E%22c&want=sms%3Ax"
    );
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read[0].channel, "email");
    EXPECT_EQ(read[0].category, "marketing");
    EXPECT_TRUE(read[0].wanted);
    EXPECT_EQ(read[1].category, "a<b>\"c");
    EXPECT_FALSE(read[1].wanted);
    const auto none = read_preferences("seen=a%3Ab&want=a%3Ab&none=1");
    ASSERT_EQ(none.size(), 1U);
    EXPECT_FALSE(none[0].wanted);
    EXPECT_TRUE(read_preferences("").empty());
    EXPECT_TRUE(read_preferences("seen=nocolon&%").empty());
}

}  // namespace
}  // namespace pawl::api
