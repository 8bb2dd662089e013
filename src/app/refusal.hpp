#pragma once

#include "base/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::app {

// What a use case does not do, as an Error. Beside the code and the sentence its context says:
//   reason       which refusal it is, finer than the code; a stable name for programs
//   /from, ...   what is wrong at that place of the parameters (a JSON pointer; empty: the whole)
//   workflow, ...   what the sentence names, so that it can be said in another language
inline constexpr std::string_view reason_key = "reason";

Error refusal(Errc code, std::string_view reason, std::string message);
// What is missing by its kind: not_found("there is no run 7").with("run", "7").
Error not_found(std::string message);
// The parameters can be read and are wrong at this place.
Error wrong_at(std::string message, std::string pointer, std::string detail);
// The same for several places, at least one: the message is `prefix`, the first of them and how
// many more there are.
struct WrongPlace {
    std::string pointer;
    std::string detail;
};
Error wrong_places(std::vector<WrongPlace> places, std::string prefix = "");

// A member of the parameters that names a thing for people, and cannot (label_problem); none: fine.
std::optional<Error> wrong_label(std::string_view member, std::string_view text);

// Empty: the error has none.
std::string_view reason_of(const Error& error);

}  // namespace pawl::app
