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
    EXPECT_NE(
        error_of(
            message + "- {id: w, wait: {until: \"{{ user.birthday }}\"}}\n",
            "edges:\n- {from: m, to: w}\n"
        )
            .find("a wait is not: use it in a message"),
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
