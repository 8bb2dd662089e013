#include "base/json.hpp"
#include "model/definition.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace pawl {
namespace {

std::string message(std::string_view text) {
    const auto definition = parse_definition(text);
    return definition ? "no error" : definition.error().message;
}

struct Case {
    std::string_view text;
    std::string_view expected;
};

constexpr std::string_view naming =
    "must start with a letter (a-z, A-Z) or _ and hold only such letters, digits, _ and - (100 at "
    "most)";

TEST(DefinitionErrors, Document) {
    const std::vector<Case> cases{
        {"", "the definition is empty"},
        {"# only a comment\n", "the definition is empty"},
        {"[]", "line 1: must be a map of keys and values"},
        {"hello", "line 1: must be a map of keys and values"},
        {"name: x\nname: y\n", "line 2: 'name' is given twice"},
        {"{\"name\": 1,\n \"name\": 2}", "line 2: 'name' is given twice"},
        {"name: x\nsteps: [\n", "line 3: not valid YAML: end of sequence flow not found"},
        {"name: {{ x }}\n",
         "line 1: a key must be plain text (a value that starts with '{{' needs quotes around it)"},
        {"name: !thing x\n", "line 1: the tag '!thing' is not supported here"},
        {"name: x\ntimeout: .inf\n", "line 2: .inf has no JSON form"},
        {"name: x\nsteps: &a [*a]\n", "line 2: an alias may not hold itself"},
        {"name: x\n---\nname: y\n", "only one YAML document is expected"},
        {"name: \"a\\0b\"\n", "line 1: text may not hold U+0000, which Postgres cannot store"},
    };
    for (const Case& c : cases) EXPECT_EQ(message(c.text), c.expected) << c.text;
    EXPECT_EQ(message(std::string_view("name: x\0y", 9)), "the definition holds a NUL byte");
}

TEST(DefinitionErrors, NamesThatAreTooLong) {
    const std::string name(501, 'x');
    for (const char* key : {"assignee", "group", "exclude"}) {
        const auto text =
            fmt::format("name: x\nsteps: [{{name: a, human: {{title: t, {}: {}}}}}]", key, name);
        const std::string said = message(text);
        EXPECT_NE(
            said.find(fmt::format("{} has 501 bytes; at most 500 are possible", key)),
            std::string::npos
        ) << said;
    }
    const auto trigger =
        fmt::format("name: x\ntriggers: [{{event: {}}}]\nsteps: [{{name: a, code: f}}]", name);
    EXPECT_NE(message(trigger).find("is longer than 500 bytes"), std::string::npos);
    const auto rendered = fmt::format(
        "name: x\nsteps: [{{name: a, human: {{title: t, assignee: '{{{{ {} }}}}'}}}}]", name
    );
    EXPECT_EQ(message(rendered), "no error") << "what it will be is not known yet";
}

TEST(DefinitionErrors, TopLevel) {
    const std::vector<Case> cases{
        {"steps: [{name: a, code: f}]", "line 1, name: is missing: a workflow needs a name"},
        {"name: 5\nsteps: []", "line 1, name: must be text"},
        {"name: a b\nsteps: []",
         "line 1, name: must start with a letter (a-z, A-Z) or _ and hold only such letters, "
         "digits, _, - and . "
         "(100 "
         "at most)"},
        {"name: x", "line 1: has no steps: give either steps, or nodes and edges"},
        {"name: x\nsteps: []", "line 2, steps: must be a list of at least one"},
        {"name: x\nsteps: {a: 1}", "line 2, steps: must be a list of at least one"},
        {"name: x\nstep:\n  - {name: a, code: f}",
         "line 2, step: unknown key, did you mean 'steps'?"},
        {"name: x\nzzzzzz: 1\nsteps: []",
         "line 2, zzzzzz: unknown key: known here are active, code, created_at, created_by, "
         "description, "
         "edges, enter_if, exit_on, flow, goal, holdout, id, input_schema, layout, max_retries, "
         "name, nodes, "
         "person, reentry, "
         "required_fields, "
         "retry, "
         "steps, "
         "timeout, timeout_seconds, triggers, updated_at, version, visibility_timeout"},
        {"name: x\ntimeout: soon\nsteps: [{name: a, code: f}]",
         "line 2, timeout: 'soon' is not a duration: write it like \"30s\", \"5m\", \"1h30m\", "
         "\"2d\" "
         "or \"PT5M\""},
        {"name: x\ntimeout: 0\nsteps: [{name: a, code: f}]",
         "line 2, timeout: must be longer than zero"},
        {"name: x\ntimeout: 5s\ntimeout_seconds: 5\nsteps: [{name: a, code: f}]",
         "line 3, timeout_seconds: is given beside timeout: keep one of them"},
        {"name: x\nrequired_fields: a\nsteps: []",
         "line 2, required_fields: must be a list of field names"},
        {"name: x\nrequired_fields: [a,\n 1]\nsteps: []",
         "line 3, required_fields[1]: must be a field name"},
        {"name: x\nmax_retries: 1000\nsteps: []",
         "line 2, max_retries: must be a whole number from 0 to 99"},
        {"name: x\nsteps: [{name: a, code: f}]\nedges: []",
         "line 2, steps: stands for a line of steps: use it without nodes and edges"},
    };
    for (const Case& c : cases) EXPECT_EQ(message(c.text), c.expected) << c.text;
}

// One wrong step after a good one: the path must say which.
std::string step_message(std::string_view step) {
    std::string text =
        message(fmt::format("name: x\nsteps:\n  - {{name: ok, code: f}}\n  - {}\n", step));
    // Which step it is, where the rest does not say so; bad_definitions_test looks at that.
    constexpr std::string_view which = " (in 'a')";
    if (text.ends_with(which)) text.resize(text.size() - which.size());
    return text;
}

TEST(DefinitionErrors, Steps) {
    const std::vector<Case> cases{
        {"5", "line 4, steps[1]: must be a map of keys and values"},
        {"{code: f}", "line 4, steps[1].name: is missing: every step needs a name"},
        {"{name: ok, code: f}",
         "line 4, steps[1]: 'ok' is used twice: give one of them another name"},
        {"{name: a, code: f, retry: {attempts: 0}}",
         "line 4, steps[1].retry.attempts: must be a whole number from 1 to 100"},
        {"{name: a, code: f, retry: {attempts: 1.5}}",
         "line 4, steps[1].retry.attempts: must be a whole number from 1 to 100"},
        {"{name: a, code: f, retry: {atempts: 3}}",
         "line 4, steps[1].retry.atempts: unknown key, did you mean 'attempts'?"},
        {"{name: a, code: f, retry: 3}",
         "line 4, steps[1].retry: must be a map of keys and values"},
        {"{name: a, code: f, retry: {factor: 0.5}}",
         "line 4, steps[1].retry.factor: must be a number from 1 to 100"},
        {"{name: a, code: f, retry: {jitter: [0.5, 0.1]}}",
         "line 4, steps[1].retry.jitter: must be a number from 0 to 1, or a list of the least and "
         "the "
         "most"},
        {"{name: a, code: f, retry: {ambiguous: maybe}}",
         "line 4, steps[1].retry.ambiguous: must be 'retry', 'fail' or 'settle'"},
        {"{name: a, code: f, on_failure: explode}",
         "line 4, steps[1].on_failure: must be 'abort', 'continue' or 'retry'"},
        {"{name: a, code: f, timeout: -1}",
         "line 4, steps[1].timeout: '-1' is not a duration: write it like \"30s\", \"5m\", "
         "\"1h30m\", "
         "\"2d\" or \"PT5M\""},
        {"{name: a, type: htp}",
         "line 4, steps[1].type: 'htp' is not a step type, did you mean 'http'?"},
        {"{name: a, htpp: {url: x}}", "line 4, steps[1].htpp: unknown key, did you mean 'http'?"},
        {"{name: a}",
         "line 4, steps[1]: does not say what to do: give it a type, or one of code, function, "
         "http, "
         "wait"},
    };
    for (const Case& c : cases) EXPECT_EQ(step_message(c.text), c.expected) << c.text;
}

TEST(DefinitionErrors, StepConfigs) {
    const std::vector<Case> cases{
        {"{name: a, code: f, inptu: 1}",
         "line 4, steps[1].inptu: unknown key, did you mean 'input'?"},
        {"{name: a, code: 5}", "line 4, steps[1].code: must be text"},
        {"{name: a, type: code}", "line 4, steps[1].function: must name the function to call"},
        {"{name: a, code: \"{{ f }}\"}", "line 4, steps[1].code: may not be a template"},
        {"{name: a, wait: 10x}",
         "line 4, steps[1].wait: '10x' is not a duration: write it like \"30s\", \"5m\", "
         "\"1h30m\", "
         "\"2d\" or \"PT5M\""},
        {"{name: a, type: wait}",
         "line 4, steps[1]: does not say what to wait for: give one of duration, until, "
         "local_time, "
         "date, event, events, signal"},
        {"{name: a, http: {method: FETCH, url: x}}",
         "line 4, steps[1].http.method: must be one of GET, POST, PUT, PATCH, DELETE, HEAD, "
         "OPTIONS"},
        {"{name: a, http: {method: GET}}",
         "line 4, steps[1].http.url: must be the address to call"},
        {"{name: a, http: {url: x, headers: {A: 1}}}",
         "line 4, steps[1].http.headers: must be a map of names to text"},
        {"{name: a, http: {url: x, expect_status: 99}}",
         "line 4, steps[1].http.expect_status: must be an HTTP status or a list of them"},
        {"{name: a, code: f, input: {x: [\"{{ y\"]}}",
         "line 4, steps[1].input.x[0]: placeholder '{{ y' is not closed with '}}'"},
        {"{name: a, code: f, input: \"{{ steps.okk.result }}\"}",
         "line 4, steps[1]: '{{steps.okk.result}}' refers to a step that does not exist, did you "
         "mean "
         "'ok'?"},
    };
    for (const Case& c : cases) EXPECT_EQ(step_message(c.text), c.expected) << c.text;
    EXPECT_EQ(
        step_message("{name: 1a, code: f}"), fmt::format("line 4, steps[1].name: {}", naming)
    );
    EXPECT_EQ(
        step_message(fmt::format("{{name: {}, code: f}}", std::string(101, 'a'))),
        fmt::format("line 4, steps[1].name: {}", naming)
    );
}

TEST(DefinitionErrors, Graph) {
    const auto graph = [](std::string_view edges) {
        return message(fmt::format(
            "name: x\nnodes: [{{id: a, code: f}}, {{id: b, code: f}},\n {{id: c, code: "
            "f}}]\nedges: {}\n",
            edges
        ));
    };
    EXPECT_EQ(graph("[{from: a, to: b}, {from: b, to: c}]"), "no error");
    EXPECT_EQ(
        graph("[{from: a, to: b}]"),
        "line 3, nodes[2]: 'c' cannot be reached from 'a': lead an edge to it, or take it out"
    );
    EXPECT_EQ(
        graph("[{from: a, to: zed}]"),
        "line 4, edges[0].to: there is no node 'zed': add it, or lead the edge to another one"
    );
    EXPECT_EQ(graph("[{from: a}]"), "line 4, edges[0].to: must name a node");
    EXPECT_EQ(
        graph("[{from: a, to: b}, {from: b, to: c},\n {from: a, to: b}]"),
        "line 5, edges[2]: 'a' leads to 'b' by the handle 'default' already: take one of the two "
        "out"
    );
    EXPECT_EQ(graph("[{from: a, to: b}, {from: b, to: c}, {from: c, to: b}]"), "no error");
    EXPECT_EQ(
        graph("[{from: a, to: b, handel: x}]"),
        "line 4, edges[0].handel: unknown key, did you mean 'handle'?"
    );
    EXPECT_EQ(graph("{from: a}"), "line 4, edges: must be a list of {from, to, handle}");
}

TEST(DefinitionErrors, FromJsonHasAPathAndNoLine) {
    const json::value value{
        {"name", "x"}, {"steps", json::array{json::object{{"name", "a"}, {"wait", "x"}}}}};
    EXPECT_EQ(
        definition_from_json(value).error().message.substr(0, 30), "steps[0].wait: 'x' is not a du"
    );
    EXPECT_EQ(definition_from_json(nullptr).error().message, "must be a map of keys and values");
}

TEST(DefinitionErrors, Limits) {
    EXPECT_EQ(
        message(std::string((1 << 20) + 1, 'x')),
        "the definition is 1048577 bytes; the limit is 1048576 bytes"
    );
    std::string deep = "name: x\nsteps: " + std::string(33, '[') + std::string(33, ']');
    EXPECT_EQ(message(deep), "line 2: nested deeper than 32 levels");

    std::string many = "name: x\nsteps:\n";
    for (int i = 0; i < 1001; ++i) many += fmt::format("- {{name: s{}, code: f}}\n", i);
    EXPECT_EQ(message(many), "line 3, steps: may hold 1000 at most");

    std::string bomb = "name: x\na0: &a0 [x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        bomb += fmt::format(
            "a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1
        );
    }
    EXPECT_NE(message(bomb).find("too large once its aliases are expanded"), std::string::npos);
    // Extremes of the scanner itself.
    for (char c : {'[', '{', '-', '?', '&', '*', '!', '|', '"', '\t', '%', ':'}) {
        EXPECT_NE(message(std::string(20'000, c)), "no error") << c;
    }
}

TEST(DefinitionErrors, RubbishNeverCrashes) {
    EXPECT_TRUE(rc::check([](const std::string& bytes) { (void)parse_definition(bytes); }));
    EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& picks) {
        static constexpr std::string_view parts[] = {
            "name: ",  "x",          "\n",     "  ",         "- ",  "steps:", "code: f", "{",
            "}",       "[",          "]",      ", ",         ": ",  "\"",     "'",       "{{ a }}",
            "retry: ", "attempts: ", "wait: ", "5s",         "&a ", "*a",     "!!str ",  "|\n",
            "---\n",   "<<",         "? ",     "\xff",       "\t",  "nodes:", "edges:",  "~",
            "http: ",  "url: ",      "#",      "%YAML 1.2\n"};
        std::string text;
        for (std::uint8_t pick : picks) text += parts[pick % std::size(parts)];
        (void)parse_definition(text);
    }));
    // A good definition with one byte changed, at every place.
    const std::string good =
        "name: x\nretry: {attempts: 2}\nsteps:\n  - name: a\n    code: f\n    input: [\"{{ b "
        "}}\"]\n"
        "  - {name: c, wait: 5s}\n";
    ASSERT_TRUE(parse_definition(good));
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (char c : {'\0', '\n', '{', '"', ':', '\xff', '*', ' '}) {
            std::string changed = good;
            changed[i] = c;
            const auto definition = parse_definition(changed);
            if (!definition) EXPECT_FALSE(definition.error().message.empty());
        }
        (void)parse_definition(good.substr(0, i));
    }
}

}  // namespace
}  // namespace pawl
