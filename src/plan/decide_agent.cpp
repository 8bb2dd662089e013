#include "model/duration.hpp"
#include "plan/decision.hpp"
#include "plan/people.hpp"

#include <fmt/core.h>

namespace pawl::plan {

// What came of one turn. Of another one than the next, another worker has taken care.
void Decision::advance(const Token& token, json::value turn) {
    const auto advanced = events::read<events::StepAdvanced>(turn);
    if (advanced.turn != static_cast<std::int64_t>(token.turns.size())) return;
    append_step(EventType::step_advanced, token, std::move(turn), nullptr);
}

bool Decision::is_reviewed(const Token& token) const {
    const Node& node = node_of(token);
    return node.type == NodeType::agent && !token.withdrawn && node.config.contains("review");
}

// The draft is noted first: the model has answered, however the person decides.
void Decision::begin_review(const Token& token, json::value result) {
    const TokenId id = token.id;
    const auto config = render_config(definition_, state_, token.node, token.frame, token.id);
    if (!config) return fail_step(token, config.error());
    const json::value* review = (*config)->if_contains("review");
    json::object asked;
    if (review != nullptr && review->is_object()) asked = review->get_object();
    if (text_in(asked, "title").empty()) {
        asked["title"] = fmt::format("Look at what '{}' answers", node_of(token).id);
    }
    const json::value* answer = find(result, "answer");
    asked["data"] = answer == nullptr ? result : *answer;
    const json::value* schema = (*config)->if_contains("schema");
    if (schema != nullptr && !asked.contains("form") && !(*config)->contains("decide")) {
        asked["form"] = *schema;
    }
    events::StepAdvanced draft;
    draft.turn = static_cast<std::int64_t>(token.turns.size());
    draft.draft = std::move(result);
    append_step(token, std::move(draft));
    begin_task(*state_.find_token(id), asked);
}

// As it is, or as the person has edited it.
void Decision::end_review(const Token& token, const events::TaskAnswer& answer) {
    const auto draft = events::read<events::StepAdvanced>(token.turns.back());
    json::value result = draft.draft ? json::value(*draft.draft) : json::value();
    if (!result.is_object()) result = json::object{{"answer", std::move(result)}};
    json::object& said = result.get_object();
    if (answer.data) {
        said["answer"] = *answer.data;
        const std::string_view decision = text_in(*answer.data, "decision");
        if (said.contains("decision") && !decision.empty()) said["decision"] = decision;
    }
    json::object review = events::write(answer);
    review.erase("data");
    said["review"] = std::move(review);
    complete(token, std::move(result));
}

}  // namespace pawl::plan
