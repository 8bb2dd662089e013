#include "model/yaml_writer.hpp"

#include "base/json.hpp"
#include "base/rng.hpp"
#include "model/definition.hpp"
#include "model/document.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace pawl {
namespace {

constexpr DefinitionLimits wide{.bytes_max = 1 << 22, .depth_max = 64};

void expect_stable(const json::value& value) {
    const std::string text = to_yaml(value);
    const auto document = read_document(text, wide);
    ASSERT_TRUE(document) << document.error().message << "\n" << text;
    const json::value back = to_json(*document);
    ASSERT_EQ(back, value) << text << "\n" << json::serialize(value);
    ASSERT_EQ(to_yaml(back), text);
}

TEST(YamlWriter, AsPeopleWrite) {
    const auto value = json::parse(R"({
        "name": "hello", "timeout": "5m", "jitter": [0.1, 1.0], "empty": {}, "none": [],
        "yes": "yes", "true": "true", "number": "12", "null": null, "url": "https://example.com",
        "template": "{{ a }}", "statement": "select 1\n  from t\n", "keep": "a\n\n",
        "strip": "a\nb",
        "edges": [{"from": "a", "to": "b"}, {"deep": {"x": {"y": 1}}}, [], "text"]})");
    EXPECT_EQ(to_yaml(value), R"(name: hello
timeout: 5m
jitter: [0.1, 1.0]
empty: {}
none: []
yes: yes
"true": "true"
number: "12"
"null": null
url: "https://example.com"
template: "{{ a }}"
statement: |
  select 1
    from t
keep: |+
  a

strip: |-
  a
  b
edges:
  - {from: a, to: b}
  - deep:
      x: {y: 1}
  - []
  - text
)");
    expect_stable(value);
}

const std::vector<const char*> lookalikes{
    "",
    " ",
    "~",
    "null",
    "Null",
    "true",
    "FALSE",
    "1",
    "-1",
    "+1",
    "0x1f",
    "0o7",
    "1e3",
    ".5",
    "1.",
    "-",
    "- a",
    "a: b",
    "a:",
    ":a",
    "a #b",
    "#a",
    "&a",
    "*a",
    "!a",
    "|",
    ">",
    "%a",
    "@a",
    "`a`",
    "'a'",
    "\"a\"",
    "a\\b",
    "a\tb",
    "a\r\nb",
    "\n",
    "\na",
    " a\nb",
    "a \nb",
    "a\n b ",
    "a\n\n",
    "a\nb",
    "---",
    "...",
    "? a",
    "[a]",
    "{a}",
    "a,b",
    "a]",
    "=",
    "<<",
    "a\nb\n\n\n",
    "a\n#b",
    "a\n---\nb",
    "\xc2\x85",
    "\xe2\x80\xa8",
    "\xef\xbb\xbf",
    "สวัสดี\nครับ\n",
    "🎉",
    "a\x01",
    "\x7f",
    "yes",
    "no",
    "on"};

TEST(YamlWriter, TextsThatLookLikeSomethingElse) {
    for (const char* text : lookalikes) {
        expect_stable(json::value(text));
        expect_stable(json::object{{"key", text}});
        expect_stable(json::object{{text, "value"}});
        expect_stable(json::array{json::value(text), json::value(1)});
        expect_stable(json::object{{"a", json::array{json::object{{text, json::array{text}}}}}});
    }
}

json::value random_value(Rng& rng, int depth) {
    const auto text = [&] {
        std::u8string_view whole = u8"ab01 -:#,{}[]\"'\\|>\n\t&*!%@~.?=";
        std::string out;
        for (std::size_t i = rng.below(12); i > 0; --i) {
            out += static_cast<char>(whole[rng.below(whole.size())]);
            if (rng.below(15) == 0) out += "é";
            if (rng.below(40) == 0) out += "\xe2\x80\xa8";
        }
        return out;
    };
    switch (rng.below(depth > 4 ? 6 : 9)) {
        case 0: return nullptr;
        case 1: return rng.below(2) == 0;
        case 2: return static_cast<std::int64_t>(rng.next());
        case 3: return static_cast<double>(rng.next() % 1000) / 8;
        case 4:
        case 5: return json::value(text());
        case 6: {
            json::array array;
            for (std::size_t i = rng.below(5); i > 0; --i)
                array.push_back(random_value(rng, depth + 1));
            return array;
        }
        default: {
            json::object object;
            for (std::size_t i = rng.below(5); i > 0; --i) {
                object.insert_or_assign(text(), random_value(rng, depth + 1));
            }
            return object;
        }
    }
}

TEST(YamlWriter, AnyValueComesBackAndIsWrittenTheSameAgain) {
    Rng rng(21);
    for (int i = 0; i < 5000; ++i) expect_stable(json::object{{"v", random_value(rng, 0)}});
}

TEST(YamlWriter, DefinitionsAreStableAsText) {
    std::size_t seen = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(PAWL_SOURCE_DIR "/workflows")) {
        if (entry.path().extension() != ".yaml" || entry.path().stem().extension() == ".test")
            continue;
        std::ifstream file(entry.path());
        std::stringstream text;
        text << file.rdbuf();
        const auto definition = parse_definition(text.str());
        ASSERT_TRUE(definition) << entry.path() << ": " << definition.error().message;
        const std::string printed = to_yaml(to_json(*definition));
        const auto again = parse_definition(printed);
        ASSERT_TRUE(again) << entry.path() << ": " << again.error().message << "\n" << printed;
        EXPECT_TRUE(*again == *definition) << printed;
        EXPECT_EQ(to_yaml(to_json(*again)), printed);
        ++seen;
    }
    EXPECT_GE(seen, 5U);
}

}  // namespace
}  // namespace pawl
