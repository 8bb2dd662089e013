#include "model/input_schema.hpp"

#include "base/json.hpp"
#include "model/json_pointer.hpp"
#include "model/json_schema.hpp"
#include "model/shared_pattern.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

namespace pawl {

namespace {

// In the words of forms. What a mistaken name may have meant is not guessed: the database would
// have to guess the same.
const SchemaWords& input_words() {
    static const SchemaWords words = [] {
        SchemaWords same = english_schema_words();
        same.guesses = false;
        return same;
    }();
    return words;
}

// To make a pattern of its text takes half a millisecond, at each start.
constexpr std::size_t patterns_max = 100;

// Also those that a note has, an example of a schema, say: the database counts the same.
std::size_t count_patterns(const json::value& value) {
    std::size_t count = 0;
    if (const auto* array = value.if_array()) {
        for (const json::value& item : *array) count += count_patterns(item);
    } else if (const auto* object = value.if_object()) {
        for (const auto& [key, member] : *object) {
            count += key == "pattern" && member.is_string() ? 1 : count_patterns(member);
        }
    }
    return count;
}

Result<void> check_patterns(const json::value& schema, const std::string& pointer) {
    const json::value* pattern = find(schema, "pattern");
    if (pattern != nullptr && pattern->is_string()) {
        const auto shared = check_shared_pattern(pattern->get_string());
        if (!shared) {
            return Error{Errc::invalid, pointer + "/pattern: " + shared.error().message, {}};
        }
    }
    const json::value* properties = find(schema, "properties");
    if (properties != nullptr && properties->is_object()) {
        for (const auto& [key, own] : properties->get_object()) {
            auto fine = check_patterns(own, pointer + "/properties/" + escaped(key));
            if (!fine) return fine;
        }
    }
    const json::value* items = find(schema, "items");
    return items == nullptr ? Result<void>() : check_patterns(*items, pointer + "/items");
}

bool is_of_objects(const json::value& schema) {
    const json::value* type = find(schema, "type");
    if (type == nullptr || *type == "object") return true;
    const json::array* all = type->if_array();
    return all != nullptr && std::find(all->begin(), all->end(), "object") != all->end();
}

// "/items/2/sku" as templates write it: "input.items[2].sku".
std::string place_of(std::string_view pointer) {
    std::string place = "input";
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        const std::size_t end = std::min(pointer.find('/'), pointer.size());
        const std::string_view part = pointer.substr(0, end);
        pointer.remove_prefix(end);
        const bool index =
            !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
        place += index ? '[' : '.';
        for (std::size_t i = 0; i < part.size(); ++i) {
            const bool marked = part[i] == '~' && i + 1 < part.size();
            place += !marked ? part[i] : part[++i] == '1' ? '/' : '~';
        }
        if (index) place += ']';
    }
    return place;
}

}  // namespace

Result<void> check_input_schema(const json::value& schema) {
    if (count_patterns(schema) > patterns_max) {
        return Error{Errc::too_large, fmt::format("has more than {} patterns", patterns_max), {}};
    }
    auto known = check_schema(schema);
    if (!known) return known;
    if (!is_of_objects(schema)) {
        return Error{Errc::invalid, "/type: must be object: an input is always an object", {}};
    }
    return check_patterns(schema, "");
}

Result<void> check_fits(const json::value& schema, const json::value& input) {
    auto problems = check_document(schema, input, input_words());
    if (problems.empty()) return {};
    // The members of an object come in another order from the database.
    std::stable_sort(problems.begin(), problems.end(), [](const auto& one, const auto& other) {
        return one.pointer < other.pointer;
    });
    const SchemaProblem& first = problems.front();
    std::string message = fmt::format("{}: {}", place_of(first.pointer), first.message);
    if (problems.size() > 1) message += fmt::format(" (and {} more)", problems.size() - 1);
    Error error{Errc::invalid, std::move(message), {}};
    for (SchemaProblem& problem : problems) {
        error.context.emplace_back(std::move(problem.pointer), std::move(problem.message));
    }
    return error;
}

bool requires_member(const json::value& schema, std::string_view name) {
    const json::value* required = find(schema, "required");
    if (required == nullptr || !required->is_array()) return false;
    const json::array& names = required->get_array();
    return std::any_of(names.begin(), names.end(), [name](const json::value& one) {
        return one.is_string() && std::string_view(one.get_string()) == name;
    });
}

}  // namespace pawl
