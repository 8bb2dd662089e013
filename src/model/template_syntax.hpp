#pragma once

#include "model/template.hpp"

#include <optional>
#include <string_view>

namespace pawl {

// One {{ ... }} as parsed. A literal has an empty path and a fallback.
struct TemplateExpression {
    Placeholder placeholder;
    std::optional<boost::json::value> fallback;
};

// Reads the expression at the start of `text`, which begins with "{{", and removes it from `text`.
Result<TemplateExpression> take_expression(std::string_view& text);

}  // namespace pawl
