#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::connect {

using Form = std::vector<std::pair<std::string, std::string>>;

std::string percent_encoded(std::string_view text);

// application/x-www-form-urlencoded.
std::string write_form(const Form& form);
// Nothing when an escape is cut off or is none.
std::optional<Form> read_form(std::string_view text);

}  // namespace pawl::connect
