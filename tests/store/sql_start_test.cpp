#include "base/json.hpp"
#include "model/template.hpp"
#include "pg/pg_error.hpp"
#include "plan/planner.hpp"
#include "store/under_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <thread>

// pawl.start: what enqueueing means, in the caller's own transaction.
namespace pawl::test {
namespace {

class SqlStart : public ::testing::Test {
protected:
    void workflow(const std::string& steps, const std::string& required = "{}") {
        session_.script(fmt::format(
            "insert into workflow_definitions (name, steps, required_fields) "
            "values ('flow', $s${}$s$, '{}')",
            steps,
            required
        ));
    }
    std::string runs() { return session_.value("select count(*)::text from pawl.live_run"); }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
};

TEST_F(SqlStart, AnUnknownOrInactiveWorkflow) {
    auto detail = session_.refusal("select pawl.start('flow')");
    EXPECT_EQ(detail.message, "Workflow not found: flow");
    EXPECT_EQ(detail.sqlstate, "P0002");
    EXPECT_FALSE(detail.hint.empty());
    workflow(R"([{"name": "a", "function": "f"}])");
    session_.script("update workflow_definitions set active = false");
    detail = session_.refusal("select pawl.start('flow')");
    EXPECT_EQ(detail.message, "Workflow not found: flow");
    EXPECT_EQ(detail.detail, "The workflow is not active.");
    EXPECT_EQ(runs(), "0");
}

TEST_F(SqlStart, SaysThatAWorkflowIsSwitchedOff) {
    workflow(R"([{"name": "a", "function": "f"}])");
    session_.script("select pawl.switch_workflow(1, 'flow', 'too many mails')");
    const auto detail = session_.refusal("select pawl.start('flow')");
    EXPECT_EQ(detail.message, "Workflow flow is switched off: too many mails");
    EXPECT_EQ(detail.sqlstate, "P0002");
    EXPECT_EQ(detail.hint, "select pawl.switch_workflow(1, 'flow', null)");
}

// As the API does, with a word about each.
TEST_F(SqlStart, KeepsToTheLimitsOfTheApi) {
    workflow(R"([{"name": "a", "function": "f"}])");
    const std::pair<std::string, std::string> wrong[] = {
        {"data => '[1]'", "data must be a JSON object (given: array)"},
        {"data => '\"x\"'", "data must be a JSON object (given: string)"},
        {"data => jsonb_build_object('a', repeat('x', 1100000))", "data has 1100009 bytes"},
        {"correlation_id => ''", "correlation_id is empty"},
        {"correlation_id => repeat('x', 401)", "correlation_id has at most 400 bytes, not 401"},
        {"subject => repeat('x', 501)", "subject has at most 500 bytes, not 501"},
        {"triggered_by => repeat('x', 201)", "triggered_by has at most 200 bytes, not 201"},
        {"priority => 70000", "priority must be a whole number from -32768 to 32767, not 70000"},
        {"start_at => 'infinity'", "start_at must be a time of the years 1 to 9999, not infinity"},
        {"start_at => '290000-01-01'", "start_at must be a time of the years 1 to 9999"},
    };
    for (const auto& [argument, message] : wrong) {
        const auto detail = session_.refusal("select pawl.start('flow', " + argument + ")");
        EXPECT_NE(detail.message.find(message), std::string::npos) << detail.message;
        EXPECT_FALSE(detail.hint.empty()) << argument;
        EXPECT_NE(detail.sqlstate, "XX000") << argument;
    }
    EXPECT_EQ(runs(), "0");
    session_.script(
        "select pawl.start('flow', null, repeat('x', 400), repeat('x', 500), null, "
        "'9999-12-31 23:59Z', repeat('x', 200))"
    );
    EXPECT_EQ(runs(), "1");
}

TEST_F(SqlStart, KeepsToReentry) {
    session_.script(
        "insert into pawl.definition (name, steps, settings) values "
        "('flow', '[{\"name\": \"a\", \"function\": \"f\"}]', '{\"reentry\": \"once\"}')"
    );
    const auto start = [&](const std::string& subject) {
        return session_.value("select pawl.start('flow', subject => '" + subject + "')::text");
    };
    const std::string first = start("ann");
    EXPECT_EQ(start("ann"), first);
    EXPECT_NE(start("bob"), first);
    EXPECT_NE(start(""), start(""));
    EXPECT_EQ(runs(), "4");
}

// The item of a foreach and the error that an edge caught are there when the step is reached.
TEST_F(SqlStart, WhatAGraphFillsOnItsWayNeedNotBeGiven) {
    const auto flow = [](std::string_view kind, std::string_view handle) {
        return parse_definition(fmt::format(
            "name: flow\nnodes:\n- {{id: a, {}}}\n"
            "- {{id: b, function: f, payload: ['{{{{ item.id }}}}', '{{{{ index }}}}']}}\n"
            "- {{id: c, function: f, payload: '{{{{ error.code }}}}'}}\n"
            "edges: [{{from: a, to: b, handle: {}}}, {{from: b, to: c, handle: {}}}]\n",
            kind,
            kind.starts_with("foreach") ? "each" : "default",
            handle
        ));
    };
    const auto definition = flow("foreach: [{id: 1}]", "error.timeout");
    ASSERT_TRUE(definition) << definition.error().message;
    db_.apply(*definition);
    session_.script("select pawl.start('flow')");
    // The engine says the same.
    EXPECT_TRUE(validate_input(*definition, json::object()));
    EXPECT_EQ(runs(), "1");
    const auto outside = flow("function: g", "default");
    ASSERT_FALSE(outside);
    EXPECT_NE(
        outside.error().message.find("'item.id' is not defined outside a foreach"),
        std::string::npos
    ) << outside.error().message;
}

// Each used to take the rest of the text apart: minutes.
TEST_F(SqlStart, ATextMayHoldManyPlaceholders) {
    session_.script("set statement_timeout = '60s'");
    EXPECT_EQ(
        session_.value("select count(*) || ' ' || count(distinct path) from pawl.placeholders("
                       "(select string_agg('é {{v' || n || '}} {{ \"{{\" }}', ' ') "
                       "from generate_series(1, 20000) n))"),
        "20000 20000"
    );
    const std::string many = session_.value(
        "select jsonb_build_array(jsonb_build_object('name', 'a', 'function', 'f', "
        "'payload_template', (select string_agg('{{v' || n || '}}', ' ') from "
        "generate_series(1, 3000) n)))::text"
    );
    workflow(many, "{}");
    const auto refused = session_.refusal("select pawl.start('flow', '{}')");
    EXPECT_TRUE(refused.message.ends_with(
        ", v19, v20 and 2980 more. These placeholders exist in workflow steps but were not "
        "provided in data."
    )) << refused.message;
    EXPECT_TRUE(refused.detail.ends_with(", v20 and 2980 more")) << refused.detail;
}

// A default may hold openings, and what is not closed is told as the engine tells it.
TEST_F(SqlStart, ReadsPlaceholdersAsTheEngineDoes) {
    for (const std::string text :
         {"",
          "{{",
          "a {{ b",
          "{{a}}{{b}",
          "{{{a}}}",
          "{{ a | default: {\"b\": {\"c\": 1}} }} {{d}}",
          "{{ \"{{\" }}{{x}}",
          "{{ a | default: \"}} {{ \\\" {{\" }}{{ b }}",
          "{{ a[\"{{\"] }}",
          "{{ 'x {{ y' }} {{ 'z' }}{{q}}",
          "{{ a {{ b }} }}",
          "{{ a | default: [[1], {{}}] }}{{c}}",
          "{{a}} }} {{ b",
          "{{ \"a }} {{b}}",
          "{{{{a}}}} {{b}}"}) {
        std::string expected;
        if (const auto found = placeholders(json::value(text))) {
            for (const Placeholder& one : *found) expected += one.text + ";";
        } else {
            expected = found.error().message;
        }
        const auto quoted = "$t$" + text + "$t$";
        EXPECT_EQ(
            session_.value(
                "select coalesce(max(problem), string_agg(path || ';', '' order by n), "
                "'') from pawl.placeholders(" +
                quoted +
                ") with ordinality as "
                "p (path, segments, has_default, problem, n)"
            ),
            expected
        ) << text;
    }
}

TEST_F(SqlStart, NamesEverythingThatIsMissingBeforeAnythingIsWritten) {
    workflow(
        R"([{"name": "a", "function": "f", "payload_template":
            {"x": "{{guest.email}} {{ city }}", "y": ["{{city}}", {"z": "{{zip}}"}]}},
            {"name": "b", "function": "f", "payload_template": {"x": "{{step_0_result.id}}",
             "y": "{{steps.a.result.id}} {{run.version}} {{opt | default: \"\"}} {{step_two}}"}}])",
        "{name,email,name}"
    );
    auto detail = session_.refusal("select pawl.start('flow', '{\"email\": null}')");
    EXPECT_EQ(detail.message, "Missing required fields: name");
    EXPECT_EQ(detail.detail, "Missing in all: name, guest.email, city, zip, step_two");
    EXPECT_EQ(detail.sqlstate, "22023");
    // The document lets everything through that begins with step_, and finds nothing below arrays.
    detail =
        session_.refusal("select pawl.start('flow', '{\"email\": 1, \"name\": 2, \"zip\": null}')");
    EXPECT_EQ(
        detail.message,
        "Missing template variables: guest.email, city, step_two. These placeholders exist in "
        "workflow steps but were not provided in data."
    );
    EXPECT_EQ(runs(), "0");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.event"), "0");
}

TEST_F(SqlStart, NamesThatTheRunFillsOnItsWayAreNotMissing) {
    const auto missing = [this](const std::string& definition) {
        return session_.value(
            "select array_to_string(m.variables, ',') from pawl.missing_input('" + definition +
            "', '{}') as m"
        );
    };
    EXPECT_EQ(
        missing(R"({"nodes": [{"id": "l", "type": "loop", "config": {"times": 2}},
                    {"id": "a", "type": "code", "config": {"input": "{{ index }} {{ outer }}"}}]})"
        ),
        "outer"
    );
    EXPECT_EQ(
        missing(R"({"steps": [{"name": "a", "code": "f", "on_failure": "continue"},
                    {"name": "b", "code": "f", "input": "{{ error.code }} {{ index }}"}]})"),
        "index"
    );
}

TEST_F(SqlStart, IsOnePartOfTheCallersTransaction) {
    workflow(R"([{"name": "a", "function": "f"}])");
    session_.script("begin; select pawl.start('flow', correlation_id => 'k'); rollback");
    EXPECT_EQ(runs(), "0");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.correlation"), "0");
}

TEST_F(SqlStart, AHundredIdenticalCallsAtOnceAreOneRun) {
    workflow(R"([{"name": "a", "function": "f"}])");
    std::vector<std::string> ids(100);
    std::vector<std::thread> threads;
    for (std::size_t lane = 0; lane < 20; ++lane) {
        threads.emplace_back([&, lane] {
            Session session(db_.database().url());
            for (std::size_t i = lane; i < ids.size(); i += 20) {
                ids[i] = session.value("select pawl.start('flow', correlation_id => 'same')::text");
            }
        });
    }
    for (auto& thread : threads) thread.join();
    for (const auto& id : ids) EXPECT_EQ(id, ids[0]);
    EXPECT_EQ(runs(), "1");
}

TEST_F(SqlStart, WakesWorkersOnceATransaction) {
    workflow(R"([{"name": "a", "function": "f"}])");
    session_.script("listen pawl_wake");
    const auto output = output_of(
        "psql -X -q -t -d '" + db_.database().url() +
        "' -c 'listen pawl_wake' -c \"begin; select pawl.start('flow'), pawl.start('flow'); "
        "select pawl.start('flow', start_at => now() + interval '1 day'); commit\""
    );
    const std::string told = "Asynchronous notification \"pawl_wake\"";
    const auto first = output.find(told);
    ASSERT_NE(first, std::string::npos) << output;
    EXPECT_EQ(output.find(told, first + 1), std::string::npos) << output;
    EXPECT_EQ(runs(), "3");
}

TEST_F(SqlStart, WritesTheFirstEventThatTheEngineWrites) {
    const char* const text =
        "name: flow\ntimeout: 1500ms\nrequired_fields: [a]\nsteps: [{name: s, code: noop}]";
    const auto definition = parse_definition(text).value();
    const auto id = db_.apply(definition).id;
    const auto run = session_.value(
        "select pawl.start('flow', '{\"a\": null}', 'key', 'someone', 3, "
        "timestamptz '2030-01-01 00:00:00.25Z', 'cron')::text"
    );
    plan::Origin origin;
    origin.correlation_id = "key";
    origin.triggered_by = "cron";
    origin.start_at = Instant(std::chrono::milliseconds(1893456000250));
    auto expected = plan::run_started(
        id, 1, json::object{{"a", nullptr}}, "someone", definition, std::move(origin)
    );
    expected.data.as_object()["priority"] = 3;      // added by start_runs, for both
    expected.data.as_object()["uncounted"] = true;  // its first worker counts it
    const auto log = db_.log(RunId{parse_uuid(run).value()});
    ASSERT_EQ(log.size(), 1u);
    EXPECT_EQ(log[0].data, expected.data);
    EXPECT_EQ(
        session_.value("select (priority, subject, due_at at time zone 'UTC')::text "
                       "from pawl.live_run"),
        "(3,someone,\"2030-01-01 00:00:00.25\")"
    );
}

// Payloads that are read wrongly by a simple regular expression, one way or another.
const std::vector<std::string> tricky{
    R"("{{a}}")",
    R"("{{ a }} and {{\tb\n}}")",
    R"("{{a.b.c}} {{a.b}} {{a}}")",
    R"("{{items[0].id}} {{items[7]}} {{items.0}}")",
    R"("{{a[\"x y\"]}} {{a['b']}}")",
    R"("{{a | default: \"}}\"}} {{b | default: {\"x\": {\"y\": 1}}}} {{z | default: [1, [2]]}}")",
    R"("{{a|default:'it'}} {{ b | default : 5 }}")",
    R"("{{ \"{{\" }} {{'lit'}} {{a}}")",
    R"("{{step_0_result}} {{step_12_error.x}} {{step_x}} {{step_1}} {{step_1_result2}}")",
    R"("{{steps.a.result.id}} {{run.started_at}} {{runs}} {{input}} {{input.a}} {{input.q[0]}}")",
    R"("{a} {{a}}} }} { {")",
    R"("{{größe}} {{名前.姓}} {{a-b}} {{$x}}")",
    R"({"z": "{{last}}", "a": ["{{x}}", {"b": "{{x}}"}, 5, null, true], "{{key}}": 1})",
    R"("{{a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.a.b.c.d.e.f}}")",
    R"("{{a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.a.b.c.d.e.f.g}}")",
    R"("{{}}")",
    R"("{{ }}")",
    R"("{{a..b}}")",
    R"("{{a.}}")",
    R"("{{.a}}")",
    R"("{{a b}}")",
    R"("{{a[}}")",
    R"("{{a[b]}}")",
    R"("{{a[-1]}}")",
    R"("{{a[99999999999999999999999]}}")",
    R"("{{a[4294967296]}} {{items[99999999999]}}")",
    R"("{{[0]}}")",
    R"("{{a")",
    R"("{{a | upper}}")",
    R"("{{a | default}}")",
    R"("{{a | default: nope}}")",
    R"("{{a | default: \"open}}")",
    R"("{{a | default: 'x\\'y'}} {{b}}")",
    R"("{{a}}{{b}}{{{{c}}}}")",
    R"("{{a[''']}} {{b}}")",
    R"("{{a\u00a0b}} {{\u00a0}}")",
};

TEST_F(SqlStart, FindsThePlaceholdersThatTheEngineFinds) {
    const std::string data =
        R"({"a": {"b": {"c": 1}, "x y": 2}, "items": [{"id": 1}], "input": {"a": 1}, "x": null})";
    const auto input = json::parse(data);
    int refused = 0;
    for (const std::string& payload : tricky) {
        const auto steps = fmt::format(
            R"([{{"name": "a", "function": "f", "action": "{{{{act}}}}", "url": "{{{{url}}}}",
                "headers": {{"H": "{{{{head}}}}"}}, "payload_template": {}}}])",
            payload
        );
        const json::value stored{
            {"name", "flow"}, {"steps", json::parse(steps)}, {"required_fields", {"q", "a"}}};
        const auto literal = "$s$" + json::serialize(stored) + "$s$::jsonb";
        const auto definition = definition_from_json(stored);
        if (!definition) {
            ++refused;
            // The message of a malformed one is the same, apart from where it is.
            const auto message =
                session_
                    .refusal(
                        "insert into workflow_definitions (name, steps) values ('x', " + literal +
                        " -> 'steps')"
                    )
                    .message;
            const auto from = message.find(": ");
            ASSERT_NE(from, std::string::npos) << message;
            EXPECT_NE(definition.error().message.find(message.substr(from + 2)), std::string::npos)
                << message << " / " << definition.error().message;
            continue;
        }
        // Through jsonb, as the engine gets it: its keys have another order.
        const auto back = json::parse(session_.value("select (" + literal + ")::text"));
        const auto valid = validate_input(definition_from_json(back).value(), input);
        ASSERT_FALSE(valid);
        session_.script(
            "delete from workflow_definitions; insert into workflow_definitions (name, steps, "
            "required_fields) values ('flow', " +
            literal + " -> 'steps', '{q,a}')"
        );
        const auto detail = session_.refusal("select pawl.start('flow', $s$" + data + "$s$)");
        EXPECT_EQ(detail.message, valid.error().message) << payload;
        EXPECT_EQ(detail.detail, "Missing in all: " + valid.error().context.at(0).second)
            << payload;
    }
    EXPECT_GT(refused, 12);
}

}  // namespace
}  // namespace pawl::test
