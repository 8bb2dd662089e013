#include "connect/links.hpp"

#include "unit/connect/connect_fixture.hpp"

namespace pawl::connect {
namespace {

std::string marked(std::string_view url) {
    return "T(" + std::string(url) + ")";
}

TEST(Links, UrlsInATextEndWhereTheSentenceDoes) {
    const auto text = [](std::string_view one) { return replace_links(one, marked); };
    EXPECT_EQ(text("no link"), "no link");
    EXPECT_EQ(text("https://a.example/b?c=1&d=2#e"), "T(https://a.example/b?c=1&d=2#e)");
    EXPECT_EQ(text("See https://a.example/b."), "See T(https://a.example/b).");
    EXPECT_EQ(text("(at http://a.example/b)!"), "(at T(http://a.example/b))!");
    EXPECT_EQ(text("http://a.example/b_(c)"), "T(http://a.example/b_(c))");
    EXPECT_EQ(text("<HTTPS://A.example>"), "<T(HTTPS://A.example)>");
    EXPECT_EQ(text("https://a.example/xคลิก"), "T(https://a.example/x)คลิก");
    EXPECT_EQ(
        text("https://a.example\nhttps://b.example"), "T(https://a.example)\nT(https://b.example)"
    );
    EXPECT_EQ(text("https:// https:/// http://."), "https:// https:/// http://.");
    EXPECT_EQ(text("hhttp://a.example"), "hT(http://a.example)");
    EXPECT_EQ(text("mailto:ann@a.example tel:+66"), "mailto:ann@a.example tel:+66");
    const std::string long_url = "https://a.example/" + std::string(2000, 'x');
    EXPECT_EQ(text(long_url), long_url);
}

TEST(Links, OfHtmlAreThoseThatCanBeClicked) {
    const auto html = [](std::string_view one) { return replace_html_links(one, marked); };
    EXPECT_EQ(
        html("<a href=\"https://a.example/?x=1&amp;y=2\">go</a>"),
        "<a href=\"T(https://a.example/?x=1&amp;y=2)\">go</a>"
    );
    EXPECT_EQ(
        html("<A class=x HREF='http://a.example' >go</A>"),
        "<A class=x HREF=\"T(http://a.example)\" >go</A>"
    );
    EXPECT_EQ(html("<area href=http://a.example/b>"), "<area href=\"T(http://a.example/b)\">");
    EXPECT_EQ(html("<a href = \"  http://a.example \n\">"), "<a href = \"T(http://a.example)\">");
    EXPECT_EQ(html("<a href=&#104;ttp&#x3a;//a.example>"), "<a href=\"T(http://a.example)\">");
    for (const char* same :
         {"<img src=\"https://a.example/i.png\">",
          "<link href=\"https://a.example/s.css\">",
          "<abbr href=\"https://a.example\">",
          "https://a.example in a text",
          "<a href=\"mailto:ann@a.example\">",
          "<a href=\"javascript:alert(1)\">",
          "<a href=\"#top\"><a href=\"/path\"><a href>",
          "<a data-track=\"false\" href=\"https://a.example\">",
          "<!-- <a href=\"https://a.example\"> -->",
          "<style>a[href=\"https://a.example\"] {} <a href=\"https://a.example\"></style>",
          "<script>'<a href=\"https://a.example\">'</script>",
          "<a title=\"<a href='https://a.example'>\">",
          "<a href=\"https://a.example/\xe0\xb8\x81\">",
          "<a href=\"https://a.example"}) {
        EXPECT_EQ(html(same), same);
    }
    EXPECT_EQ(
        html("<style></style><a href=\"http://a.example\">"),
        "<style></style><a href=\"T(http://a.example)\">"
    );
}

TEST(Links, BrokenHtmlIsCopied) {
    for (const std::string text :
         {"<",
          "<a",
          "<a ",
          "<a href",
          "<a href=",
          "<a href=\"",
          "<!--",
          "<a =\"x\" = =>",
          "</",
          "<script",
          "<a href='http://a.example",
          "<>",
          "a<b",
          "<a/href//=/>"}) {
        EXPECT_NO_THROW(replace_html_links(text, marked)) << text;
        EXPECT_EQ(replace_html_links(text, [](std::string_view) { return std::string(); }), text);
    }
}

TEST(Links, TheReplacementIsEscaped) {
    const auto evil = [](std::string_view) { return std::string("http://x/\"><b>&"); };
    EXPECT_EQ(
        replace_html_links("<a href='http://a.example'>", evil),
        "<a href=\"http://x/&quot;&gt;&lt;b&gt;&amp;\">"
    );
}

TEST(Links, OfAContentAreReplacedWhereverPeopleClick) {
    const auto tracked = track_content(
        object(R"({
            "subject": "https://a.example", "text": "https://a.example",
            "html": "<body><a href=\"https://a.example\">x</a></BODY></html>",
            "messages": [
                {"type": "text", "text": "see https://a.example"},
                {"type": "flex", "altText": "https://a.example", "contents": {"type": "bubble",
                 "hero": {"type": "image", "url": "https://a.example/i.png",
                          "action": {"type": "uri", "uri": "https://a.example/h"}},
                 "body": {"contents": [{"type": "button", "action":
                     {"type": "uri", "label": "x", "uri": "line://x"}}]}}},
                {"type": "imagemap",
                 "actions": [{"type": "uri", "linkUri": "https://a.example/m"}]},
                5]})"),
        marked,
        "https://p.example/o/x.gif"
    );
    EXPECT_EQ(tracked.at("subject"), "https://a.example");
    EXPECT_EQ(tracked.at("text"), "T(https://a.example)");
    EXPECT_EQ(
        tracked.at("html"),
        "<body><a href=\"T(https://a.example)\">x</a><img src=\"https://p.example/o/x.gif\" "
        "width=\"1\" height=\"1\" alt=\"\" style=\"border:0\"></BODY></html>"
    );
    const std::string messages = json::serialize(tracked.at("messages"));
    EXPECT_NE(messages.find("see T(https://a.example)"), std::string::npos);
    EXPECT_NE(messages.find("\"uri\":\"T(https://a.example/h)\""), std::string::npos);
    EXPECT_NE(messages.find("\"linkUri\":\"T(https://a.example/m)\""), std::string::npos);
    EXPECT_NE(messages.find("\"altText\":\"https://a.example\""), std::string::npos);
    EXPECT_NE(messages.find("\"url\":\"https://a.example/i.png\""), std::string::npos);
    EXPECT_NE(messages.find("\"uri\":\"line://x\""), std::string::npos);
}

TEST(Links, OfAnActionThatLineWouldRefuseStay) {
    const auto endless = [](std::string_view) { return std::string(1001, 'x'); };
    const auto content = object(
        R"({"messages": [{"type": "template",
                          "actions": [{"type": "uri", "uri": "https://a.example"}]}]})"
    );
    EXPECT_EQ(track_content(content, endless, ""), content);
}

}  // namespace
}  // namespace pawl::connect
