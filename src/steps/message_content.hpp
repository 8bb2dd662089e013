#pragma once

#include "base/error.hpp"
#include "steps/step_request.hpp"

namespace pawl::steps {

// What a message says to a person: the members of its config that are content, or of a stored
// template, with their placeholders filled. Data in `html` is escaped. A template sees `user`,
// `trigger` and `with`; a content of the definition's own sees all that the step sees.
struct FilledContent {
    json::object content;
    bool reveals = false;  // the value of a redacted column is in it
};
Result<FilledContent> render_content(
    const StepRequest& request, const json::value& person, const json::value& stored
);

// The address that the definition gives instead of the person's own.
Result<std::string> render_address(const StepRequest& request, const json::value& person);

}  // namespace pawl::steps
