#include "engine/start/queued_start.hpp"

#include "base/json.hpp"
#include "model/definition.hpp"

#include <gtest/gtest.h>

namespace pawl::engine {
namespace {

// {"a": [[...]]}
json::value nested(std::size_t levels) {
    json::value inner = json::array();
    for (std::size_t i = 2; i < levels; ++i) inner = json::array{std::move(inner)};
    return json::object{{"a", std::move(inner)}};
}

TEST(QueuedStart, AMessageThatIsTooDeepIsSetAsideAsAtOtherDoors) {
    auto definition =
        parse_definition("{name: x, triggers: [{queue: orders}], steps: [{name: a, code: f}]}");
    ASSERT_TRUE(definition) << definition.error().message;
    Program made;
    made.definition = std::move(*definition);
    const auto program = std::make_shared<const Program>(std::move(made));
    using Kind = store::QueuedMessage::Kind;
    for (const Kind kind : {Kind::trigger, Kind::workflow, Kind::message}) {
        store::QueuedMessage message;
        message.queue = "orders";
        message.kind = kind;
        message.message = nested(64);
        const QueuedStart taken = start_of(program, message);
        EXPECT_TRUE(taken.start) << taken.problem;
        message.message = nested(65);
        const QueuedStart refused = start_of(program, message);
        EXPECT_FALSE(refused.start);
        EXPECT_EQ(refused.problem, "the message is nested deeper than 64 levels");
    }
}

}  // namespace
}  // namespace pawl::engine
