#include "model/definition.hpp"
#include "model/problem_code.hpp"
#include "model/problems.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace pawl {
namespace {

// Every kind of mistake has an entry: what is written, which node it is about, and what of the
// message tells how to put it right.
struct Bad {
    std::string_view kind;
    std::string_view nodes;  // of a graph, one a line
    std::string_view edges;
    std::string_view node;  // that the error names
    std::string_view says;
};

constexpr std::string_view ok = "- {id: ok, code: f}\n";

constexpr Bad bad_definitions[] = {
    {"unknown type", "- {id: pay, type: zzzzzzzz}", "", "pay", "use one of code, function"},
    {"misspelt type", "- {id: pay, type: htp}", "", "pay", "did you mean 'http'?"},
    {"no type", "- {id: pay}", "", "pay", "give it a type, or one of code, function"},
    {"missing key", "- {id: pay, type: http}", "", "pay", "url: must be the address to call"},
    {"one slash",
     "- {id: pay, http: {url: 'http:/{{ x }}'}}",
     "",
     "pay",
     "url: must have two slashes"},
    {"three slashes",
     "- {id: pay, http: {url: 'http:///h'}}",
     "",
     "pay",
     "url: must have two slashes"},
    {"misspelt key",
     "- {id: pay, http: {url: x, methd: GET}}",
     "",
     "pay",
     "did you mean 'method'?"},
    {"unknown key",
     "- {id: pay, code: f, colour: red}",
     "",
     "pay",
     "known here are code, compensate"},
    {"wrong kind of value", "- {id: pay, code: 5}", "", "pay", "must be text"},
    {"bad duration", "- {id: pay, wait: soon}", "", "pay", "write it like \"30s\""},
    {"bad timeout", "- {id: pay, code: f, timeout: 0s}", "", "pay", "longer than zero"},
    {"timeout of a time",
     "- {id: pay, wait: 5s, timeout: 1m}",
     "",
     "pay",
     "a wait for a time ends anyway"},
    {"timeout of a choice",
     "- {id: pay, type: parallel, timeout: 1m}",
     "",
     "pay",
     "takes no time: leave it out"},
    {"timeout beside due",
     "- {id: pay, human: {title: t, due: 1h}, timeout: 1m}",
     "",
     "pay",
     "are the same: keep one"},
    {"scope without a body",
     "- {id: pay, type: scope}",
     "{from: ok, to: pay}",
     "pay",
     "with the handle body"},
    {"child that is waited for and is not",
     "- {id: pay, call: {workflow: w, wait: false, on_parent_close: wait}}",
     "",
     "pay",
     "cannot be wait beside wait: false"},
    {"bad time zone",
     "- {id: pay, wait: {local_time: '9:00', timezone: Berlin}}",
     "",
     "pay",
     "did you mean 'Europe/Berlin'?"},
    {"bad time of day", "- {id: pay, wait: {local_time: '25:00'}}", "", "pay", "09:00"},
    {"bad weekday",
     "- {id: pay, wait: {local_time: '9:00', weekdays: [someday]}}",
     "",
     "pay",
     "use mon, tue"},
    {"bad date", "- {id: pay, wait: {until: tomorrow}}", "", "pay", "2026-03-01T09:00:00Z"},
    {"two forms of a wait",
     "- {id: pay, wait: {duration: 5s, event: paid}}",
     "",
     "pay",
     "keep one of duration"},
    {"wait for nothing", "- {id: pay, type: wait}", "", "pay", "give one of duration"},
    {"bad template", "- {id: pay, code: f, input: '{{ a.'}", "", "pay", "closed with '}}'"},
    {"unknown step in a template",
     "- {id: pay, code: f, input: '{{ steps.okk.result }}'}",
     "{from: ok, to: pay}",
     "pay",
     "did you mean 'ok'?"},
    {"template where none may be", "- {id: pay, code: '{{ f }}'}", "", "pay", "not be a template"},
    {"bad operator",
     "- {id: pay, condition: {path: a, operator: '=>', value: 1}}",
     "",
     "pay",
     "did you mean '>='?"},
    {"path in braces",
     "- {id: pay, condition: {path: '{{ a }}', operator: '=', value: 1}}",
     "",
     "pay",
     "write the path without braces"},
    {"empty condition", "- {id: pay, type: condition}", "", "pay", "give path, operator and value"},
    {"bad regular expression",
     "- {id: pay, condition: {path: a, operator: matches, value: '(x'}}",
     "",
     "pay",
     "missing )"},
    {"table that is no name",
     "- {id: pay, condition: {query: {table: 'a; drop', field: b, operator: '=', value: 1}}}",
     "",
     "pay",
     "write a table such as orders"},
    {"switch without cases", "- {id: pay, type: switch}", "", "pay", "must be a list of {when"},
    {"case that leads nowhere",
     "- {id: pay, switch: {value: 1, cases: [{equals: 1, handle: one}]}}",
     "{from: ok, to: pay}",
     "pay",
     "add an edge with that handle"},
    {"join that counts to zero",
     "- {id: pay, join: {mode: count, count: 0}}",
     "",
     "pay",
     "from 1 to 1000"},
    {"join that counts too far",
     "- {id: pay, join: {mode: count, count: 3}}",
     "{from: ok, to: pay}",
     "pay",
     "lower count, or lead more edges to it"},
    {"join without a count", "- {id: pay, join: {mode: count}}", "", "pay", "how many branches"},
    {"unknown mode", "- {id: pay, join: {mode: most}}", "", "pay", "use one of chosen, all, any"},
    {"foreach without items", "- {id: pay, type: foreach}", "", "pay", "{{ input.orders }}"},
    {"foreach over text", "- {id: pay, foreach: {items: abc}}", "", "pay", "must be a list"},
    {"foreach without a body",
     "- {id: pay, foreach: {items: [1]}}",
     "{from: ok, to: pay}",
     "pay",
     "add an edge with the handle each, or a workflow"},
    {"foreach with two bodies",
     "- {id: pay, foreach: {items: [1], workflow: w}}",
     "{from: ok, to: pay}, {from: pay, to: ok, handle: each}",
     "pay",
     "keep one of them"},
    {"loop without an end", "- {id: pay, type: loop}", "", "pay", "one of while, until, times"},
    {"loop without a body",
     "- {id: pay, loop: {times: 3}}",
     "{from: ok, to: pay}",
     "pay",
     "add an edge with the handle each"},
    {"loop with a bad cap", "- {id: pay, loop: {times: 3, max: 0}}", "", "pay", "from 1 to"},
    {"call of nothing", "- {id: pay, type: call}", "", "pay", "name the workflow to start"},
    {"call of itself",
     "- {id: pay, call: {workflow: bad}}",
     "{from: ok, to: pay}",
     "pay",
     "put a condition before it"},
    {"person who is asked nothing",
     "- {id: pay, type: human}",
     "",
     "pay",
     "what the person is asked"},
    {"bad form", "- {id: pay, human: {title: t, form: [1]}}", "", "pay", "JSON Schema, such as"},
    {"form that is not understood",
     "- {id: pay, human: {title: t, form: {properties: {a: {type: strin}}}}}",
     "",
     "pay",
     "must be one of"},
    {"more approvals than approvers",
     "- {id: pay, human: {title: t, approvers: [a], approvals: 2}}",
     "",
     "pay",
     "more approvals than there are approvers"},
    {"escalation without a person",
     "- {id: pay, human: {title: t, escalate_after: 1h}}",
     "",
     "pay",
     "go together"},
    {"bad retry", "- {id: pay, code: f, retry: {attempts: 0}}", "", "pay", "from 1 to 100"},
    {"retry list without errors",
     "- {id: pay, code: f, retry: [{attempts: 3}]}",
     "",
     "pay",
     "such as [timeout, http_503]"},
    {"bad on_failure",
     "- {id: pay, code: f, on_failure: panic}",
     "",
     "pay",
     "'abort', 'continue' or 'retry'"},
    {"lock without a key", "- {id: pay, type: lock}", "", "pay", "must name the critical section"},
    {"sql without a statement", "- {id: pay, type: sql}", "", "pay", "must be the SQL to run"},
    {"transform without a program", "- {id: pay, type: transform}", "", "pay", "such as .items"},
    {"withdraws what is not there",
     "- {id: pay, type: cancel, config: {nodes: [zebra]}}",
     "{from: ok, to: pay}",
     "pay",
     "add it, or name another node"},
    {"undone by what is not there",
     "- {id: pay, code: f, compensate: refund}",
     "{from: ok, to: pay}",
     "pay",
     "add it, or name another node"},
    {"undone by a step of the flow",
     "- {id: pay, code: f, compensate: ok}",
     "{from: ok, to: pay}",
     "pay",
     "a node of its own that no edge leads to"},
    {"undone by the end of the run",
     "- {id: pay, code: f, compensate: stop}\n- {id: stop, type: exit}",
     "{from: ok, to: pay}",
     "pay",
     "would end the run before the rest is undone"},
    {"undone by what is undone itself",
     "- {id: pay, code: f, compensate: refund}\n- {id: refund, code: f, compensate: again}\n"
     "- {id: again, code: f}",
     "{from: ok, to: pay}",
     "pay",
     "leave out its 'compensate'"},
    {"bad name", "- {id: 1pay, code: f}", "", "nodes[1]", "must start with a letter"},
    {"no name", "- {code: f}", "", "nodes[1]", "every step needs a name"},
    {"name used twice", "- {id: ok, code: f}", "", "ok", "give one of them another name"},
    {"unreachable", "- {id: pay, code: f}", "", "pay", "lead an edge to it, or take it out"},
    {"edge to nowhere",
     "- {id: pay, code: f}",
     "{from: ok, to: zebra}",
     "zebra",
     "add it, or lead the edge to another one"},
    {"edge to a misspelt node",
     "- {id: pay, code: f}",
     "{from: ok, to: payy}",
     "payy",
     "did you mean 'pay'?"},
    {"edge twice",
     "- {id: pay, code: f}",
     "{from: ok, to: pay}, {from: ok, to: pay}",
     "pay",
     "take one of the two out"},
    {"handle that the type does not have",
     "- {id: pay, code: f}",
     "{from: ok, to: pay, handle: approved}",
     "ok",
     "leaves by default, or error"},
    {"edge after the end",
     "- {id: pay, type: end}\n- {id: more, code: f}",
     "{from: ok, to: pay}, {from: pay, to: more}",
     "pay",
     "take this edge out"},
    {"switched off what only leads",
     "- {id: pay, type: parallel, disabled: true}\n- {id: more, code: f}",
     "{from: ok, to: pay}, {from: pay, to: more}",
     "pay",
     "nodes of type parallel only lead the run"},
    {"switched off without a way on",
     "- {id: pay, human: {title: t}, disabled: true}\n- {id: more, code: f}",
     "{from: ok, to: pay}, {from: pay, to: more, handle: approved}",
     "pay",
     "no edge with the handle default"},
    {"switched off by a word", "- {id: pay, code: f, disabled: 1}", "", "pay", "true or false"},
    {"part of what a step leaves that is switched off",
     "- {id: off, code: f, disabled: true}\n"
     "- {id: pay, code: f, input: \"{{steps.off.result.id}}\"}",
     "{from: ok, to: off}, {from: off, to: pay}",
     "pay",
     "give it a default"},
    {"circle in which all is switched off",
     "- {id: pay, code: f, disabled: true}\n- {id: more, wait: 5s, disabled: true}",
     "{from: ok, to: pay}, {from: pay, to: more}, {from: more, to: pay}",
     "pay",
     "put a step or a wait into it, or use a loop"},
    {"circle in which nothing is done",
     "- {id: pay, type: parallel}\n- {id: more, type: parallel}",
     "{from: ok, to: pay}, {from: pay, to: more}, {from: more, to: pay}",
     "pay",
     "put a step or a wait into it, or use a loop"},
    {"condition of an edge",
     "- {id: pay, code: f}",
     "{from: ok, to: pay, when: {path: a}}",
     "edges[0]",
     "'=' needs something to compare with"},
};

std::string text_of(const Bad& bad) {
    return fmt::format("name: bad\nnodes:\n{}{}\nedges: [{}]\n", ok, bad.nodes, bad.edges);
}

TEST(BadDefinitions, AreToldWhichNodeIsWrongAndWhatToDo) {
    std::set<std::string_view> kinds;
    for (const Bad& bad : bad_definitions) {
        EXPECT_TRUE(kinds.insert(bad.kind).second) << bad.kind;
        const auto problems = definition_problems(text_of(bad));
        ASSERT_FALSE(problems.empty()) << bad.kind;
        const Problem& first = problems[0];
        EXPECT_GT(first.line, 1) << bad.kind;
        const std::string message = fmt::format("{}: {}", first.path, first.what);
        const auto named = bad.node.find('[') != std::string_view::npos
                               ? std::string(bad.node)
                               : fmt::format("'{}'", bad.node);
        EXPECT_NE(message.find(named), std::string::npos) << bad.kind << "\n" << message;
        EXPECT_NE(message.find(bad.says), std::string::npos) << bad.kind << "\n" << message;
        // Other languages have words for it.
        EXPECT_NE(problem_code(first.what).code, "other") << bad.kind << "\n" << first.what;
        // The API gives the same answer.
        const auto refused = parse_definition(text_of(bad));
        ASSERT_FALSE(refused) << bad.kind;
        EXPECT_NE(refused.error().message.find(bad.says), std::string::npos)
            << bad.kind << "\n"
            << refused.error().message;
    }
    EXPECT_GE(kinds.size(), 60u);
}

// What starts a workflow stands beside its nodes.
TEST(BadDefinitions, EntriesToo) {
    const std::pair<std::string_view, std::string_view> list[] = {
        {"triggers: [{cron: '0 9 * *'}]", "five are needed (minute, hour"},
        {"triggers: [{cron: '0 25 * * *'}]", "'25' is not from 0 to 23"},
        {"triggers: [{cron: '0 9 30 2 *'}]", "can never fire: none of its months has such a day"},
        {"triggers: [{cron: '@dayly'}]", "did you mean '@daily'?"},
        {"triggers: [{cron: '0 9 * * *', timezone: Mars}]", "such as Europe/Berlin or UTC"},
        {"triggers: [{cron: '0 9 * * *', overlap: maybe}]", "use one of skip, allow, queue"},
        {"triggers: [{subject: a}]", "one of an event, a queue, a cron expression or"},
        {"triggers: [{event: a, filter: {path: b, operator: like, value: c}}]",
         "did you mean 'contains'?"},
        {"exit_on: [{key: a}]", "must name the event that ends the run"},
        {"reentry: never", "use one of always, once, while_none_open"},
        {"reentry: {after: soon}", "'soon' is not a duration"},
        {"reentry: {after: 10ms}", "must be 1s or longer"},
        {"reentry: {}", "must say how long, such as 30d"},
        {"holdout: 100", "must be a whole number from 0 to 99"},
        {"enter_if: gold", "must be a map of columns"},
        {"enter_if: {tier: {operator: matches, value: a}}", "'matches' is for filters"},
        {"enter_if: {tags: {operator: '=', value: [a]}}", "compare with plain values"},
        {"enter_if: {born: {operator: between, value: ['2000-01-01', '2001-01-01']}}",
         "between is for numbers here"},
        {"triggers: [{audience: 'select id as subject from t'}]", "must say when the audience is"},
        {"triggers: [{audience: 'delete from t', schedule: '@daily'}]", "begins with 'delete'"},
        {"triggers: [{audience: 'select 1; drop table t', schedule: '@daily'}]",
         "must be one statement"},
        {"triggers: [{audience: 'select $1 as subject', schedule: '@daily'}]", "has no parameters"},
        {"triggers: [{audience: \"select '{{ a }}'\", schedule: '@daily'}]",
         "cannot have templates"},
        {"triggers: [{audience: '-- none', schedule: '@daily'}]", "begins with ''"},
        {"triggers: [{audience: select 1, schedule: '@daily', local_time: '24:00'}]",
         "from 00:00 to 23:59"},
        {"triggers: [{audience: select 1, schedule: '61 9 * * *'}]", "'61' is not from 0 to 59"},
        {"triggers: [{audience: select 1, schedule: '@daily', input: {a: 1}}]",
         "the columns of the query are the input"},
        {"triggers: [{audience: select 1, schedule: '@daily', cron: '@daily'}]", "keep one"},
        {"timeout: soon", "write it like \"30s\""},
        {"required_fields: a", "must be a list of field names"},
        {"input_schema: a", "must be a JSON Schema, such as {properties: {...}}"},
    };
    for (const auto& [entry, says] : list) {
        const auto text = fmt::format("name: bad\n{}\nsteps: [{{name: a, code: f}}]\n", entry);
        const auto problems = definition_problems(text);
        ASSERT_FALSE(problems.empty()) << entry;
        EXPECT_NE(problem_code(problems[0].what).code, "other") << entry << "\n"
                                                                << problems[0].what;
        const auto refused = parse_definition(text);
        ASSERT_FALSE(refused) << entry;
        const std::string& message = refused.error().message;
        EXPECT_NE(message.find(says), std::string::npos) << entry << "\n" << message;
        EXPECT_TRUE(message.starts_with("line 2, ")) << message;
    }
}

// What looks alike and is right.
TEST(BadDefinitions, GoodOnesAreTaken) {
    const std::pair<std::string_view, std::string_view> list[] = {
        {"- {id: w, wait: {local_time: '{{ input.at }}', timezone: '{{ input.zone }}'}}", "w"},
        {"- {id: w, wait: {date: '{{ input.due }}', offset: -3d, timezone: Europe/Berlin}}", "w"},
        {"- {id: w, wait: {until: '{{ input.due }}'}}", "w"},
        {"- {id: w, human: {title: t, form: {type: object, properties: {a: {type: string}}}}}",
         "w"},
        {"- {id: w, condition: {path: a, operator: exists}}\n- {id: again, call: {workflow: bad}}",
         "w}, {from: w, to: again, handle: 'true'"},
        {"- {id: w, wait: 1d}\n- {id: again, call: {workflow: bad}}", "w}, {from: w, to: again"},
    };
    for (const auto& [nodes, to] : list) {
        const auto text =
            fmt::format("name: bad\nnodes:\n{}{}\nedges: [{{from: ok, to: {}}}]\n", ok, nodes, to);
        const auto read = parse_definition(text);
        EXPECT_TRUE(read) << text << (read ? "" : read.error().message);
    }
}

}  // namespace
}  // namespace pawl
