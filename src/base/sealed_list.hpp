#pragma once

#include "base/json.hpp"
#include "base/seal.hpp"

namespace pawl {

// What links to people are sealed for: one never opens as another.
inline constexpr std::string_view task_seal = "task";
inline constexpr std::string_view unsubscribe_seal = "unsubscribe";

// A list of values as one sealed text.
std::string close_list(const Seal& seal, std::string_view purpose, const json::array& values);
// Nothing when the text was not made by close_list with `size` values. What is in the list is as
// the owner of the secret wrote it, so its types need no check.
std::optional<json::array> open_list(
    const Seal& seal, std::string_view purpose, std::string_view text, std::size_t size
);

}  // namespace pawl
