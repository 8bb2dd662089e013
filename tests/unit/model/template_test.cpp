#include "model/template.hpp"

#include "base/json.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace pawl {
namespace {

const json::value& data() {
    static const json::value value = json::parse(R"({
        "name": "Ada", "n": 42, "price": 19.99, "big": 9007199254740993, "yes": true, "none": null,
        "o": {"a": [1, {"b": "deep"}], "dotted.key": 7}, "tricky": "{{ name }}"
    })");
    return value;
}

Result<json::value> run(const json::value& value) {
    return render(value, [](const Path& path) { return walk(&data(), path); });
}

std::string shown(const json::value& value) {
    auto result = run(value);
    return result ? json::serialize(*result) : "error: " + result.error().message;
}

TEST(Template, Values) {
    const std::vector<std::pair<std::string_view, std::string_view>> cases{
        // exactly one placeholder keeps the type
        {"{{ name }}", R"("Ada")"},
        {"{{n}}", "42"},
        {"{{yes}}", "true"},
        {"{{none}}", "null"},
        {"{{ o.a[1].b }}", R"("deep")"},
        {"{{ o.a }}", R"([1,{"b":"deep"}])"},
        {"{{ o[\"dotted.key\"] }}", "7"},
        // in text it is rendered
        {"Hi {{name}}!", R"("Hi Ada!")"},
        {"{{name}}{{n}}", R"("Ada42")"},
        {" {{n}}", R"(" 42")"},
        {"{{price}} EUR", R"("19.99 EUR")"},
        {"{{big}}.", R"("9007199254740993.")"},
        {"{{yes}}/{{none}}", R"("true/null")"},
        {"a={{o.a}}", R"("a=[1,{\"b\":\"deep\"}]")"},
        // not rendered again
        {"{{tricky}}", R"("{{ name }}")"},
        {"<{{tricky}}>", R"("<{{ name }}>")"},
        // defaults
        {"{{ nope | default: 5 }}", "5"},
        {"{{ nope | default: \"x\" }}", R"("x")"},
        {"{{ nope | default: 'x' }}", R"("x")"},
        {"{{ nope | default: {\"a\":{\"b\":[]}} }}", R"({"a":{"b":[]}})"},
        {"{{ nope | default: \"}}\" }}", R"("}}")"},
        {"{{ none | default: 1 }}", "1"},
        {"{{ n | default: 1 }}", "42"},
        {"{{ nope.deep[3] | default: false }}", "false"},
        // literals and lone braces
        {"{{ \"{{\" }}x}}", R"("{{x}}")"},
        {"a }} b { c", R"("a }} b { c")"},
        {"", R"("")"},
    };
    for (const auto& [text, expected] : cases)
        EXPECT_EQ(shown(json::value(text)), expected) << text;
}

TEST(Template, KeysAndOtherValuesAreLeftAlone) {
    EXPECT_EQ(
        shown(json::parse(R"({"{{n}}": [1, null, {"x": "{{n}}"}], "f": 0.5})")),
        R"({"{{n}}":[1,null,{"x":42}],"f":5E-1})"
    );
}

TEST(Template, NamesEveryUndefinedPathOnce) {
    EXPECT_EQ(
        shown(json::parse(R"(["{{ a.b }}", "x {{ c[0] }} {{ a.b }}", "{{ name.first }}"])")),
        "error: undefined: a.b, c[0], name.first"
    );
}

TEST(Template, NamesTheFirstUndefinedPathsOfMany) {
    std::string text;
    for (int i = 0; i < 45'000; ++i) text += "{{run.x" + std::to_string(i) + "}}";
    const std::string error = shown(json::value(text));
    EXPECT_TRUE(error.starts_with("error: undefined: run.x0, run.x1, ")) << error.substr(0, 100);
    EXPECT_TRUE(error.ends_with(", run.x19 and 44980 more")) << error.size();
}

TEST(Template, Malformed) {
    const std::vector<std::pair<std::string_view, std::string_view>> cases{
        {"{{ name", "placeholder '{{ name' is not closed with '}}'"},
        {"x {{}}", "malformed placeholder '{{}}': it is empty"},
        {"{{ }}", "malformed placeholder '{{ }}': it is empty"},
        {"{{ a. }}",
         "malformed placeholder '{{ a. }}': a path looks like customer.emails[0].address"},
        {"{{ a b }}",
         "malformed placeholder '{{ a b }}': a path looks like customer.emails[0].address"},
        {"{{ .a }}",
         "malformed placeholder '{{ .a }}': a path looks like customer.emails[0].address"},
        {"{{ a[x] }}",
         "malformed placeholder '{{ a[x] }}': brackets hold an index or a quoted key"},
        {"{{ a[-1] }}",
         "malformed placeholder '{{ a[-1] }}': brackets hold an index or a quoted key"},
        {"{{ a | upper }}",
         "malformed placeholder '{{ a | upper }}': the only filter is '| default: value'"},
        {"{{ a | default }}",
         "malformed placeholder '{{ a | default }}': write the default as '| default: value'"},
        {"{{ a | default: oops }}",
         "malformed placeholder '{{ a | default: oops }}': a default is a JSON literal such as 0, "
         "true "
         "or \"text\""},
        {"{{ a | default: \"x }}",
         "malformed placeholder '{{ a | default: \"x }}': a quote or bracket "
         "is not closed"},
    };
    for (const auto& [text, message] : cases) {
        EXPECT_EQ(shown(json::value(text)), "error: " + std::string(message));
        const auto found = placeholders(json::value(text));
        ASSERT_FALSE(found) << text;
        EXPECT_EQ(found.error().message, message);
    }
}

TEST(Template, Limits) {
    json::value deep = "{{ n }}";
    for (int i = 0; i < 32; ++i) deep = json::array{deep};
    EXPECT_TRUE(run(deep));
    deep = json::array{deep};
    EXPECT_EQ(run(deep).error().message, "templates may be nested 32 levels deep");
    EXPECT_EQ(placeholders(deep).error().code, Errc::too_large);

    const json::value big(std::string(600 << 10, 'x'));
    const auto once = render("{{ big }}", [&](const Path&) { return &big; });
    EXPECT_TRUE(once);
    const auto twice = render("{{ big }}{{ big }}", [&](const Path&) { return &big; });
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().message, "the rendered template is larger than 1 MiB");
}

TEST(Template, PlaceholdersInReadingOrder) {
    const auto found = placeholders(json::parse(
        R"({"a": "{{ x }} {{ y[0].z | default: 1 }}", "b": ["{{ 'literal' }}", "{{ w }}"]})"
    ));
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), 3u);
    EXPECT_EQ((*found)[0].text, "x");
    EXPECT_EQ((*found)[1].text, "y[0].z");
    EXPECT_TRUE((*found)[1].has_default);
    EXPECT_EQ((*found)[1].path.size(), 3u);
    EXPECT_TRUE((*found)[1].path[1].is_index);
    EXPECT_EQ((*found)[2].text, "w");
}

TEST(Template, HasPlaceholder) {
    EXPECT_FALSE(has_placeholder(json::parse(R"({"a": [1, "x } y", {"{{": null}]})")));
    EXPECT_TRUE(has_placeholder(json::parse(R"({"a": [1, {"b": "{{ x"}]})")));
}

TEST(Template, AnyTextIsRenderedOrRefused) {
    EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& picks) {
        static constexpr std::string_view parts[] = {
            "{{",
            "}}",
            "name",
            ".",
            "[0]",
            "[",
            "]",
            " ",
            "|",
            "default:",
            "\"",
            "'",
            "\\",
            "o",
            "{",
            "}"};
        std::string text;
        for (std::uint8_t pick : picks) text += parts[pick % std::size(parts)];
        const auto rendered = run(json::value(text));
        // Rendering and checking agree on what is malformed.
        const bool undefined = !rendered && rendered.error().message.starts_with("undefined");
        RC_ASSERT((rendered || undefined) == placeholders(json::value(text)).has_value());
    }));
}

}  // namespace
}  // namespace pawl
