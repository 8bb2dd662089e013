#pragma once

#include "pawl/workflow.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>

namespace pawl::workers {

namespace json = boost::json;

// What the four workers do alike: a model writes, a person may look at it, and what was spent is
// added up. All of it is pure, for use in plans.

// What the calls of a model in this run have used so far: {tokens, cost}.
json::object spent_in(const Run& run);

// The JSON Schema that a draft has to fit: subject, body, confidence, needs_human.
json::object draft_schema();

// A draft that may be sent, or why there is none (yet).
struct Reviewed {
    enum class State { pending, approved, given_up, timed_out };
    State state = State::pending;
    std::string subject;
    std::string body;
    json::object review;  // {by, edited, diff, rounds}; empty without a review
};

// Drafts with `draft_step` and has it looked at by `human_review`, again when it was rejected, up
// to three times. The input says who looks: review always (usual), never, or auto (when the model
// is not sure); and reviewer, review_within.
Reviewed draft_and_review(
    Plan& next,
    const Run& run,
    std::string_view draft_step,
    const json::object& draft_input,
    const std::string& title
);

// A member of an object as text; empty when it is not there or not text.
std::string text_of(const json::value* object, std::string_view key);
// The declaration of the step human_review.
StepDef review_step();

}  // namespace pawl::workers
