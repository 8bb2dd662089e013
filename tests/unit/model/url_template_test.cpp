#include "model/url_template.hpp"

#include "base/json.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

Result<std::string> rendered(std::string_view text, const std::string& data) {
    const json::value roots = parse_json(data).value();
    return render_url(text, [&roots](const Path& path) { return walk(&roots, path); });
}

std::string url(std::string_view text, const std::string& data) {
    const auto done = rendered(text, data);
    return done ? *done : "error: " + done.error().message;
}

TEST(UrlTemplate, DataStaysOneSegmentOrOneValue) {
    EXPECT_EQ(
        url("https://h/orders/{{ id }}", R"({"id": "../admin/delete-all"})"),
        "https://h/orders/..%2Fadmin%2Fdelete-all"
    );
    EXPECT_EQ(
        url("https://h/{{ a }}/x?q={{ b }}&n={{ n }}#{{ c }}",
            R"({"a": "1?x#y@z", "b": "a&b=c d", "n": 7, "c": "é"})"),
        "https://h/1%3Fx%23y%40z/x?q=a%26b%3Dc%20d&n=7#%C3%A9"
    );
    EXPECT_EQ(
        url("https://h/{{ a }}", R"({"a": "x\r\nHost: evil"})"), "https://h/x%0D%0AHost%3A%20evil"
    );
    EXPECT_EQ(url("https://h/{{ a | default: \"b/c\" }}", "{}"), "https://h/b%2Fc");
}

TEST(UrlTemplate, DotsAreNoSegments) {
    EXPECT_TRUE(url("https://h/a/{{ id }}/b", R"({"id": ".."})").starts_with("error: {{id}}"));
    EXPECT_TRUE(url("https://h/a/{{ id }}", R"({"id": "."})").starts_with("error: "));
    EXPECT_TRUE(url("https://h/a/.{{ id }}", R"({"id": "."})").starts_with("error: "));
    EXPECT_TRUE(url("https://h/a/{{ id }}?x=1", R"({"id": ".."})").starts_with("error: "));
    EXPECT_TRUE(url("https://h/a/%2e{{ id }}/b", R"({"id": "."})").starts_with("error: {{id}}"));
    EXPECT_TRUE(url("https://h/a/%{{ id }}/b", R"({"id": "2E"})").starts_with("error: {{id}}"));
    EXPECT_TRUE(url("https://h/a/{{ id }}%2E/b", R"({"id": "."})").starts_with("error: {{id}}"));
    EXPECT_EQ(url("https://h/a/%2e%2e{{ id }}", R"({"id": "."})"), "https://h/a/%2e%2e.");
    EXPECT_EQ(url("https://h/a/v{{ id }}", R"({"id": "1.2.."})"), "https://h/a/v1.2..");
    EXPECT_EQ(url("https://h/a?up={{ id }}", R"({"id": ".."})"), "https://h/a?up=..");
    EXPECT_EQ(url("https://h/../{{ id }}", R"({"id": "x"})"), "https://h/../x") << "the author's";
}

TEST(UrlTemplate, AHostIsAHost) {
    EXPECT_EQ(url("http://{{ h }}/x", R"({"h": "127.0.0.1:80"})"), "http://127.0.0.1:80/x");
    EXPECT_EQ(url("https://{{ h }}.example/x", R"({"h": "eu"})"), "https://eu.example/x");
    for (const char* bad : {"a@evil", "evil/", "evil?", "evil#", "a b", "a\\\\b", "a%40b"}) {
        const std::string data = std::string(R"({"h": ")") + bad + R"("})";
        EXPECT_TRUE(url("https://{{ h }}.example/x", data).starts_with("error: {{h}}")) << bad;
    }
    EXPECT_EQ(url("https://u:{{ p }}@h/", R"({"p": "a@b:c/"})"), "https://u:a%40b%3Ac%2F@h/");
    // Without a slash of its own it would go on with the host.
    EXPECT_TRUE(url("https://api{{ p }}", R"({"p": "/x"})").starts_with("error: "));
}

TEST(UrlTemplate, OneSlashOrThreeLeadToAHostToo) {
    EXPECT_TRUE(data_in_host("http:/{{ h }}"));
    EXPECT_TRUE(data_in_host("http:///{{ h }}/x"));
    EXPECT_TRUE(data_in_host("http:/\\{{ h }}/x"));
    EXPECT_FALSE(data_in_host("http:/h/{{ x }}"));
    EXPECT_FALSE(data_in_host("/{{ x }}")) << "a path of a functions host";
    EXPECT_FALSE(data_in_host("h:80/{{ x }}"));
    EXPECT_FALSE(data_in_host("a/b://{{ x }}"));
    EXPECT_TRUE(url("http:/{{ h }}", R"({"h": "a@evil"})").starts_with("error: {{h}}"));
}

TEST(UrlTemplate, HoldsSoManyPlaceholdersAndBytes) {
    std::string many = "https://h/";
    for (int i = 0; i < 101; ++i) many += "{{ x }}";
    EXPECT_EQ(url(many, R"({"x": 1})"), "error: a URL may hold 100 placeholders at most");
    EXPECT_EQ(
        url("https://h/{{ x }}", "{\"x\": \"" + std::string(70'000, 'x') + "\"}"),
        "error: the URL is longer than 64 KiB"
    );
}

TEST(UrlTemplate, WhatStandsFirstBeginsTheUrl) {
    EXPECT_EQ(url("{{ u }}", R"({"u": "https://h/a/b?c"})"), "https://h/a/b?c");
    EXPECT_EQ(
        url("{{ base }}/x/{{ id }}", R"({"base": "https://h/v1", "id": "a/b"})"),
        "https://h/v1/x/a%2Fb"
    );
    EXPECT_TRUE(url("{{ gone }}/x", "{}").starts_with("error: undefined: gone"));
}

TEST(UrlTemplate, SaysWhereDataChoosesTheHost) {
    EXPECT_TRUE(data_in_host("https://{{ h }}/x"));
    EXPECT_TRUE(data_in_host("https://h{{ rest }}"));
    EXPECT_TRUE(data_in_host("{{ base }}/x"));
    EXPECT_FALSE(data_in_host("{{ hook }}"));
    EXPECT_FALSE(data_in_host("https://h/{{ x }}"));
    EXPECT_FALSE(data_in_host("https://{{ credentials.h }}/x"));
}

}  // namespace
}  // namespace pawl
