#include "workers/review.hpp"

#include "base/json.hpp"
#include "workers/draft_diff.hpp"

namespace pawl::workers {

namespace {

constexpr int rounds_max = 3;
constexpr double sure_enough = 0.8;

bool needs_person(const Run& run, const json::value& reply) {
    const std::string_view mode = run.text("review");
    if (mode == "never") return false;
    if (mode != "auto") return true;
    const json::value* confidence = find(reply, "confidence");
    const bool sure = confidence != nullptr && confidence->is_number() &&
                      confidence->to_number<double>() >= sure_enough;
    const json::value* human = find(reply, "needs_human");
    return !sure || (human != nullptr && human->is_bool() && human->get_bool());
}

json::object review_config(const Run& run, const std::string& title, const json::value& reply) {
    json::object config{
        {"title", title},
        {"description", "Change what should be changed, then approve; or reject and say why."},
        {"data", {{"subject", text_of(&reply, "subject")}, {"body", text_of(&reply, "body")}}},
        {"form",
         {{"type", "object"},
          {"required", {"subject", "body"}},
          {"properties",
           {{"subject", {{"type", "string"}, {"minLength", 1}, {"maxLength", 500}}},
            {"body", {{"type", "string"}, {"minLength", 1}, {"maxLength", 100'000}}}}}}}};
    if (const auto who = run.text("reviewer"); !who.empty()) config["assignee"] = who;
    const auto within = run.text("review_within");
    config["due"] = within.empty() ? std::string_view("7d") : within;
    return config;
}

void take_approved(Reviewed& reviewed, const StepView& review, int rounds) {
    const std::string drafted = reviewed.subject + "\n\n" + reviewed.body;
    const json::value* data = find(*review.result, "data");
    if (data != nullptr && data->is_object()) {
        if (auto subject = text_of(data, "subject"); !subject.empty()) reviewed.subject = subject;
        if (auto body = text_of(data, "body"); !body.empty()) reviewed.body = body;
    }
    const std::string diff = draft_diff(drafted, reviewed.subject + "\n\n" + reviewed.body);
    reviewed.review = {
        {"by", text_of(review.result, "by")}, {"edited", !diff.empty()}, {"rounds", rounds}};
    if (!diff.empty()) reviewed.review["diff"] = diff;
    reviewed.state = Reviewed::State::approved;
}

}  // namespace

std::string text_of(const json::value* object, std::string_view key) {
    return object == nullptr ? std::string() : std::string(text_in(*object, key));
}

StepDef review_step() {
    return {.name = "human_review", .type = "human", .config = {{"title", "Look at a draft"}}};
}

json::object draft_schema() {
    return {
        {"type", "object"},
        {"additionalProperties", false},
        {"required", {"subject", "body", "confidence", "needs_human"}},
        {"properties",
         {{"subject", {{"type", "string"}}},
          {"body", {{"type", "string"}}},
          {"confidence", {{"type", "number"}, {"minimum", 0}, {"maximum", 1}}},
          {"needs_human", {{"type", "boolean"}}}}}};
}

json::object spent_in(const Run& run) {
    std::int64_t tokens = 0;
    double cost = 0;
    const auto add_cost = [&cost](const json::value& part) {
        const json::value* price = find(part, "cost");
        if (price != nullptr && price->is_number()) cost += price->to_number<double>();
    };
    for (const StepView& step : run.steps) {
        if (step.result == nullptr) continue;
        const json::value* usage = find(*step.result, "usage");
        if (usage == nullptr) continue;
        tokens += whole_number(find(*usage, "prompt_tokens")).value_or(0);
        tokens += whole_number(find(*usage, "completion_tokens")).value_or(0);
        add_cost(*step.result);
        const json::value* before = find(*step.result, "before");
        if (before == nullptr) continue;
        tokens += whole_number(find(*before, "tokens")).value_or(0);
        add_cost(*before);
    }
    return {{"tokens", tokens}, {"cost", cost}};
}

Reviewed draft_and_review(
    Plan& next,
    const Run& run,
    std::string_view draft_step,
    const json::object& draft_input,
    const std::string& title
) {
    Reviewed reviewed;
    json::object input = draft_input;
    // What is under way was asked for with what was known then; asking again changes nothing.
    input["spent"] = spent_in(run);
    for (int round = 1; round <= rounds_max; ++round) {
        const std::string key = round == 1 ? std::string() : std::to_string(round);
        const StepView* draft = next.run_step(run, draft_step, input, key);
        if (draft == nullptr) return reviewed;
        const json::value* reply = find(*draft->result, "reply");
        reviewed.subject = text_of(reply, "subject");
        reviewed.body = text_of(reply, "body");
        if (reply == nullptr || !needs_person(run, *reply)) {
            reviewed.state = Reviewed::State::approved;
            return reviewed;
        }
        const StepView* review =
            next.step(run, "human_review", review_config(run, title, *reply), key);
        if (review == nullptr) return reviewed;
        if (review->outcome == "timeout") {
            reviewed.state = Reviewed::State::timed_out;
            return reviewed;
        }
        if (review->outcome != "rejected") {
            take_approved(reviewed, *review, round);
            return reviewed;
        }
        input["previous"] = *reply;
        input["feedback"] = text_of(review->result, "reason");
    }
    reviewed.state = Reviewed::State::given_up;
    return reviewed;
}

}  // namespace pawl::workers
