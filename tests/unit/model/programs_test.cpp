#include "base/json.hpp"
#include "model/definition.hpp"
#include "model/step_template.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

// Statements and jq programs are part of the definition: data is never pasted into them.
namespace pawl {
namespace {

json::object rendered(NodeType type, const char* config) {
    const json::value mean = "'; drop table customers; --";
    const PathLookup lookup = [&mean](const Path&) { return &mean; };
    auto done = render_step(type, parse_json(config)->as_object(), lookup);
    EXPECT_TRUE(done) << (done ? "" : done.error().message);
    return done ? *done : json::object();
}

TEST(Programs, StayAsTheyAreWritten) {
    const json::object sql = rendered(
        NodeType::sql,
        R"({"statement": "select '{{ x }}', '{{1, 2}, {3, 4}}'", "params": ["{{ x }}"]})"
    );
    EXPECT_EQ(sql.at("statement"), "select '{{ x }}', '{{1, 2}, {3, 4}}'");
    EXPECT_EQ(sql.at("params").at(0), "'; drop table customers; --");
    const json::object jq =
        rendered(NodeType::transform, R"({"jq": "\"{{ x }}\"", "input": "{{ x }}"})");
    EXPECT_EQ(jq.at("jq"), "\"{{ x }}\"");
    EXPECT_EQ(jq.at("input"), "'; drop table customers; --");
    const json::object agent = rendered(
        NodeType::agent,
        R"({"instructions": "{{ x }}", )"
        R"("tools": [{"name": "a", "http": {"headers": {"X": "{{ x }}"}}},)"
        R"( {"name": "b", "sql": {"statement": "select '{{ x }}'", "params": ["{{ x }}"]}}]})"
    );
    const json::value& tools = agent.at("tools");
    EXPECT_EQ(tools.at(0).at("http").at("headers").at("X"), "'; drop table customers; --");
    EXPECT_EQ(tools.at(1).at("sql").at("statement"), "select '{{ x }}'");
    EXPECT_EQ(tools.at(1).at("sql").at("params").at(0), "'; drop table customers; --");
}

TEST(Programs, WithTemplatesAreRefusedWhenTheyArePublished) {
    const auto publish = [](const std::string& step) {
        const auto read = parse_definition("name: w\nsteps:\n  - " + step);
        return read ? std::string() : read.error().message;
    };
    EXPECT_NE(
        publish(R"({id: a, sql: {statement: "select '{{ input.x }}'"}})")
            .find(
                "'{{input.x}}' stands in a program, which is not a template: values go into params"
            ),
        std::string::npos
    );
    EXPECT_NE(
        publish(R"({id: a, transform: {jq: '"{{ x }}"'}})").find("give it as input"),
        std::string::npos
    );
    EXPECT_NE(
        publish("{id: a, agent: {url: 'https://m.example/', model: m, instructions: i, tools: "
                "[{name: t, "
                "description: d, sql: {statement: 'select {{ x }}'}}]}}")
            .find("values go into params"),
        std::string::npos
    );
    EXPECT_EQ(publish(R"({id: a, sql: {statement: "select '{{1, 2}, {3, 4}}'::int[]"}})"), "");
}

TEST(Contents, ThatNoStepCanUseAreRefusedWhenTheyArePublished) {
    const auto publish = [](const std::string& step) {
        const auto read = parse_definition("name: w\nsteps:\n  - " + step);
        return read ? std::string() : read.error().message;
    };
    for (const auto& [step, problem] : std::vector<std::pair<std::string, std::string>>{
             {"{id: a, message: {channel: sms, text: [hi]}}", "text must be text in 'a'"},
             {"{id: a, message: {channel: line, messages: []}}",
              "messages must be a list of at least one"},
             {"{id: a, message: {channel: push, title: t, data: x}}",
              "data must be a map of names and texts"},
             {"{id: a, message: {channel: sms, text: '  '}}", "says nothing: give a template"},
             {"{id: a, message: {channel: push, title: '', data: {}}}", "says nothing"},
             {"{id: a, action: {action: give, params: 5}}",
              "params must be a map of names and values"},
             {"{id: a, wait: {date: {a: 1}}}", "date must be a date such as 2026-03-01"}}) {
        EXPECT_NE(publish(step).find(problem), std::string::npos) << step << ": " << publish(step);
    }
    for (const char* step :
         {"{id: a, message: {channel: webhook, body: {a: 1}, messages: 5}}",
          "{id: a, message: {channel: line, messages: '{{ input.messages }}'}}",
          "{id: a, action: {action: give, params: '{{ input.params }}'}}"}) {
        EXPECT_EQ(publish(step), "");
    }
}

}  // namespace
}  // namespace pawl
