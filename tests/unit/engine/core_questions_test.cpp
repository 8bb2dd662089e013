#include "unit/engine/core_fixture.hpp"

namespace pawl::engine {
namespace {

// Two questions, then a step with an effect: what the questions were answered is committed with
// what led to them, and before that step.
TEST_F(CoreTest, QuestionsAreAskedBeforeTheCommit) {
    const auto asking = program(R"(
name: w
person: true
nodes:
- {id: entered, type: trigger}
- {id: gold, type: condition, config: {path: user.tier, operator: "=", value: gold}}
- {id: adult, type: condition, config: {path: user.age, operator: ">", value: 17}}
- {id: act, type: code, function: f}
edges:
- {from: entered, to: gold}
- {from: gold, to: adult, handle: "true"}
- {from: adult, to: act, handle: "true"}
)");
    const RunId run = adopt(asking);
    for (const char* node : {"gold", "adult"}) {
        EXPECT_FALSE(core.has_pending());
        const auto orders = core.take_orders();
        ASSERT_EQ(orders.size(), 1U);
        EXPECT_EQ(asking->definition.nodes[orders[0].step.node].id, node);
        plan::StepFinished answered;
        answered.attempt = 1;
        answered.result = json::object{{"result", true}};
        core.step_finished(run, std::move(answered), now);
    }
    EXPECT_TRUE(core.take_orders().empty());
    const Flight flight = take_flight();
    ASSERT_EQ(flight.batch.events.size(), 3U);
    EXPECT_EQ(flight.batch.events[0].event.type, EventType::node_passed);
    EXPECT_EQ(flight.batch.events[2].event.node, "adult");
    EXPECT_TRUE(core.take_orders().empty());
    commit(flight);
    ASSERT_EQ(core.take_orders().size(), 1U);
}

// A worker that gives its runs back commits what it has decided.
TEST_F(CoreTest, AQuestionThatIsNotAnsweredKeepsNothingBack) {
    const auto asking = program(R"(
name: w
person: true
nodes:
- {id: entered, type: trigger}
- {id: gold, type: condition, config: {path: user.tier, operator: "=", value: gold}}
edges: [{from: entered, to: gold}]
)");
    const RunId run = adopt(asking);
    core.signals({cancel(run)}, now);
    const Flight flight = take_flight();
    EXPECT_EQ(flight.batch.events.front().event.type, EventType::node_passed);
    ASSERT_EQ(flight.batch.closes.size(), 1U);

    adopt(asking);
    core.begin_drain(now);
    const Flight given_back = take_flight();
    ASSERT_EQ(given_back.batch.events.size(), 1U);
    EXPECT_EQ(given_back.batch.parks.size(), 1U);
}

}  // namespace
}  // namespace pawl::engine
