#include "draw/mermaid.hpp"
#include "draw/summary.hpp"
#include "draw/svg.hpp"
#include "draw/text_drawing.hpp"
#include "model/definition.hpp"
#include "trace.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace pawl::draw {
namespace {

using test::Tracer;

const std::string_view nasty = R"(name: nasty
nodes:
  - {id: a, type: code, config: {function: "x\"]; click a <script>&'`#|{1}"}}
  - {id: b, type: wait, config: {duration: 3d}}
  - {id: c, type: http, config: {url: "https://example.com/\u001b[2J", method: POST}}
edges:
  - {from: a, to: b}
  - {from: a, to: c, handle: error}
)";

Graph nasty_graph() {
    Graph graph{"a <b> & \"c\"", {}, {}};
    graph.boxes = {
        {"a", "x\"]; click a <script>&'`#|{1}", Kind::effect},
        {"b", "line\nfeed \x1b[2J \xe2\x80\xae turned", Kind::wait}};
    graph.arrows = {{0, 1, "|\"> --> x", false}, {1, 0, "back", true}};
    return graph;
}

TEST(DrawMermaid, AFlowchart) {
    Graph graph{"g", {{"check", "condition", Kind::decision}, {"ask", "human", Kind::person}}, {}};
    graph.arrows = {{0, 1, "true", false}, {1, 0, "", false}, {0, 1, "error", true}};
    const std::string text = to_mermaid(graph);
    EXPECT_TRUE(
        text.starts_with("flowchart TD\n"
                         "    n0{\"check<br/>condition\"}:::decision\n"
                         "    n1[/\"ask<br/>human\"/]:::person\n"
                         "    n0 -->|\"true\"| n1\n"
                         "    n1 -.-> n0\n"
                         "    n0 -.->|\"error\"| n1\n")
    ) << text;
}

TEST(DrawMermaid, NothingInANameGetsOutOfItsQuotes) {
    const std::string text = to_mermaid(nasty_graph());
    EXPECT_EQ(text.find("<script>"), std::string::npos) << text;
    EXPECT_EQ(text.find("--> x"), std::string::npos) << text;
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    // Two quotes around each text, and no other.
    EXPECT_EQ(std::count(text.begin(), text.end(), '"'), 2 * 4) << text;
}

// Well-formed as far as these pictures go: tags nest, attributes are quoted, & begins an entity.
void expect_well_formed(const std::string& xml) {
    std::vector<std::string> open;
    for (std::size_t at = 0; at < xml.size(); ++at) {
        if (xml[at] == '&') {
            const std::string entity = xml.substr(at, xml.find(';', at) - at);
            const std::vector<std::string> known{"&amp", "&lt", "&gt", "&quot", "&#39"};
            ASSERT_NE(std::find(known.begin(), known.end(), entity), known.end()) << entity;
        }
        if (xml[at] != '<') continue;
        const std::size_t end = xml.find('>', at);
        ASSERT_NE(end, std::string::npos);
        const std::string tag = xml.substr(at + 1, end - at - 1);
        ASSERT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
        if (tag.starts_with("/")) {
            ASSERT_FALSE(open.empty());
            ASSERT_EQ(open.back(), tag.substr(1));
            open.pop_back();
        } else if (!tag.ends_with("/")) {
            open.push_back(tag.substr(0, tag.find_first_of(" \n")));
        }
        at = end;
    }
    ASSERT_TRUE(open.empty());
}

TEST(DrawSvg, APictureThatStandsAlone) {
    Graph graph{"orders", {{"a", "code", Kind::effect}, {"b", "wait 3d", Kind::wait}}, {}};
    graph.arrows = {{0, 1, "done", false}};
    const std::string svg = to_svg(graph);
    expect_well_formed(svg);
    EXPECT_NE(svg.find("<title id=\"title\">orders</title>"), std::string::npos);
    EXPECT_NE(svg.find("<title>b: wait 3d</title>"), std::string::npos);
    EXPECT_NE(svg.find("<title>a → b: done</title>"), std::string::npos);
    EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
    EXPECT_NE(svg.find("marker-end=\"url(#head)\""), std::string::npos);
    EXPECT_EQ(svg.find("href"), std::string::npos) << "nothing from outside";
}

TEST(DrawSvg, WhateverNamesHoldStaysText) {
    const std::string svg = to_svg(nasty_graph());
    expect_well_formed(svg);
    EXPECT_EQ(svg.find("<script>"), std::string::npos);
    EXPECT_EQ(svg.find('\x1b'), std::string::npos);
}

TEST(DrawSvg, AnyShape) {
    Rng rng(11);
    for (int i = 0; i < 300; ++i) expect_well_formed(to_svg(test::random_graph(rng, 12, 20)));
    Graph large{"large", std::vector<Box>(300), {}};
    for (std::size_t i = 1; i < 300; ++i) large.arrows.push_back({i - 1, i});
    for (std::size_t i = 2; i < 300; ++i) large.arrows.push_back({0, i});
    expect_well_formed(to_svg(large));
}

TEST(DrawGraph, WhatADefinitionSays) {
    const Graph graph = graph_of(parse_definition(nasty).value());
    ASSERT_EQ(graph.boxes.size(), 3U);
    EXPECT_EQ(graph.boxes[1].title, "b");
    EXPECT_EQ(graph.boxes[1].detail, "wait 3d");
    EXPECT_EQ(graph.boxes[1].kind, Kind::wait);
    EXPECT_EQ(graph.boxes[2].detail, "http POST https://example.com/\x1b[2J");
    EXPECT_EQ(graph.arrows[0].label, "") << "the usual way needs no name beside an error";
    EXPECT_EQ(graph.arrows[1].label, "error");
    EXPECT_TRUE(graph.arrows[1].aside);
    EXPECT_EQ(to_text(graph).find('\x1b'), std::string::npos);
    EXPECT_NE(to_text(graph, {.color = true}).find("\x1b[1m"), std::string::npos);
}

TEST(DrawGraph, WhatIsSwitchedOff) {
    const Graph graph = graph_of(parse_definition(R"(name: g
steps:
  - {name: pay, code: f, disabled: true}
  - {name: tell, code: f}
)")
                                     .value());
    EXPECT_EQ(graph.boxes[0].detail, "switched off: code f");
    EXPECT_EQ(graph.boxes[0].kind, Kind::off);
    EXPECT_EQ(graph.boxes[1].kind, Kind::effect);
    EXPECT_NE(to_mermaid(graph).find("switched off: code f\"]:::off\n"), std::string::npos);
    EXPECT_NE(to_mermaid(graph).find("classDef off "), std::string::npos);
    expect_well_formed(to_svg(graph));
    EXPECT_NE(to_svg(graph).find("<g class=\"off\">"), std::string::npos);
    EXPECT_EQ(to_text(graph), R"(┌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┐
╎ pay                  ╎
╎ switched off: code f ╎
└╌╌╌╌╌╌╌╌╌╌┬╌╌╌╌╌╌╌╌╌╌╌┘
           ▼
       ┌────────┐
       │ tell   │
       │ code f │
       └────────┘
)");
}

TEST(DrawGraph, BranchesAndWhatUndoesAStep) {
    const Graph graph = graph_of(parse_definition(R"(name: g
nodes:
  - {id: split, type: parallel}
  - {id: book, type: code, config: {function: f}, compensate: unbook}
  - {id: pay, type: code, config: {function: f}}
  - {id: both, type: join, config: {mode: count, count: 2}}
  - {id: unbook, type: code, config: {function: f}}
edges:
  - {from: split, to: book, when: {path: input.total, operator: ">", value: 100}}
  - {from: split, to: pay}
  - {from: book, to: both}
  - {from: pay, to: both}
)")
                                     .value());
    EXPECT_EQ(graph.boxes[3].detail, "join count 2");
    EXPECT_EQ(graph.boxes[3].kind, Kind::flow);
    EXPECT_EQ(graph.arrows[0].label, "if input.total > 100");
    ASSERT_EQ(graph.arrows.size(), 5U);
    EXPECT_EQ(graph.arrows[4].label, "undone by");
    EXPECT_TRUE(graph.arrows[4].aside);
    EXPECT_EQ(Tracer(to_text(graph)).arrows(), test::arrows_of(graph));
}

TEST(DrawGraph, ConditionsInWords) {
    const auto text = [](std::string_view json) {
        return condition_text(boost::json::parse(json));
    };
    EXPECT_EQ(
        text(R"({"path": "input.total", "operator": ">", "value": 100})"), "input.total > 100"
    );
    EXPECT_EQ(
        text(R"({"all": [{"field": "a", "value": 1}, {"any": [{"path": "b", "operator":
                      "exists"}, {"not": {"path": "c", "operator": "in", "value": [1, 2]}}]}]})"),
        "a = 1 and (b exists or not (c in [1,2]))"
    );
    EXPECT_EQ(
        text(R"({"query": {"table": "users", "field": "plan", "operator": "=", "value": "pro"}})"),
        "users.plan = pro"
    );
    EXPECT_EQ(text("{}"), "");
}

TEST(DrawText, AnOutlineOfWhatDoesNotFit) {
    Graph graph{"g", {}, {}};
    for (int i = 0; i < 12; ++i) graph.boxes.push_back({"n" + std::to_string(i), "", Kind::effect});
    for (std::size_t i = 0; i < 12; ++i) {
        for (std::size_t j = 0; j < 12; ++j) graph.arrows.push_back({i, j, "x", false});
    }
    const std::string text = to_text(graph, {.width = 20});
    EXPECT_TRUE(text.starts_with("n0\n  ╌╌▶ [x] n0\n  ──▶ [x] n1\n")) << text;
}

}  // namespace
}  // namespace pawl::draw
