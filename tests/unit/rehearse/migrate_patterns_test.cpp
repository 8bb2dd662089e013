#include "plan/repin.hpp"
#include "rehearse/mock.hpp"
#include "rehearse/test_file.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

// Another version at every position of every pattern workflow: each prefix of each log that their
// cases leave is a run that could be migrated there.
namespace pawl::rehearse {
namespace {

namespace fs = std::filesystem;
using plan::Crossing;
using plan::Impact;
using plan::NodeMap;
using plan::RunState;

std::string read(const fs::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> pattern_names() {
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(PAWL_SOURCE_DIR "/workflows/patterns", none)) {
        if (entry.path().stem().extension() != ".test") names.push_back(entry.path().stem());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string new_id(const std::string& id) {
    return id + "_2";
}

// All nodes under other names, wherever they are named.
Definition with_other_names(const Definition& definition, NodeMap& map) {
    Definition renamed = definition;
    for (const Node& node : definition.nodes) map[node.id] = new_id(node.id);
    for (Node& node : renamed.nodes) {
        node.id = map.at(node.id);
        if (!node.compensate.empty()) node.compensate = map.at(node.compensate);
        std::string config = boost::json::serialize(node.config);
        for (const auto& [from, to] : map) {
            config =
                std::regex_replace(config, std::regex("steps\\." + from + "\\b"), "steps." + to);
        }
        node.config = boost::json::parse(config).as_object();
        if (node.type == NodeType::cancel && node.config.contains("nodes")) {
            for (auto& one : node.config["nodes"].as_array()) {
                one = map.at(std::string(one.as_string()));
            }
        }
    }
    return renamed;
}

Definition without(const Definition& definition, NodeIndex gone) {
    Definition less = definition;
    less.nodes.erase(less.nodes.begin() + gone);
    std::erase_if(less.edges, [gone](const Edge& e) { return e.from == gone || e.to == gone; });
    for (Edge& edge : less.edges) {
        if (edge.from > gone) --edge.from;
        if (edge.to > gone) --edge.to;
    }
    return less;
}

std::vector<Event> renamed_events(std::vector<Event> events, const NodeMap& map) {
    for (Event& event : events) {
        const auto found = map.find(event.node);
        if (found != map.end()) event.node = found->second;
    }
    return events;
}

// What a re-pin itself changes.
RunState comparable(RunState state) {
    state.version = 0;
    state.next_seq = 0;
    for (plan::Token& token : state.tokens) {
        token.came_to.clear();
        if (auto* caught = token.caught.if_object()) caught->erase("step");
    }
    // Errors tell the name of their step.
    if (auto* error = state.error.if_object()) error->erase("step");
    for (auto& one : state.iterations) {
        if (auto* error = one.last_error.if_object()) error->erase("step");
        one.failed_at = 0;
    }
    for (auto& one : state.records) one.seq = 0;
    return state;
}

class MigratePatterns : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        const std::string base = PAWL_SOURCE_DIR "/workflows/patterns/" + GetParam();
        definition_ = parse_definition(read(base + ".yaml")).value();
        const RealSteps none;
        for (const TestCase& test : read_tests(read(base + ".test.yaml"), definition_).file.tests) {
            MockWorld world(test.mocks, none);
            logs_.push_back(rehearse(definition_, test.script, world).log);
        }
        ASSERT_FALSE(logs_.empty());
    }

    // Every prefix that leaves an open run.
    template <typename Check>
    void at_every_position(Check check) {
        std::size_t positions = 0;
        for (const auto& log : logs_) {
            std::vector<Event> prefix;
            RunState state;
            for (std::size_t next = 0; next + 1 < log.size(); ++next) {
                prefix.push_back(log[next]);
                plan::evolve(definition_, state, log[next]);
                if (is_terminal(state.status)) continue;
                check(log, prefix, state);
                ++positions;
            }
        }
        EXPECT_GT(positions, 0U);
    }

    Definition definition_;
    std::vector<std::vector<Event>> logs_;
};

TEST_P(MigratePatterns, AnEqualDefinitionChangesNothing) {
    const Definition same = definition_;
    const Crossing crossing(definition_, same, {});
    at_every_position([&](const auto&, const auto&, const RunState& state) {
        EXPECT_EQ(crossing.judge(state), plan::Verdict{});
        RunState carried = state;
        EXPECT_FALSE(crossing.carry(carried));
        EXPECT_EQ(carried, state);
    });
}

TEST_P(MigratePatterns, OtherNamesMoveOnAndEndTheSame) {
    NodeMap map;
    const Definition renamed = with_other_names(definition_, map);
    const Crossing crossing(definition_, renamed, map);
    boost::json::object names;
    for (const auto& [from, to] : map) names[from] = to;
    const boost::json::object order{{"version", 2}, {"map", names}};
    const std::vector<Event>* as_it_was_of = nullptr;
    RunState as_it_was;
    at_every_position([&](const auto& log, const auto& prefix, const RunState& before) {
        const plan::Verdict verdict = crossing.judge(before);
        if (!before.tokens.empty()) EXPECT_EQ(verdict.impact, Impact::moves_on) << verdict.reason;
        RunState state = before;
        const plan::Moment moment{prefix.back().at, 0.5};
        std::vector<Event> whole = prefix;
        whole.push_back(plan::repin(crossing, state, order, moment));
        ASSERT_FALSE(plan::was_refused(whole.back()));

        // What it decides next is the same.
        RunState as_before = before;
        RunState as_after = state;
        const auto old_events = decide(definition_, as_before, plan::Resumed{}, moment);
        const auto new_events = decide(renamed, as_after, plan::Resumed{}, moment);
        ASSERT_EQ(new_events.size(), old_events.size());
        const auto expected = renamed_events(old_events, map);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(new_events[i].type, expected[i].type);
            EXPECT_EQ(new_events[i].node, expected[i].node);
        }

        // And so is how it ends, when the same happens to it.
        const auto rest = static_cast<std::ptrdiff_t>(prefix.size());
        for (Event event : renamed_events({log.begin() + rest, log.end()}, map)) {
            ++event.seq;
            whole.push_back(std::move(event));
        }
        const RunState ended = plan::fold({{1, &definition_}, {2, &renamed}}, whole);
        if (as_it_was_of != &log) {
            as_it_was_of = &log;
            as_it_was = comparable(plan::fold(definition_, log));
        }
        EXPECT_EQ(ended.status, as_it_was.status);
        EXPECT_EQ(comparable(ended), as_it_was);
    });
}

TEST_P(MigratePatterns, AStepThatIsGoneUnderItWouldBreakIt) {
    std::vector<Definition> less;
    for (NodeIndex node = 0; node < definition_.nodes.size(); ++node) {
        less.push_back(without(definition_, node));
    }
    at_every_position([&](const auto&, const auto&, const RunState& state) {
        for (const plan::Token& token : state.tokens) {
            const auto verdict = Crossing(definition_, less[token.node], {}).judge(state);
            EXPECT_EQ(verdict.impact, Impact::would_break);
            EXPECT_EQ(verdict.node, definition_.nodes[token.node].id);
            EXPECT_NE(verdict.reason.find(verdict.node), std::string::npos);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(
    All,
    MigratePatterns,
    testing::ValuesIn(pattern_names()),
    [](const testing::TestParamInfo<std::string>& info) { return info.param; }
);

}  // namespace
}  // namespace pawl::rehearse
