#include "rehearse/mock.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::rehearse {

namespace json = boost::json;

const Answer* MockWorld::pick(const Node& node, int number) {
    const auto found = mocks_.find(node.id);
    if (found == mocks_.end()) return nullptr;
    const auto& turns = found->second.turns;
    const auto turn = std::min(turns.size(), static_cast<std::size_t>(number)) - 1;
    double sum = 0;
    for (const Weighted& each : turns[turn]) sum += each.weight;
    double left = rng_.unit() * sum;
    for (const Weighted& each : turns[turn]) {
        left -= each.weight;
        if (left < 0) return &each.answer;
    }
    return &turns[turn].back().answer;
}

Answer MockWorld::call(const Call& call) {
    if (const Answer* mocked = pick(call.node, call.number)) return *mocked;
    if (real_) {
        if (auto answer = real_(call)) return std::move(*answer);
    }
    Answer answer;
    if (call.node.type == NodeType::condition || call.node.type == NodeType::switch_) {
        answer.error = StepError{
            ErrorClass::permanent,
            "not_mocked",
            fmt::format(
                "'{0}' asks the database: say what it answers, mocks: {{{0}: {{result: {{result: "
                "true}}}}}}",
                call.node.id
            ),
            std::nullopt};
        return answer;
    }
    if (call.node.type == NodeType::agent) {
        answer.error = StepError{
            ErrorClass::permanent,
            "not_mocked",
            fmt::format(
                "'{0}' asks a model: say what it answers, mocks: {{{0}: {{result: {{answer: ..., "
                "decision: ...}}}}}}",
                call.node.id
            ),
            std::nullopt};
        return answer;
    }
    answer.result = json::object();
    if (call.node.type == NodeType::message) answer.result = json::object{{"state", "sent"}};
    return answer;
}

std::optional<Answer> MockWorld::meet(const Node& node, int number) {
    const Answer* mocked = pick(node, number);
    if (mocked == nullptr) return std::nullopt;
    return *mocked;
}

}  // namespace pawl::rehearse
