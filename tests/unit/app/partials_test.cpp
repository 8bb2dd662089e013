#include "app/messages/partials.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace pawl::app {
namespace {

json::object object(std::string_view text) {
    return json::parse(text).as_object();
}

const std::map<std::string, json::object>& footers() {
    static const std::map<std::string, json::object> parts{
        {"footer", object(R"({"en": {"text": "Bye, {{ user.name }}", "html": "<p>Bye</p>"},
                    "th": {"text": "ลาก่อน"}})")}};
    return parts;
}

TEST(Partials, StandForTheSamePartInTheLanguageOfTheTemplate) {
    const json::object written = object(
        R"({"en": {"text": "Hi {{ user.name }}\n{{> footer }}", "html": "<b>Hi</b>{{>footer}}"},
            "th-TH": {"messages": [{"type": "text", "text": "{{> footer }}!"}], "subject": "s"}})"
    );
    const Included included = include_partials(written, footers());
    EXPECT_TRUE(included.problems.empty());
    EXPECT_EQ(
        included.languages,
        object(
            R"({"en": {"text": "Hi {{ user.name }}\nBye, {{ user.name }}",
                       "html": "<b>Hi</b><p>Bye</p>"},
                "th-TH": {"messages": [{"type": "text", "text": "ลาก่อน!"}], "subject": "s"}})"
        )
    );
    const json::object kept = with_written(included.languages, written);
    EXPECT_FALSE(kept.at("th-TH").at("written").as_object().contains("subject"));
    EXPECT_EQ(as_written(kept), written);
    EXPECT_EQ(partials_in(written), std::set<std::string>{"footer"});
}

TEST(Partials, ThatAreNotThereAreProblemsOfTheirPlace) {
    const auto problem = [](std::string_view languages) {
        const auto included = include_partials(object(languages), footers());
        return included.problems.empty()
                   ? std::string()
                   : included.problems[0].pointer + " " + included.problems[0].detail;
    };
    EXPECT_EQ(
        problem(R"({"en": {"text": "{{> fotter }}"}})"),
        "/languages/en/text includes the template 'fotter', and there is none"
    );
    EXPECT_EQ(
        problem(R"({"th": {"html": "{{> footer }}"}})"),
        "/languages/th/html includes the template 'footer', which has no html in th: add it there"
    );
    EXPECT_EQ(problem(R"({"en": {"text": "{{> footer"}, "xx": 5})"), "");
}

TEST(Partials, AContentWithoutAnyStaysAsItIs) {
    const json::object plain =
        object(R"({"en": {"text": "{{ user.name }} > {{ x", "track": true}})");
    EXPECT_EQ(with_written(include_partials(plain, {}).languages, plain), plain);
    EXPECT_EQ(as_written(plain), plain);
    EXPECT_TRUE(partials_in(plain).empty());
}

}  // namespace
}  // namespace pawl::app
