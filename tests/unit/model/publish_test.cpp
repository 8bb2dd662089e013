// What is refused when a definition is published, and read all the same when it was before.
#include "base/json.hpp"
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

TEST(Publish, NamesOfStepsThatComeLater) {
    EXPECT_EQ(of_line("code: f", "code: f, input: '{{ steps.a.result }}'"), "");
    EXPECT_EQ(
        of_line("code: f, input: '{{ steps.b.result }}'", "code: f"),
        "line 3, steps[0]: 'steps.b.result' is used before the run reaches 'b': that step comes "
        "later (in 'a')"
    );
    EXPECT_NE(of_line("code: f, input: '{{ step_1_result }}'", "code: f"), "");
    EXPECT_EQ(of_line("code: f, input: '{{ steps.b.result | default: 1 }}'", "code: f"), "");
}

TEST(Publish, NamesThatStandForNothing) {
    EXPECT_EQ(
        of_line("code: f", "code: f, input: '{{ steps.a.reslt }}'"),
        "line 4, steps[1]: 'steps.a.reslt' is not defined: a step has result, error, released (in "
        "'b')"
    );
    EXPECT_EQ(
        of_line("code: f", "code: f, input: '{{ run.nmae }}'"),
        "line 4, steps[1]: 'run.nmae' is not defined: a run has id, subject, workflow, version, "
        "started_at (in 'b')"
    );
    EXPECT_EQ(of_line("code: f", "code: f, input: '{{ run.id }} {{ run.workflow }}'"), "");
    EXPECT_NE(of_line("code: f", "code: f, input: '{{ step_9_result }}'"), "");
}

TEST(Publish, RetriesOfWhatIsNotTriedAgainByItself) {
    const auto of_group = [](const std::string& group, const std::string& way) {
        return refusal(
            "name: x\nnodes:\n- {id: g, " + group + "}\n- {id: a, code: f}\nedges:\n" +
            "- {from: g, to: a, handle: " + way + "}\n"
        );
    };
    EXPECT_EQ(
        of_group("foreach: {items: [1]}, retry: [{errors: [items_failed], attempts: 3}]", "each"),
        "line 3, nodes[0]: a foreach is not tried again by itself: put retry on the steps in it, "
        "or an edge with the handle error on 'g'"
    );
    EXPECT_NE(of_group("scope: {timeout: 1m}, retry: [{errors: [timeout]}]", "body"), "");
    EXPECT_EQ(of_group("foreach: {items: [1]}, retry: {attempts: 3}", "each"), "");
    EXPECT_EQ(
        refusal(
            "name: x\nsteps:\n- {name: all, foreach: {items: [1], workflow: y}, retry: [{errors: "
            "[child_failed]}]}\n"
        ),
        ""
    );
    const json::value stored =
        parse_json(
            R"({"name": "x", "nodes": [{"id": "g", "type": "scope", "config": {},
            "retry": [{"errors": ["timeout"]}]}, {"id": "a", "code": "f"}],
            "edges": [{"from": "g", "to": "a", "handle": "body"}]})"
        )
            .value();
    EXPECT_TRUE(definition_from_json(stored).has_value()) << "what was published before";
}

TEST(Publish, ItemsAreKnownInAForeachOnly) {
    EXPECT_EQ(
        of_line("code: f", "code: f, input: '{{ item.id }}'"),
        "line 4, steps[1]: 'item.id' is not defined outside a foreach (in 'b')"
    );
    const std::string nodes = R"(
name: x
nodes:
- {id: all, type: foreach, config: {items: [1]}}
- {id: one, code: {function: f, input: "{{ item }}INSIDE"}}
- {id: after, code: {function: f, input: "AFTER"}}
edges:
- {from: all, to: one, handle: each}
- {from: one, to: all}
- {from: all, to: after}
)";
    const auto with = [&](std::string inside, std::string after) {
        std::string text = nodes;
        text.replace(text.find("INSIDE"), 6, inside);
        text.replace(text.find("AFTER"), 5, after);
        return refusal(text);
    };
    EXPECT_EQ(with("", ""), "");
    EXPECT_NE(with("", "{{ item }}"), "");
    EXPECT_NE(with("{{ outer.item }}", ""), "");
    EXPECT_EQ(
        refusal("name: x\nsteps: [{name: a, foreach: {items: [1], workflow: w, input: {i: '{{ "
                "item }}'}}}]"),
        ""
    );
}

TEST(Publish, ConditionsOfEdgesToo) {
    const std::string text = R"(
name: x
nodes: [{id: a, code: f}, {id: b, code: f}]
edges: [{from: a, to: b, when: {path: PATH, operator: "=", value: 1}}]
)";
    const auto with = [&](std::string path) {
        std::string one = text;
        one.replace(one.find("PATH"), 4, path);
        return refusal(one);
    };
    EXPECT_EQ(with("steps.a.result.n"), "");
    EXPECT_EQ(with("input.n"), "");
    EXPECT_EQ(
        with("steps.aa.result"),
        "line 4, edges[0]: when: 'steps.aa.result' refers to a step that does not exist, did you "
        "mean 'a'?"
    );
    EXPECT_NE(with("steps.b.result"), "");
}

TEST(Publish, AddressesThatCannotBeCalled) {
    EXPECT_EQ(
        refusal("name: x\nsteps: [{name: a, http: {url: 'htp://example.com'}}]"),
        "line 2, steps[0]: url of 'a' must begin with https:// or http://"
    );
    EXPECT_EQ(refusal("name: x\nsteps: [{name: a, http: {url: 'HTTPS://example.com'}}]"), "");
    EXPECT_EQ(refusal("name: x\nsteps: [{name: a, http: {url: '{{ base }}://x'}}]"), "");
    EXPECT_EQ(refusal("name: x\nsteps: [{name: a, http: {url: '{{ base }}/x'}}]"), "");
    EXPECT_EQ(refusal("name: x\nsteps: [{name: a, http: {url: 'http{{ s }}://x'}}]"), "");
    const std::string without = "line 2, steps[0]: url of 'a' must begin with https:// or http://";
    for (const std::string url :
         {"example.com", "example.com/{{ id }}", "//example.com", "/orders", "https://"}) {
        EXPECT_EQ(refusal("name: x\nsteps: [{name: a, http: {url: '" + url + "'}}]"), without);
    }
}

TEST(Publish, RoundsAreKnownInALoopToo) {
    EXPECT_EQ(
        of_line("code: f", "code: f, input: '{{ index }}'"),
        "line 4, steps[1]: 'index' is not defined outside a foreach or a loop; a field of the "
        "input is input.index (in 'b')"
    );
    EXPECT_EQ(
        refusal(R"(
name: x
nodes: [{id: l, type: loop, config: {times: 2}}, {id: a, code: {function: f, input: "{{ index }}"}}]
edges: [{from: l, to: a, handle: each}, {from: a, to: l}]
)"),
        ""
    );
    EXPECT_EQ(
        refusal("name: x\nrequired_fields: [index]\n"
                "steps: [{name: a, code: f, input: '{{ index }}'}]"),
        ""
    );
}

TEST(Publish, WhatUndoesARoundKnowsIt) {
    const auto undone_by = [](const std::string& loop, const std::string& step) {
        return refusal(
            "name: x\nnodes:\n- {id: l, " + loop + "}\n- {id: a, code: f, compensate: undo}\n" +
            "- {id: undo, " + step + "}\nedges: [{from: l, to: a, handle: " +
            (loop.starts_with("type: loop") ? "each}, {from: a, to: l}]\n" : "default}]\n")
        );
    };
    const std::string index = "code: {function: f, input: '{{ index }}'}";
    EXPECT_EQ(undone_by("type: loop, config: {times: 2}", index), "");
    EXPECT_NE(undone_by("code: f", index), "");
}

std::string of_trigger(const std::string& settings) {
    return refusal(
        "name: x\ntriggers:\n- {event: e, " + settings + "}\nsteps: [{id: a, code: f}]\n"
    );
}

TEST(Publish, NamesThatNoEventHas) {
    EXPECT_EQ(
        of_trigger("filter: {path: dta.x, operator: '=', value: 1}"),
        "line 3, triggers[0].filter: 'dta.x' is not defined, did you mean 'data'? An event has id, "
        "name, key, subject, source, time, data; a field of its data is data.dta.x"
    );
    EXPECT_EQ(
        of_trigger("input: {n: '{{ event.dta.x }}'}"),
        "line 3, triggers[0].input: 'event.dta.x' is not defined, did you mean 'data'?: an event "
        "has id, name, key, subject, source, time, data"
    );
    EXPECT_NE(of_trigger("input: {n: '{{ dta.x }}'}"), "");
    EXPECT_NE(of_trigger("subject: '{{ evnet.key }}'"), "");
    EXPECT_NE(of_trigger("filter: {path: n, value: '{{ evnt.key }}'}"), "");
    EXPECT_EQ(of_trigger("input: {n: '{{ dta.x | default: 1 }}'}"), "");
    for (const std::string path :
         {"data.x",
          "event.time",
          "total",
          "order.id",
          "date.from",
          "dta",
          "events[0].id",
          "data.dta.x",
          "source"}) {
        EXPECT_EQ(of_trigger("filter: {path: '" + path + "', value: 1}"), "") << path;
        EXPECT_EQ(of_trigger("input: {n: '{{ " + path + " }}'}"), "") << path;
    }
}

TEST(Publish, FiltersOfWaitsAndExits) {
    const std::string slip = "filter: {path: evnt.data.x, operator: '=', value: 1}";
    EXPECT_EQ(
        of_line("code: f", "wait: {event: e, key: k, " + slip + "}"),
        "line 4, steps[1]: filter: 'evnt.data.x' is not defined, did you mean 'event'? An event "
        "has id, name, key, data; a field of its data is data.evnt.data.x (in 'b')"
    );
    EXPECT_NE(of_line("code: f", "wait: {events: [{event: e, key: k, " + slip + "}]}"), "");
    EXPECT_NE(
        refusal("name: x\nexit_on: [{event: e, " + slip + "}]\nsteps: [{id: a, code: f}]"), ""
    );
    EXPECT_EQ(
        of_line("code: f", "wait: {event: e, key: k, filter: {path: order.id, value: 1}}"), ""
    );
}

TEST(Publish, StepsOfItemsAreKnownInTheirItem) {
    const auto uses = [](const std::string& group, const std::string& way, const std::string& at) {
        const auto input = [&](const std::string& node) {
            return at == node ? "{{ steps.a.result }}" : "none";
        };
        return refusal(
            "name: x\nnodes:\n- {id: g, " + group + "}\n- {id: a, code: f, compensate: u}\n" +
            "- {id: b, code: {function: f, input: '" + input("b") + "'}}\n" +
            "- {id: c, code: {function: f, input: '" + input("c") + "'}}\n" +
            "- {id: u, code: {function: f, input: '" + input("u") + "'}}\n" +
            "edges: [{from: g, to: a, handle: " + way + "}, {from: a, to: b}, {from: g, to: c}]\n"
        );
    };
    EXPECT_EQ(
        uses("foreach: {items: [1]}", "each", "c"),
        "line 6, nodes[3]: 'steps.a.result' is known in the foreach 'g' only: after it there is "
        "'steps.g.result' (in 'c')"
    );
    EXPECT_NE(uses("scope: {timeout: 1m}", "body", "c"), "");
    for (const std::string node : {"b", "u"}) {
        EXPECT_EQ(uses("foreach: {items: [1]}", "each", node), "") << node;
        EXPECT_EQ(uses("scope: {timeout: 1m}", "body", node), "") << node;
    }
}

TEST(Publish, OnlyWhatUndoesKnowsWhatItUndoes) {
    EXPECT_EQ(
        of_line("code: f", "code: f, input: '{{ undo.result }}'"),
        "line 4, steps[1]: 'undo.result' is not defined: only a node that another one names under "
        "compensate has it; a field of the input is input.undo (in 'b')"
    );
    EXPECT_EQ(
        refusal(R"(
name: x
nodes: [{id: a, code: f, compensate: b}, {id: b, code: {function: f, input: "{{ undo.result }}"}}]
edges: []
)"),
        ""
    );
}

TEST(Publish, NumbersThatNoDoubleHolds) {
    EXPECT_EQ(
        refusal("name: x\nsteps: [{name: a, code: f, input: {n: 1e999}}]"),
        "line 2: the number 1e999 is out of range; put it in quotes if it is text"
    );
    EXPECT_EQ(refusal("name: x\nsteps: [{name: a, code: f, input: {n: '1e999'}}]"), "");
    EXPECT_EQ(
        refusal("name: x\nsteps: [{name: a, code: f, input: {n: 1.7976931348623157e308}}]"), ""
    );
}

std::string with_header(const std::string& name) {
    return refusal(
        "name: x\nsteps: [{name: a, http: {url: 'https://example.com', headers: {" + name +
        ": '{{ input.h }}'}}}]"
    );
}

TEST(Publish, HeadersThatOnlyTheClientSets) {
    EXPECT_EQ(
        with_header("Host"),
        "line 2, steps[0]: the header Host of 'a' cannot be set by hand: write the host into the "
        "url"
    );
    for (const char* name :
         {"expect",
          "Connection",
          "KEEP-ALIVE",
          "te",
          "Trailer",
          "Upgrade",
          "Proxy-Authorization",
          "Content-Length",
          "Transfer-Encoding"}) {
        EXPECT_EQ(
            with_header(name),
            std::string("line 2, steps[0]: the header ") + name +
                " of 'a' cannot be set by hand: it belongs to the connection"
        );
    }
    EXPECT_EQ(with_header("X-Host"), "");
    EXPECT_EQ(with_header("Authorization"), "");
    EXPECT_NE(
        refusal("name: x\nsteps: [{name: a, function: f, headers: {host: other.example}}]"), ""
    );
}

std::string loop_of(const std::string& outer, const std::string& inner) {
    return "name: x\nnodes:\n- {id: o, type: loop, config: {" + outer +
           "}}\n- {id: i, type: loop, config: {" + inner + R"(}}
- {id: body, code: f}
edges:
- {from: o, to: i, handle: each}
- {from: i, to: body, handle: each}
- {from: body, to: i}
- {from: i, to: o}
)";
}

TEST(Publish, MoreRoundsThanARunMayGo) {
    EXPECT_EQ(refusal(loop_of("times: 10", "times: 100")), "");
    EXPECT_EQ(
        refusal(loop_of("times: 1001", "times: 1")),
        "line 3, nodes[0]: times of 'o' must be a whole number up to 1000: more rounds belong into "
        "child runs, called from the loop or by a foreach with a workflow"
    );
    EXPECT_NE(refusal(loop_of("times: 2", "times: -1")), "");
    EXPECT_EQ(
        refusal(loop_of("times: 11", "times: 100")),
        "line 5, nodes[2]: a run would enter 'body' 1100 times by o and i; the limit is 1000: put "
        "the inner loop into a child workflow"
    );
}

// A run of today may be one of a version that would not be published any more.
TEST(Publish, WhatWasPublishedBeforeIsRead) {
    const boost::json::value stored{
        {"name", "x"}, {"steps", {{{"name", "a"}, {"code", "f"}, {"input", "{{ item }}"}}}}};
    EXPECT_TRUE(definition_from_json(stored));
}

}  // namespace
}  // namespace pawl
