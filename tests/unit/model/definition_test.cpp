#include "model/definition.hpp"

#include "base/json.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace pawl {
namespace {

using namespace std::chrono_literals;

Definition parsed(std::string_view text) {
    auto definition = parse_definition(text);
    EXPECT_TRUE(definition) << text << "\n" << definition.error().message;
    return definition ? *definition : Definition{};
}

constexpr std::string_view kitchen_sink = R"(
name: order.paid-v2
description: Everything once
required_fields: [order_id, email]
timeout: 5m
retry: {attempts: 7, base: 2s, factor: 3, cap: 10m, jitter: [0.2, 0.3]}
steps:
  - name: reserve
    code: reserve_stock
    input: {order: "{{ order_id }}"}
  - name: pause
    wait: 10s
  - name: charge
    type: http
    method: post
    url: "https://pay.example/{{ order_id }}"
    headers: {X-Kind: order}
    body: {amount: 12.5, big: 9007199254740993, none: ~, text: "12"}
    expect_status: [200, 201]
    timeout: 30s
    retry: {attempts: 2}
  - name: notify
    http: {url: "https://hook.example"}
    on_failure: continue
  - name: mail
    function: send-email
    action: send
    payload_template: {to: "{{ email }}"}
    retry: {ambiguous: fail, jitter: 0.5}
  - name: later
    type: wait
    duration: "{{ pause_for | default: 'PT5M' }}"
)";

TEST(ParseDefinition, KitchenSink) {
    const Definition d = parsed(kitchen_sink);
    EXPECT_EQ(d.name, "order.paid-v2");
    EXPECT_EQ(d.description, "Everything once");
    EXPECT_EQ(d.required_fields, (std::vector<std::string>{"order_id", "email"}));
    EXPECT_EQ(d.timeout, Duration(5min));
    ASSERT_EQ(d.nodes.size(), 6u);
    ASSERT_EQ(d.edges.size(), 5u);
    EXPECT_EQ(d.edges[4], (Edge{4, 5, "default"}));

    EXPECT_EQ(d.nodes[0].type, NodeType::code);
    EXPECT_EQ(
        json::serialize(d.nodes[0].config),
        R"({"function":"reserve_stock","input":{"order":"{{ order_id }}"}})"
    );
    EXPECT_TRUE(d.nodes[0].has_templates);
    const RetryPolicy workflow_policy{7, 2s, 3, 10min, 0.2, 0.3, Ambiguous::retry};
    EXPECT_EQ(d.nodes[0].retry, workflow_policy);

    EXPECT_EQ(d.nodes[1].type, NodeType::wait);
    EXPECT_EQ(json::serialize(d.nodes[1].config), R"({"duration":"10s"})");
    EXPECT_FALSE(d.nodes[1].has_templates);

    EXPECT_EQ(d.nodes[2].config.at("method"), "POST");
    EXPECT_EQ(d.nodes[2].config.at("body").at("big"), 9007199254740993);
    EXPECT_EQ(d.nodes[2].config.at("body").at("text"), "12");
    EXPECT_TRUE(d.nodes[2].config.at("body").at("none").is_null());
    EXPECT_EQ(d.nodes[2].timeout, Duration(30s));
    EXPECT_EQ(d.nodes[2].retry.attempts, 2);
    EXPECT_EQ(d.nodes[2].retry.ambiguous, Ambiguous::settle) << "a POST";

    EXPECT_EQ(d.nodes[3].config.at("method"), "GET");
    EXPECT_EQ(d.nodes[3].on_failure, OnFailure::continue_);
    EXPECT_EQ(d.nodes[3].retry, workflow_policy) << "the workflow states a policy: it holds";

    EXPECT_EQ(d.nodes[4].type, NodeType::function);
    EXPECT_TRUE(d.nodes[4].config.contains("payload"));
    EXPECT_EQ(d.nodes[4].retry.ambiguous, Ambiguous::fail);
    EXPECT_EQ(d.nodes[4].retry.jitter_min, 0);
    EXPECT_EQ(d.nodes[4].retry.jitter_max, 0.5);
}

TEST(ParseDefinition, CanonicalFormReadsBack) {
    const Definition d = parsed(kitchen_sink);
    const auto again = definition_from_json(to_json(d));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, d);
    // Also as text, which is how it is stored.
    EXPECT_EQ(parsed(json::serialize(to_json(d))), d);
    for (std::size_t i = 0; i < d.nodes.size(); ++i) {
        EXPECT_EQ(again->nodes[i].has_templates, d.nodes[i].has_templates);
    }
}

TEST(ParseDefinition, APostWithoutAWordIsSettledAlsoByRules) {
    const std::string step = "http: {url: 'http://p/', method: POST}";
    const auto ambiguous = [&](const std::string& head, const std::string& policy) {
        const Definition d =
            parsed("{name: x, " + head + "steps: [{name: a, " + step + policy + "}]}");
        EXPECT_EQ(definition_from_json(to_json(d)).value(), d);
        const StepError timeout{ErrorClass::ambiguous, "timeout", "", std::nullopt};
        const StepError other{ErrorClass::ambiguous, "network", "", std::nullopt};
        return std::string(name(retry_for(d.nodes[0], timeout).ambiguous)) + " " +
               std::string(name(retry_for(d.nodes[0], other).ambiguous));
    };
    const std::string rules = ", retry: [{errors: [timeout], attempts: 3}]";
    EXPECT_EQ(ambiguous("", rules), "settle settle");
    EXPECT_EQ(ambiguous("retry: {ambiguous: fail}, ", rules), "fail fail");
    EXPECT_EQ(
        ambiguous("", ", retry: [{errors: [timeout], attempts: 3, ambiguous: retry}]"),
        "retry settle"
    );
}

TEST(ParseDefinition, TheConfigOfACodeWorkflowIsAPostHoweverItIsWritten) {
    for (const auto& [config, expected] :
         {std::pair{"{method: post}", Ambiguous::settle},
          {"{method: Patch}", Ambiguous::settle},
          {"{body: {a: 1}}", Ambiguous::settle},
          {"{method: put, body: x}", Ambiguous::retry},
          {"{url: 'http://p/'}", Ambiguous::retry}}) {
        const Definition d = parsed(
            std::string("{name: x, code: 1.0.0, nodes: [{id: a, type: http, config: ") + config +
            "}]}"
        );
        ASSERT_EQ(d.nodes.size(), 1u);
        EXPECT_EQ(d.nodes[0].retry.ambiguous, expected) << config;
    }
}

TEST(ParseDefinition, StepListOfADefinitionsTable) {
    const Definition d = parsed(R"({
        "name": "proposal", "version": 3, "active": true, "created_by": null,
        "timeout_seconds": 300, "visibility_timeout": 60, "max_retries": 4,
        "required_fields": null,
        "steps": [
            {"name": "a", "function": "send-email", "action": "send",
             "payload_template": {"to": "{{guest_email}}"}, "on_failure": "retry"},
            {"name": "b", "function": "f", "action": "x", "payload_template": {},
             "on_failure": "continue"},
            {"name": "c", "function": "f", "action": "x", "on_failure": "abort"},
            {"name": "d", "function": "f", "action": "x"}
        ]})");
    EXPECT_EQ(d.timeout, Duration(300s));
    ASSERT_EQ(d.nodes.size(), 4u);
    EXPECT_EQ(d.nodes[0].type, NodeType::function);
    EXPECT_EQ(d.nodes[0].timeout, Duration(60s));
    EXPECT_EQ(d.nodes[0].retry.attempts, 5);
    EXPECT_EQ(d.nodes[0].on_failure, OnFailure::abort);
    EXPECT_EQ(d.nodes[1].retry.attempts, 1);
    EXPECT_EQ(d.nodes[1].on_failure, OnFailure::continue_);
    EXPECT_EQ(d.nodes[2].retry.attempts, 1);
    EXPECT_EQ(d.nodes[3].retry.attempts, 5);
    EXPECT_EQ(definition_from_json(to_json(d)).value(), d);
}

TEST(ParseDefinition, DefaultsWithoutAnyPolicy) {
    const Definition d =
        parsed("{name: x, steps: [{name: a, code: f}, {name: b, function: g, on_failure: retry}]}");
    EXPECT_EQ(d.nodes[0].retry, RetryPolicy{});
    EXPECT_EQ(d.nodes[1].retry.attempts, 4);
    EXPECT_FALSE(d.timeout);
}

TEST(ParseDefinition, NodesAndEdges) {
    const Definition d = parsed(R"(
name: graph
nodes:
  - {id: a, type: code, config: {function: f}}
  - {id: c, type: code, function: f}
  - {id: b, type: wait, config: {duration: 5}}
edges:
  - {from: a, to: b}
  - {from: b, to: c, handle: default}
)");
    EXPECT_EQ(d.next(0), NodeIndex{2});
    EXPECT_EQ(d.next(2), NodeIndex{1});
    EXPECT_EQ(d.next(1), std::nullopt);
    EXPECT_EQ(d.next(0, "true"), std::nullopt);
    EXPECT_EQ(d.find("b"), NodeIndex{2});
    EXPECT_EQ(d.find("zz"), std::nullopt);
}

TEST(ParseDefinition, ACancelIsWrittenLikeAnyOtherType) {
    for (const char* written :
         {"cancel: {nodes: [x]}", "cancel: [x]", "type: cancel, nodes: [x]"}) {
        const auto parsed = parse_definition(fmt::format(
            "name: a\nnodes: [{{id: p, type: parallel}}, {{id: x, wait: 1h}}, {{id: c, {}}}]\n"
            "edges: [{{from: p, to: x}}, {{from: p, to: c}}]",
            written
        ));
        ASSERT_TRUE(parsed) << written;
        EXPECT_EQ(parsed->nodes[2].type, NodeType::cancel);
        EXPECT_EQ(json::serialize(parsed->nodes[2].config), R"({"nodes":["x"]})");
    }
}

TEST(ParseDefinition, YamlScalars) {
    const Definition d = parsed(R"(
name: "scalars"
steps:
  - name: a
    code: f
    input: [1, -2, 0x10, 0o17, 1.5, 1e3, .5, true, False, ~, null, "1", '2', 1.2.3, 5m, yes, "", +7,
            18446744073709551615, 007, 1_000, !!str 5]
)");
    EXPECT_EQ(
        d.nodes[0].config.at("input"),
        json::parse(R"([1, -2, 16, 15, 1.5, 1000.0, 0.5, true, false, null, null, "1", "2", "1.2.3",
            "5m", "yes", "", 7, 18446744073709551615, 7, "1_000", "5"])")
    );
}

TEST(ParseDefinition, AnchorsMayBeShared) {
    const Definition d = parsed(R"(
name: x
steps:
  - {name: a, code: f, retry: &r {attempts: 2}}
  - {name: b, code: f, retry: *r}
)");
    EXPECT_EQ(d.nodes[1].retry.attempts, 2);
}

TEST(ParseDefinition, JsonWithSurrogatesAndTabs) {
    const Definition d = parsed(
        "{\n\t\"name\": \"x\",\n\t\"description\": \"\\ud83d\\ude00 \\/ \\\\ud83d\",\n"
        "\t\"steps\": [{\"name\":\"a\",\"code\":\"f\"}]\n}"
    );
    EXPECT_EQ(d.description, "\xF0\x9F\x98\x80 / \\ud83d");
}

TEST(ValidateInput, SaysWhatIsMissing) {
    const Definition d = parsed(R"(
name: x
required_fields: [id, email]
steps:
  - {name: a, code: f, input: ["{{ email }}", "{{ address.city }}", "{{ opt | default: 1 }}"]}
  - {name: b, code: f, input: "{{ step_0_result.x }} {{ step_0_error }} {{ steps.a.result }}"}
  - {name: c, code: f, input: "{{ input.id }} {{ run.subject }} {{ address.city }} {{ step_x }}"}
)");
    EXPECT_TRUE(validate_input(
        d, json::parse(R"({"id": null, "email": "", "address": {"city": 1}, "step_x": 0})")
    ));
    const auto nothing = validate_input(d, json::object{});
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().message, "Missing required fields: id, email");
    EXPECT_EQ(nothing.error().context.at(0).second, "id, email, address.city, input.id, step_x");
    const auto some = validate_input(d, json::parse(R"({"id": 1, "email": "e", "step_x": 1})"));
    ASSERT_FALSE(some);
    EXPECT_EQ(
        some.error().message,
        "Missing template variables: address.city. These placeholders exist in workflow steps but "
        "were not provided in data."
    );
    EXPECT_FALSE(validate_input(d, nullptr));
    EXPECT_FALSE(validate_input(d, json::array{1}));
}

TEST(ValidateInput, NamesThatTheRunFillsOnItsWayAreNotMissing) {
    const Definition loop = parsed(R"(
name: x
nodes:
- {id: l, type: loop, config: {times: 2}}
- {id: a, code: {function: f, input: "{{ index }}"}, compensate: u}
- {id: u, code: {function: f, input: "{{ index }}"}}
edges: [{from: l, to: a, handle: each}, {from: a, to: l}]
)");
    EXPECT_TRUE(validate_input(loop, json::object{}));
    const Definition goes_on = parsed(R"(
name: x
steps: [{name: a, code: f, on_failure: continue}, {name: b, code: f, input: "{{ error.code }}"}]
)");
    EXPECT_TRUE(validate_input(goes_on, json::object{}));
}

std::string with_placeholders(int count) {
    std::string text = "name: x\nsteps:\n  - {name: a, code: f, input: \"";
    for (int i = 0; i < count; ++i) text += fmt::format("{{{{v{}}}}}", i);
    return text + "\"}\n";
}

TEST(ValidateInput, TellsTheFirstNamesAndHowManyMore) {
    const auto missing = validate_input(parsed(with_placeholders(9'000)), json::object{});
    ASSERT_FALSE(missing);
    EXPECT_TRUE(missing.error().message.starts_with("Missing template variables: v0, v1, v2, "));
    EXPECT_TRUE(missing.error().message.ends_with(
        ", v18, v19 and 8980 more. These placeholders exist in workflow steps but were not "
        "provided in data."
    )) << missing.error().message;
    EXPECT_TRUE(missing.error().context.at(0).second.ends_with(", v18, v19"));

    const auto fields = validate_input(
        parsed(
            "name: x\nsteps: [{name: a, code: f}]\nrequired_fields: [" + std::string(3000, 'a') +
            "]\n"
        ),
        json::object{}
    );
    ASSERT_FALSE(fields);
    EXPECT_EQ(fields.error().message, "Missing required fields: " + std::string(200, 'a') + "...");
}

TEST(Definition, HoldsSoManyPlaceholdersAndRequiredFields) {
    EXPECT_TRUE(parse_definition(with_placeholders(10'000)));
    const auto many = parse_definition(with_placeholders(10'001));
    ASSERT_FALSE(many);
    EXPECT_EQ(
        many.error().message,
        "line 3, steps[0]: a workflow may hold 10000 placeholders at most (in 'a')"
    );
    std::string fields = "name: x\nsteps: [{name: a, code: f}]\nrequired_fields: [f";
    for (int i = 0; i < 1000; ++i) fields += fmt::format(", f{}", i);
    const auto long_list = parse_definition(fields + "]\n");
    ASSERT_FALSE(long_list);
    EXPECT_NE(long_list.error().message.find("may hold 1000 at most"), std::string::npos);
}

TEST(ValidateInput, WhatAGraphFillsOnItsWayIsNotMissing) {
    const Definition d = parsed(R"(
name: x
nodes:
  - {id: all, type: foreach, config: {items: [1]}}
  - {id: one, type: code, config: {function: f, input: "{{ item.x }} {{ index }}"}}
  - {id: caught, type: code, config: {function: f, input: "{{ error.code }}"}}
edges: [{from: all, to: one, handle: each}, {from: all, to: caught, handle: error.boom}]
)");
    EXPECT_TRUE(validate_input(d, json::object{}));
    const Definition line =
        parsed("name: x\nsteps: [{name: a, code: f, input: '{{ input.index }}'}]");
    EXPECT_FALSE(validate_input(line, json::object{}));
}

}  // namespace
}  // namespace pawl
