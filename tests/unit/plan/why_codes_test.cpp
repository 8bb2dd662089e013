#include "graph_run.hpp"
#include "plan/why.hpp"

#include <set>

namespace pawl::plan {
namespace {

constexpr std::string_view flow = R"(
name: shop
nodes:
- {id: pay, code: f, compensate: refund}
- {id: off, code: f, disabled: true}
- {id: refund, code: f}
edges: [{from: pay, to: off}]
)";

// A run with one token, in whatever state.
struct Scene {
    Definition definition = parsed(flow);
    RunState state;
    Surroundings around{true, 1, "R"};

    Scene() {
        state.started = true;
        state.tokens.emplace_back();
    }
    Token& token() { return state.tokens[0]; }
    void wait(events::Wait wait) {
        token().phase = TokenPhase::waiting;
        token().waits_for = std::move(wait);
    }
    Why told() const { return why(definition, state, around, at(0)); }
};

using Change = void (*)(Scene&);

json::object failure(std::string_view code) {
    return {{"class", "permanent"}, {"code", code}, {"message", "it broke"}, {"step", "pay"}};
}

constexpr Change changes[] = {
    [](Scene& s) { s.around.held = false, s.around.workers = 0; },
    [](Scene& s) { s.around.held = false, s.around.due_at = at(60); },
    [](Scene& s) { s.around.held = false; },
    [](Scene& s) { s.token().attempt = 2; },
    [](Scene& s) {
        s.token().turns = {1, 2};
    },
    [](Scene& s) { s.token().phase = TokenPhase::arrived; },
    [](Scene& s) { s.token().phase = TokenPhase::arrived, s.token().node = 1; },
    [](Scene& s) {
        s.token().phase = TokenPhase::backoff;
        s.token().attempt = 3;
        s.token().until = at(30);
        s.token().waits_for = events::TargetWait{"https://shop", false, "it fails", {}, {}};
    },
    [](Scene& s) { s.token().phase = TokenPhase::backoff, s.token().attempt = 4; },
    [](Scene& s) { s.wait({}), s.token().until = at(90); },
    [](Scene& s) {
        const json::array events{
            json::object{{"event", "paid"}, {"key", "17"}, {"filter", json::object()}},
            json::object{{"event", "left"}}};
        s.wait(events::EventWait{at(90), "all", events});
    },
    [](Scene& s) {
        s.wait(events::SignalWait{at(90), "go"});
    },
    [](Scene& s) {
        events::TaskWait task;
        task.title = "Fine?";
        task.group = "sales";
        s.wait(std::move(task));
    },
    [](Scene& s) {
        events::TaskWait task;
        task.title = "Fine?";
        task.assignee = "ann";
        s.wait(std::move(task));
    },
    [](Scene& s) { s.wait(events::ChildWait{"C"}); },
    [](Scene& s) { s.wait(events::LockWait{"till"}); },
    [](Scene& s) { s.wait(events::CallbackWait{}); },
    [](Scene& s) {
        events::CallbackWait unknown;
        unknown.unknown = true;
        unknown.error = failure("lost");
        s.wait(std::move(unknown));
    },
    [](Scene& s) { s.token().phase = TokenPhase::joining; },
    [](Scene& s) {
        s.token().phase = TokenPhase::iterating;
        Iteration list;
        list.results = {nullptr, nullptr, nullptr};
        list.items = list.results;
        list.begun = 2;
        list.open = 1;
        s.state.iterations.push_back(std::move(list));
    },
    [](Scene& s) { s.state.unwinding = Unwinding{}; },
    [](Scene& s) { s.state.stopping = Stopping{}; },
    [](Scene& s) {
        s.around.gate = Surroundings::Gate{"shop", "api", "acme", 2, 1, 3};
    },
    [](Scene& s) { s.state.paused = true, s.around.reason = "the till is shut"; },
    [](Scene& s) {
        s.state.paused = true, s.state.held = HeldBy{"diverged", "another step"};
    },
    [](Scene& s) {
        s.state.tokens.clear();
        s.state.plan_due = true;
        s.around.held = false;
        s.definition.code = "1.0.0";
    },
    [](Scene& s) { s.state.tokens.clear(); },
    [](Scene& s) { s.state.status = RunStatus::completed; },
    [](Scene& s) { s.state.status = RunStatus::cancelled, s.around.reason = "too late"; },
    [](Scene& s) { s.state.status = RunStatus::failed, s.state.error = failure("broken"); },
    [](Scene& s) {
        s.state.status = RunStatus::failed;
        s.state.error = failure("broken");
        s.around.went_on_as = "S";
    },
    [](Scene& s) {
        s.state.status = RunStatus::failed;
        json::object error = failure("broken");
        const json::object left{{"step", "pay"}, {"by", "refund"}, {"error", failure("no")}};
        json::object of_child = left;
        of_child["run"] = "C";
        error["not_undone"] = json::array{left};
        error["cause"] = {
            {"class", "permanent"}, {"code", "no"}, {"not_undone", json::array{of_child}}};
        s.state.error = error;
    },
};

// Everything that differs from run to run is among the values, as it is in the sentence.
void check_values(std::string_view sentence, const json::value& value) {
    if (const auto* object = value.if_object()) {
        for (const auto& [key, inner] : *object) {
            if (key == "mode" || key == "filtered") continue;
            check_values(sentence, inner);
        }
    } else if (const auto* list = value.if_array()) {
        for (const json::value& inner : *list) check_values(sentence, inner);
    } else {
        const std::string text =
            value.is_string() ? std::string(value.get_string()) : json::serialize(value);
        EXPECT_NE(sentence.find(text), std::string_view::npos) << sentence << " | " << text;
    }
}

void check_clause(const Clause& clause) {
    EXPECT_FALSE(clause.sentence.empty()) << name(clause.code);
    check_values(clause.sentence, clause.names);
}

TEST(WhyCodes, EachHasASentenceWithItsValues) {
    std::set<std::string_view> codes;
    std::set<std::string_view> helps;
    for (const Change change : changes) {
        Scene scene;
        change(scene);
        const Why told = scene.told();
        ASSERT_FALSE(told.clauses.empty());
        for (const Clause& clause : told.clauses) {
            check_clause(clause);
            codes.insert(name(clause.code));
        }
        helps.insert(name(told.help.code));
        check_values(told.help.sentence, told.help.names);
        EXPECT_EQ(told.help.sentence.empty(), told.help.code == HelpCode::nothing);
    }
    const auto all = all_why_codes();
    EXPECT_EQ(codes, std::set<std::string_view>(all.begin(), all.end()));
    const auto all_helps = all_help_codes();
    EXPECT_EQ(helps, std::set<std::string_view>(all_helps.begin(), all_helps.end()));
}

TEST(WhyCodes, LeaveOutWhatIsNotKnown) {
    Scene scene;
    scene.wait(events::SignalWait{std::nullopt, "go"});
    const Why told = scene.told();
    EXPECT_EQ(told.clauses[0].names, json::object({{"step", "pay"}, {"signal", "go"}}));
    EXPECT_EQ(told.help.names, json::object({{"command", "pawl runs signal R go"}}));
}

TEST(WhyCodes, TellApartTheSentencesOfARunThatStops) {
    Scene scene;
    scene.state.stopping = Stopping{};
    scene.state.unwinding = Unwinding{};
    const Why told = scene.told();
    ASSERT_EQ(told.clauses.size(), 3u);
    EXPECT_EQ(told.clauses[0].code, WhyCode::stopping);
    EXPECT_EQ(told.clauses[1].code, WhyCode::undoing);
    EXPECT_EQ(told.clauses[2].code, WhyCode::at_work);
    EXPECT_TRUE(sentence_of(told).ends_with("what it did: 'pay' is being carried out (attempt 1)."))
        << sentence_of(told);
}

}  // namespace
}  // namespace pawl::plan
