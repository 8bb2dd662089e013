#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl {

// What a sentence for people looks like: names in single braces stand for what differs. The code
// stays the same while the sentence is reworded.
struct SentenceForm {
    std::string_view code;
    std::string_view text;
};

// By the names of the form.
using SentenceValues = std::vector<std::pair<std::string_view, std::string>>;

// What the sentence has at the names of the form, without {rest}; nullopt: it is another sentence.
// A value ends where the text behind its name begins first.
std::optional<SentenceValues> values_in(std::string_view form, std::string_view sentence);

}  // namespace pawl
