#include "model/schema_words.hpp"

namespace pawl {

const SchemaWords& english_schema_words() {
    static const SchemaWords words{
        "must be {}",
        " or ",
        "must be one of {}",
        " and {} more",
        "must be at least {}",
        "must be at most {}",
        "must be more than {}",
        "must be less than {}",
        "must be a multiple of {}",
        "must not be empty",
        "must have at least {} characters",
        "must have at most {} characters",
        "must match {}",
        "must have at least {} item",
        "must have at most {} item",
        "must have at least {} items",
        "must have at most {} items",
        "is required",
        "is not asked for",
        true,
        "is not allowed",
        "is too long to be checked from here on",
        {{{"object", "an object"},
          {"array", "an array"},
          {"string", "a text"},
          {"number", "a number"},
          {"integer", "an integer"},
          {"boolean", "a boolean"},
          {"null", "null"}}},
        {{{"date", "a date like 2026-01-31"},
          {"date-time", "a time like 2026-01-31T09:00:00Z"},
          {"time", "a time of day like 09:30"},
          {"email", "an e-mail address like ann@example.com"},
          {"uri", "an address like https://example.com/page"},
          {"uuid", "an id like 0190c5d0-0000-7000-8000-000000000000"}}}};
    return words;
}

}  // namespace pawl
