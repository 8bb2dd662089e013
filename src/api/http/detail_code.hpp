#pragma once

#include "model/sentence_form.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace pawl::api {

// A kind of mistake at one place of a request, for other languages, with the values that are in
// its sentence.
struct DetailCode {
    std::string_view code;  // one of detail_codes()
    SentenceValues values;
};

// Of ProblemPlace::detail; nullopt: the sentence has no code.
std::optional<DetailCode> detail_code(std::string_view detail);

// All there are, each once.
std::vector<std::string_view> detail_codes();

}  // namespace pawl::api
