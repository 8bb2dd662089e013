#include "base/json.hpp"
#include "model/definition.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace pawl {
namespace {

std::string error_of(std::string_view nodes, std::string_view rest = "") {
    const auto parsed = parse_definition(fmt::format("name: x\nnodes:\n{}{}", nodes, rest));
    return parsed ? "no error" : parsed.error().message;
}

TEST(JourneyDefinition, AMessageNeedsAChannelAndSomethingToSay) {
    EXPECT_EQ(
        error_of("- {id: m, message: {text: hi}}\n"),
        "line 3, nodes[0].message.channel: must say how it is sent: line, sms, email, push, "
        "webhook "
        "(in 'm')"
    );
    EXPECT_EQ(
        error_of("- {id: m, message: {channel: sms}}\n"),
        "line 3, nodes[0].message: says nothing: give a template, or text, html, messages or "
        "another content (in 'm')"
    );
    EXPECT_EQ(
        error_of("- {id: m, message: {channel: fax, text: hi}}\n"),
        "line 3, nodes[0].message.channel: 'fax' is not known: use one of line, sms, email, push, "
        "webhook (in 'm')"
    );
}

TEST(JourneyDefinition, ASplitNeedsVariantsOfTheirOwnNames) {
    EXPECT_EQ(
        error_of("- {id: s, split: {variants: [{name: a, share: 1}, {name: a, share: 1}]}}\n"),
        "line 3, nodes[0].split.variants[1].name: is the name of another variant too (in 's')"
    );
    EXPECT_EQ(
        error_of(
            "- {id: s, split: {variants: [{name: a, share: 1}]}}\n- {id: t, code: f}\n",
            "edges:\n- {from: s, to: t, handle: other}\n"
        ),
        "line 6, edges[0]: 's' has no handle 'other': a split leaves by a, default, or error"
    );
}

TEST(JourneyDefinition, ThePersonIsReadByStepsThatAreExecuted) {
    const std::string message = "- {id: m, message: {channel: sms, text: \"{{ user.name }}\"}}\n";
    EXPECT_EQ(error_of(message), "no error");
    EXPECT_EQ(
        error_of(
            message + "- {id: w, wait: {until: \"{{ user.birthday }}\"}}\n",
            "edges:\n- {from: m, to: w}\n"
        ),
        "no error"
    );
    EXPECT_NE(
        error_of(
            message + "- {id: w, exit: {output: \"{{ user.name }}\"}}\n",
            "edges:\n- {from: m, to: w}\n"
        )
            .find("exit nodes cannot read '{{user...}}'"),
        std::string::npos
    );
    EXPECT_NE(
        error_of(
            message + "- {id: t, code: f}\n",
            "edges:\n- {from: m, to: t, when: {path: user.tier, operator: \"=\", value: gold}}\n"
        )
            .find("an edge cannot read 'user'"),
        std::string::npos
    );
}

TEST(JourneyDefinition, GoalsAreStoredAsAList) {
    const auto read = parse_definition(
        "name: x\ngoal: {event: order.paid, within: 7d, exit: true}\nsteps: [{name: a, code: f}]\n"
    );
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(
        to_json(*read).at("goal"),
        json::value(json::array{json::object{
            {"name", "order.paid"}, {"event", "order.paid"}, {"within", "7d"}, {"exit", true}}})
    );
    EXPECT_EQ(*definition_from_json(to_json(*read)), *read);
    const auto error = [](std::string_view goal) {
        const auto parsed =
            parse_definition(fmt::format("name: x\ngoal: {}\nsteps: [{{name: a, code: f}}]\n", goal)
            );
        return parsed ? "no error" : parsed.error().message;
    };
    EXPECT_EQ(error("[{event: a}, {event: b}]"), "no error");
    EXPECT_EQ(error("{within: 7d}"), "line 2, goal.event: must name the event that counts");
    EXPECT_EQ(
        error("[{event: a}, {event: a}]"),
        "line 2, goal[1].name: is that of another goal: give each a name of its own"
    );
    EXPECT_EQ(error("{event: a, exit: soon}"), "line 2, goal.exit: must be true or false");
    EXPECT_EQ(
        error("buy"), "line 2, goal: must be {event, within, exit}, or a list of them, 20 at most"
    );
    EXPECT_EQ(error("{event: a, within: 0s}").substr(0, 21), "line 2, goal.within: ");
}

TEST(JourneyDefinition, ApiCallIsAnotherWordForHttp) {
    for (const char* step :
         {"{name: a, type: api_call, config: {url: \"https://a.example/\", method: DELETE}}",
          "{name: a, api_call: {url: \"https://a.example/\", method: DELETE}}",
          "{name: a, type: api_call, url: \"https://a.example/\", method: DELETE}"}) {
        const auto read = parse_definition(fmt::format("name: x\nsteps:\n- {}\n", step));
        ASSERT_TRUE(read) << step << read.error().message;
        EXPECT_EQ(read->nodes[0].type, NodeType::http) << step;
        EXPECT_EQ(read->nodes[0].config.at("method"), "DELETE") << step;
    }
}

TEST(JourneyDefinition, AWaitUntilALocalTimeIsAboutThePerson) {
    const auto read =
        parse_definition("name: x\nsteps:\n- {name: w, wait: {until: {local_time: \"09:00\"}}}\n");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(read->person);
    EXPECT_TRUE(read->nodes[0].reads_person);
    EXPECT_EQ(*definition_from_json(to_json(*read)), *read);
    EXPECT_NE(
        error_of("- {id: w, wait: {until: {local_time: \"25:00\"}}}\n").find("25:00"),
        std::string::npos
    );
    EXPECT_NE(
        error_of("- {id: w, wait: {until: {local_time: \"09:00\", timezone: Mars}}}\n")
            .find("Mars"),
        std::string::npos
    );
    EXPECT_NE(
        error_of("- {id: w, wait: {until: {local_tim: \"09:00\"}}}\n").find("local_time"),
        std::string::npos
    );
}

std::string agent_error(std::string_view more) {
    return error_of(fmt::format(
        "- {{id: a, agent: {{url: \"https://m.example/\", model: m, instructions: Do it{}}}}}\n",
        more
    ));
}

TEST(JourneyDefinition, AnAgentSaysWhatItNeeds) {
    EXPECT_EQ(agent_error(""), "no error");
    EXPECT_EQ(
        error_of("- {id: a, agent: {model: m, instructions: Do it}}\n"),
        "line 3, nodes[0].agent.url: must be where the model is asked, such as "
        "https://HOST/v1/chat/completions (in 'a')"
    );
    EXPECT_EQ(agent_error(", decide: [a, b], budget: {tokens: 5, calls: 2}"), "no error");
    EXPECT_NE(
        agent_error(", decide: [error]").find("must list names of ways out"), std::string::npos
    );
    EXPECT_NE(agent_error(", decide: [a, a]").find("has 'a' twice"), std::string::npos);
    EXPECT_NE(agent_error(", decide: []").find("must list what"), std::string::npos);
    EXPECT_NE(agent_error(", schema: {type: strin}").find("schema"), std::string::npos);
    EXPECT_NE(agent_error(", budget: {cost: 1}").find("prices"), std::string::npos);
    EXPECT_NE(agent_error(", budget: {calls: 1000}").find("from 1 to 100"), std::string::npos);
    EXPECT_NE(agent_error(", sees: [\"a b\"]").find("must list paths"), std::string::npos);
    EXPECT_NE(
        agent_error(", tools: [{name: t, description: d}]").find("one of action, http, sql"),
        std::string::npos
    );
    EXPECT_NE(
        agent_error(", tools: [{name: t, description: d, http: {url: \"https://{{ host }}/\"}}]")
            .find("may not be a template"),
        std::string::npos
    );
    EXPECT_NE(agent_error(", review: maybe").find("must be true, or say who"), std::string::npos);
    EXPECT_NE(agent_error(", temprature: 1").find("unknown key"), std::string::npos);
}

TEST(JourneyDefinition, AnAgentSeesWhatItIsShown) {
    const auto read = parse_definition(
        "name: x\nperson: true\nsteps:\n- {name: a, agent: {url: \"https://m.example/\", model: m, "
        "instructions: Do it, credential: key, sees: [user.tier, trigger.sum]}}\n"
    );
    ASSERT_TRUE(read) << read.error().message;
    const Node& node = read->nodes[0];
    EXPECT_TRUE(node.reads_person);
    EXPECT_EQ(node.config.at("sees").at("user.tier"), "{{ user.tier }}");
    EXPECT_EQ(node.config.at("headers").at("Authorization"), "Bearer {{ credentials.key }}");
    EXPECT_EQ(*definition_from_json(to_json(*read)), *read);
    EXPECT_FALSE(validate_input(*read, json::object()));
    EXPECT_TRUE(validate_input(*read, json::object{{"sum", 1}}));
}

TEST(JourneyDefinition, WithoutAPersonUserIsAKeyOfTheInput) {
    const auto plain =
        parse_definition("name: x\nsteps:\n- {name: a, code: f, input: \"{{ user.x }}\"}\n");
    ASSERT_TRUE(plain);
    EXPECT_FALSE(plain->nodes[0].reads_person);
    EXPECT_FALSE(validate_input(*plain, json::object()));
    EXPECT_TRUE(validate_input(*plain, json::object{{"user", {{"x", 1}}}}));
    const auto about = parse_definition(
        "name: x\nperson: true\nsteps:\n- {name: a, code: f, input: \"{{ user.x }}\"}\n"
    );
    ASSERT_TRUE(about);
    EXPECT_TRUE(about->nodes[0].reads_person);
    EXPECT_TRUE(validate_input(*about, json::object()));
    const auto again = definition_from_json(to_json(*about));
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *about);
}

TEST(JourneyDefinition, TriggerIsAnotherWordForTheInput) {
    const auto read =
        parse_definition("name: x\nsteps:\n- {name: a, code: f, input: \"{{ trigger.x }}\"}\n");
    ASSERT_TRUE(read);
    EXPECT_FALSE(validate_input(*read, json::object()));
    EXPECT_TRUE(validate_input(*read, json::object{{"x", 1}}));
}

}  // namespace
}  // namespace pawl
