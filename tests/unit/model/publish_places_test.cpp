// Names that are known in some places only, when a definition is published.
#include "model/definition.hpp"

#include <gtest/gtest.h>

#include <string>

namespace pawl {
namespace {

std::string refusal(const std::string& text) {
    const auto definition = parse_definition(text);
    return definition ? "" : definition.error().message;
}

std::string of_line(const std::string& first, const std::string& second) {
    return refusal("name: x\nsteps:\n- {name: a, " + first + "}\n- {name: b, " + second + "}\n");
}

TEST(Publish, KeysOfLimitsAreMadeBeforeTheFirstStep) {
    const auto with_key = [](const std::string& limit, const std::string& key) {
        return refusal(
            "name: x\nflow:\n  " + limit + ", key: '{{ " + key + " }}'}\nsteps: [{id: a, code: f}]"
        );
    };
    EXPECT_EQ(
        with_key("concurrency: {limit: 1", "steps.a.result"),
        "line 3, flow.concurrency.key: 'steps.a.result' is not known before the first step: known "
        "are the fields of the input, as input.name or name, and run.subject"
    );
    EXPECT_NE(with_key("rate: {limit: 1, per: 1m", "step_0_result.id"), "");
    EXPECT_NE(with_key("debounce: {period: 1m", "run.id"), "");
    for (const std::string key : {"item.id", "index", "outer.item", "error.code", "undo.result"}) {
        EXPECT_NE(with_key("concurrency: {limit: 1", key), "") << key;
        EXPECT_EQ(with_key("concurrency: {limit: 1", "input." + key), "") << key;
    }
    for (const std::string key : {"run.subject", "customer", "input.steps", "steps_done"}) {
        EXPECT_EQ(with_key("concurrency: {limit: 1", key), "") << key;
    }
}

TEST(Publish, ErrorsAreKnownWhereTheyWereCaught) {
    EXPECT_EQ(
        of_line("code: f", "code: f, input: '{{ error.code }}'"),
        "line 4, steps[1]: 'error.code' is not defined: it is known after an edge with the handle "
        "error, or timeout of a scope or foreach, and after a step with on_failure: continue; a "
        "field of the input is input.error (in 'b')"
    );
    EXPECT_EQ(of_line("code: f, on_failure: continue", "code: f, input: '{{ error.code }}'"), "");
    EXPECT_EQ(of_line("code: f", "code: f, input: '{{ error.code | default: 0 }}'"), "");
    EXPECT_EQ(
        refusal(R"(
name: x
nodes: [{id: a, code: f}, {id: b, code: f}, {id: c, code: {function: f, input: "{{ error }}"}}]
edges: [{from: a, to: b, handle: error.timeout}, {from: b, to: c}]
)"),
        ""
    );
    const auto after_timeout_of = [](const std::string& group, const std::string& body) {
        return refusal(
            "name: x\nnodes:\n- {id: a, " + group +
            "}\n- {id: b, code: f}\n- {id: c, code: {function: f, input: '{{ error.code }}'}}\n" +
            "edges: [" + body + "{from: a, to: c, handle: timeout}]\n"
        );
    };
    EXPECT_EQ(after_timeout_of("scope: {timeout: 1m}", "{from: a, to: b, handle: body}, "), "");
    EXPECT_EQ(
        after_timeout_of("foreach: {items: [1], timeout: 1m}", "{from: a, to: b, handle: each}, "),
        ""
    );
    EXPECT_NE(after_timeout_of("wait: {event: e, key: k}, timeout: 1m", "{from: a, to: b}, "), "");
}

}  // namespace
}  // namespace pawl
