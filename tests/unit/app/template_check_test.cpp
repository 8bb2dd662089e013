#include "app/messages/template_check.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace pawl::app {
namespace {

json::object languages(std::string_view text) {
    return json::parse(text).as_object();
}

std::string first_wrong(std::string_view text) {
    const auto wrong = template_problems(languages(text));
    return wrong.empty() ? "" : wrong.front().pointer + " " + wrong.front().detail;
}

TEST(TemplateCheck, WhatEveryMessageHasMayBeAskedFor) {
    EXPECT_EQ(
        first_wrong(R"({"en": {
            "subject": "Hi {{ user.first_name | default: \"you\" }}",
            "html": "<a href='{{ unsubscribe_url }}'>no more</a>",
            "messages": [{"type": "text", "text": "{{ trigger.amount }} {{ with.note }}"}],
            "data": {"id": "{{ message.id }}"}}})"),
        ""
    );
}

TEST(TemplateCheck, OtherPlaceholdersAreRefusedWithTheirPlace) {
    const std::string wrong = first_wrong(R"({"en": {"text": "Hi {{ usr.first_name }}"}})");
    EXPECT_TRUE(wrong.starts_with("/languages/en/text {{ usr.first_name }} is unknown")) << wrong;
    EXPECT_NE(wrong.find("did you mean 'user'"), std::string::npos) << wrong;
    EXPECT_NE(first_wrong(R"({"en": {"text": "{{ steps.a.result }}"}})"), "");
    EXPECT_NE(first_wrong(R"({"en": {"text": "{{ credentials.key }}"}})"), "");
    EXPECT_NE(first_wrong(R"({"en": {"messages": [{"a": [{"b": "{{ input.x }}"}]}]}})"), "");
    EXPECT_NE(first_wrong(R"({"en": {"text": "{{ user.first_name"}})"), "");
}

TEST(TemplateCheck, ContentsAreOfTheKindThatChannelsKnow) {
    EXPECT_NE(first_wrong(R"({})"), "");
    EXPECT_NE(first_wrong(R"({"en": {}})"), "");
    EXPECT_NE(first_wrong(R"({"en": "text"})"), "");
    EXPECT_NE(first_wrong(R"({"en": {"text": 1}})"), "");
    EXPECT_NE(first_wrong(R"({"en": {"messages": {}}})"), "");
    EXPECT_NE(first_wrong(R"({"en": {"txt": "Hi"}})").find("'text'"), std::string::npos);
    EXPECT_NE(first_wrong(R"({"english please": {"text": "Hi"}})"), "");
    EXPECT_NE(first_wrong(R"({"e": {"text": "Hi"}})"), "");
    EXPECT_NE(first_wrong(R"({"en-": {"text": "Hi"}})"), "");
    EXPECT_NE(first_wrong(R"({"pt-BR": {"text": "Hi"}, "pt-br": {"text": "Hi"}})"), "");
    EXPECT_EQ(first_wrong(R"({"zh-Hant-TW": {"text": "Hi"}})"), "");
}

TEST(TemplateCheck, AllThatIsWrongIsToldAtOnce) {
    const auto wrong = template_problems(
        languages(R"({"en": {"text": "{{ a.b }}", "html": "{{ c.d }}"}, "th": {"text": 1}})")
    );
    EXPECT_EQ(wrong.size(), 3U);
}

TEST(TemplateCheck, APersonGetsTheirLanguageOrTheNextBest) {
    const auto all = languages(R"({"de": {}, "en": {}, "pt-BR": {}, "th": {}})");
    EXPECT_EQ(language_for(all, "th"), "th");
    EXPECT_EQ(language_for(all, "th_TH"), "th");
    EXPECT_EQ(language_for(all, "PT-br"), "pt-BR");
    EXPECT_EQ(language_for(all, "pt-PT"), "pt-BR");
    EXPECT_EQ(language_for(all, "fr"), "en");
    EXPECT_EQ(language_for(all, ""), "en");
    EXPECT_EQ(language_for(languages(R"({"th": {}, "de": {}})"), "fr"), "de");
    EXPECT_EQ(language_for({}, "fr"), "");
}

}  // namespace
}  // namespace pawl::app
