#include "retry.hpp"

#include <fmt/core.h>
#include <rapidcheck.h>

#include <map>
#include <set>

// Whatever fails in whatever order, and however often the run is retried: each step of each item is
// done once, and a key never stands for two things.
namespace pawl::plan {
namespace {

constexpr std::string_view bodies[] = {
    // a line
    R"(- {id: a, code: f}
- {id: b, code: f}
edges:
- {from: each, to: a, handle: each}
- {from: a, to: b})",
    // branches that come together
    R"(- {id: a, code: f}
- {id: b, code: f}
- {id: c, code: f}
- {id: j, join: {}}
- {id: d, code: f}
edges:
- {from: each, to: a, handle: each}
- {from: a, to: b}
- {from: a, to: c}
- {from: b, to: j}
- {from: c, to: j}
- {from: j, to: d})",
    // a list in a list
    R"(- {id: a, code: f}
- {id: inner, foreach: {items: [x, y], concurrency: 1, fail_fast: INNER}}
- {id: b, code: f}
- {id: c, code: f}
edges:
- {from: each, to: a, handle: each}
- {from: a, to: inner}
- {from: inner, to: b, handle: each}
- {from: inner, to: c})",
    // a scope in a list, beside a branch
    R"(- {id: a, code: f}
- {id: group, scope: {}}
- {id: b, code: f}
- {id: c, code: f}
- {id: d, code: f}
edges:
- {from: each, to: a, handle: each}
- {from: a, to: group}
- {from: a, to: d}
- {from: group, to: b, handle: body}
- {from: b, to: c})",
};

struct Shape {
    std::size_t body = 0;
    int items = 1;
    int concurrency = 1;
    bool fail_fast = true;
    bool inner_fast = true;
};

Definition drawn(const Shape& shape) {
    std::string list;
    for (int i = 0; i < shape.items; ++i) list += fmt::format("{}{}", i == 0 ? "" : ", ", i);
    std::string text = fmt::format(
        "name: x\nnodes:\n- {{id: each, foreach: {{items: [{}], concurrency: {}, fail_fast: "
        "{}}}}}\n",
        list,
        shape.concurrency,
        shape.fail_fast
    );
    text += bodies[shape.body];
    if (const auto at = text.find("INNER"); at != std::string::npos) {
        text.replace(at, 5, shape.inner_fast ? "true" : "false");
    }
    return parsed(text);
}

// Which step of which item: "a 1", "b 0.1".
std::string thing(const GraphRun& run, const Token& token) {
    std::string text;
    for (const Frame* frame = run.state.find_frame(token.frame); frame != nullptr;
         frame = run.state.find_frame(frame->parent)) {
        if (!frame->scope) text = fmt::format(".{}", frame->index) + text;
    }
    return run.definition.nodes[token.node].id + text;
}

struct Chain {
    std::map<std::string, int> done;
    std::map<std::string, std::string> keys;    // of things
    std::map<std::string, std::string> things;  // of keys
};

// Ends one of the steps that are due; false: none is.
bool end_one(GraphRun& run, Chain& chain, const std::string& name, bool may_fail) {
    std::vector<ExecuteStep> due;
    for (const ExecuteStep& step : wants(run.state, at(run.now)).steps) due.push_back(step);
    for (const Token& token : run.state.tokens) {
        if (!token.withdrawn) continue;
        ExecuteStep awaited;
        awaited.token = token.id;
        awaited.node = token.node;
        awaited.visit = token.visit;
        awaited.attempt = token.attempt;
        due.push_back(awaited);
    }
    if (due.empty()) return false;
    const ExecuteStep step = due[*rc::gen::inRange<std::size_t>(0, due.size())];
    const Token token = *run.state.find_token(step.token);
    const std::string what = thing(run, token);
    const std::string key =
        idempotency_key(key_run(run.definition, run.state, step, name), run.definition, step);
    RC_ASSERT(chain.keys.emplace(what, key).first->second == key);
    RC_ASSERT(chain.things.emplace(key, what).first->second == what);
    StepFinished finished;
    finished.token = step.token;
    finished.attempt = step.attempt;
    finished.visit = step.visit;
    if (may_fail && *rc::gen::inRange(0, 4) == 0) {
        finished.error = StepError{ErrorClass::permanent, "gone", "it broke", std::nullopt};
    } else {
        RC_ASSERT(++chain.done[what] == 1);
        finished.result = what;
    }
    run.feed(std::move(finished));
    return true;
}

void play(GraphRun& run, Chain& chain, const std::string& name, bool may_fail) {
    for (int i = 0; run.state.status == RunStatus::running; ++i) {
        RC_ASSERT(i < 500);
        RC_ASSERT(end_one(run, chain, name, may_fail));
    }
}

TEST(Reopen, EachStepOfEachItemIsDoneOnceHoweverOftenItIsRetried) {
    const bool held = rc::check([] {
        Shape shape;
        shape.body = *rc::gen::inRange<std::size_t>(0, std::size(bodies));
        shape.items = *rc::gen::inRange(1, 5);
        shape.concurrency = *rc::gen::inRange(1, 4);
        shape.fail_fast = *rc::gen::arbitrary<bool>();
        shape.inner_fast = *rc::gen::arbitrary<bool>();
        const Definition definition = drawn(shape);
        Chain chain;
        auto run = std::make_unique<GraphRun>(definition);
        play(*run, chain, "first", true);
        for (int i = 0; run->state.status != RunStatus::completed; ++i) {
            RC_ASSERT(i < 6);
            run = std::make_unique<Retry>(definition, run->log);
            play(*run, chain, fmt::format("retry {}", i), i < 3);
        }
        const int nested = shape.body == 2 ? 4 : shape.body == 0 ? 2 : 4;
        RC_ASSERT(chain.done.size() == static_cast<std::size_t>(shape.items * nested));
    });
    EXPECT_TRUE(held);
}

}  // namespace
}  // namespace pawl::plan
