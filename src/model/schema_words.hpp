#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace pawl {

// What check_document says about a value, in the language of who filled it in. {} is the limit, or
// the values that are allowed.
struct SchemaWords {
    using Named = std::pair<std::string_view, std::string_view>;

    const char* must_be;  // {}: a type, a format or a value
    const char* between;  // two types of which either is allowed
    const char* one_of;
    const char* and_more;  // {}: how many choices are not named
    const char* at_least;
    const char* at_most;
    const char* more_than;
    const char* less_than;
    const char* multiple_of;
    const char* not_empty;
    const char* characters_min;
    const char* characters_max;
    const char* pattern;
    const char* item_min;  // one
    const char* item_max;
    const char* items_min;
    const char* items_max;
    const char* required;
    const char* not_asked_for;
    bool guesses;  // suggests the name that may have been meant, in English
    const char* not_allowed;
    const char* too_long;
    std::array<Named, 7> types;
    std::array<Named, 6> formats;
};

const SchemaWords& english_schema_words();

}  // namespace pawl
