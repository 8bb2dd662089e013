#include "model/json_schema.hpp"

#include "base/cut_text.hpp"
#include "base/exact_json.hpp"
#include "base/json.hpp"
#include "model/compare.hpp"
#include "model/json_formats.hpp"
#include "model/json_pointer.hpp"
#include "model/pattern.hpp"
#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace pawl {

namespace {

constexpr std::size_t problems_max = 50;
constexpr std::size_t message_bytes_max = 200;
constexpr std::size_t pointer_bytes_max = 500;
constexpr std::size_t choices_shown_max = 20;
constexpr std::size_t depth_max = 32;
// Steps of one check: a long list of values against a long list of choices, or long texts against
// patterns, would take minutes, in which no other tenant is served.
constexpr std::size_t work_max = 2'000'000;

// Of a byte that a pattern looks at: the slowest take some microseconds for it.
constexpr std::size_t work_per_byte = 16;

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    }));
}

double number(const json::value& value) {
    json::error_code ignored;
    return value.to_number<double>(ignored);
}

bool is_type(const json::value& value, std::string_view type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_bool();
    if (type == "null") return value.is_null();
    if (!value.is_number()) return false;
    return type == "number" || !value.is_double() ||
           std::trunc(value.get_double()) == value.get_double();
}

// How many values a value is made of: what it takes to compare it.
std::size_t size_of(const json::value& value) {
    std::size_t sum = 1;
    if (const auto* array = value.if_array()) {
        for (const json::value& item : *array) sum += size_of(item);
    } else if (const auto* object = value.if_object()) {
        for (const auto& member : *object) sum += size_of(member.value());
    }
    return sum;
}

// What it takes to hold a value against what a schema says of it, apart from what is in it. The
// database counts the same.
std::size_t work_of(const json::object& schema, const json::value& value) {
    std::size_t work = 1;
    const json::value* choices = schema.if_contains("enum");
    if (choices != nullptr && choices->is_array()) {
        work += choices->get_array().size() * size_of(value);
    }
    const json::value* pattern = schema.if_contains("pattern");
    if (pattern != nullptr && pattern->is_string() && value.is_string()) {
        work += work_per_byte * std::min(value.get_string().size(), Pattern::text_max);
    }
    return work;
}

// The place of a member. What lies below a long one does not carry all of it along.
std::string inside(const std::string& pointer, std::string_view key) {
    if (pointer.size() > pointer_bytes_max) return pointer;
    return pointer + "/" +
           cut_text(escaped(key.substr(0, pointer_bytes_max + 1)), pointer_bytes_max);
}

// A value of the schema in a message.
std::string shown(const json::value& value) {
    if (value.is_string() && value.get_string().size() > message_bytes_max) {
        const std::string_view text = value.get_string();
        return plain_json(json::value(cut_text(text, message_bytes_max)));
    }
    return cut_text(plain_json(value), message_bytes_max);
}

template <typename... Given>
std::string said(const char* words, const Given&... given) {
    return fmt::format(fmt::runtime(words), given...);
}

// The first choices only: a person does not read thousands.
std::string shown(const json::array& choices, const SchemaWords& say) {
    std::string list;
    std::size_t count = 0;
    for (; count < choices.size() && count < choices_shown_max; ++count) {
        const std::string one = shown(choices[count]);
        if (count > 0 && list.size() + one.size() > message_bytes_max) break;
        list += (count == 0 ? "" : ", ") + one;
    }
    if (count < choices.size()) list += said(say.and_more, choices.size() - count);
    return list;
}

// What is named so in these words, or its name.
template <std::size_t count>
std::string_view named(const std::array<SchemaWords::Named, count>& words, std::string_view name) {
    for (const auto& [known, word] : words) {
        if (known == name) return word;
    }
    return name;
}

class Checker {
public:
    explicit Checker(const SchemaWords& words) : say_(words) {}

    void check(
        const json::value& schema,
        const json::value& value,
        const std::string& pointer,
        std::size_t depth
    );
    std::vector<SchemaProblem> take() { return std::move(problems_); }

private:
    // False: the value is of another type, and the rest says nothing about it.
    bool check_type(
        const json::object& schema, const json::value& value, const std::string& pointer
    );
    void check_choice(
        const json::object& schema, const json::value& value, const std::string& pointer
    );
    void check_number(
        const json::object& schema, const json::value& value, const std::string& pointer
    );
    void check_text(
        const json::object& schema, const json::value& value, const std::string& pointer
    );
    void check_object(
        const json::object& schema,
        const json::object& value,
        const std::string& pointer,
        std::size_t depth
    );
    void check_array(
        const json::object& schema,
        const json::array& value,
        const std::string& pointer,
        std::size_t depth
    );
    void wrong(const std::string& pointer, std::string message) {
        if (is_full()) return;
        problems_.push_back({pointer, cut_text(message, 2 * message_bytes_max)});
    }
    bool is_full() const { return problems_.size() >= problems_max; }
    // False: it has been at it for too long, and stops.
    bool spend(const std::string& pointer, std::size_t steps) {
        if (work_ > work_max) return false;
        work_ += steps;
        if (work_ > work_max) wrong(pointer, say_.too_long);
        return work_ <= work_max;
    }
    // Null: it is no pattern. To compile one takes longer than to use it.
    const Pattern* compiled(std::string_view text);

    const SchemaWords& say_;
    std::vector<SchemaProblem> problems_;
    std::size_t work_ = 0;
    std::map<std::string, std::optional<Pattern>, std::less<>> patterns_;
};

const Pattern* Checker::compiled(std::string_view text) {
    auto found = patterns_.find(text);
    if (found == patterns_.end()) {
        auto pattern = Pattern::compile(text);
        found = patterns_.emplace(text, std::nullopt).first;
        if (pattern) found->second = std::move(*pattern);
    }
    return found->second ? &*found->second : nullptr;
}

const json::value* number_of(const json::object& schema, std::string_view key) {
    const json::value* value = schema.if_contains(key);
    return value != nullptr && value->is_number() ? value : nullptr;
}

bool Checker::check_type(
    const json::object& schema, const json::value& value, const std::string& pointer
) {
    const json::value* type = schema.if_contains("type");
    if (type == nullptr) return true;
    const json::array one{*type};
    const json::array& all = type->is_array() ? type->get_array() : one;
    std::string wanted;
    for (const json::value& allowed : all) {
        if (!allowed.is_string()) return true;
        if (is_type(value, allowed.get_string())) return true;
        wanted += wanted.empty() ? "" : say_.between;
        wanted += named(say_.types, allowed.get_string());
    }
    wrong(pointer, said(say_.must_be, wanted));
    return false;
}

void Checker::check_choice(
    const json::object& schema, const json::value& value, const std::string& pointer
) {
    const json::value* choices = schema.if_contains("enum");
    if (choices != nullptr && choices->is_array()) {
        const json::array& all = choices->get_array();
        const auto same = [&value](const json::value& one) { return equal(one, value); };
        if (std::none_of(all.begin(), all.end(), same)) {
            wrong(pointer, said(say_.one_of, shown(all, say_)));
        }
    }
    const json::value* only = schema.if_contains("const");
    if (only != nullptr && !equal(*only, value)) {
        wrong(pointer, said(say_.must_be, shown(*only)));
    }
}

void Checker::check_number(
    const json::object& schema, const json::value& value, const std::string& pointer
) {
    if (const auto* limit = number_of(schema, "minimum");
        limit && std::is_lt(compare(value, *limit))) {
        wrong(pointer, said(say_.at_least, plain_json(*limit)));
    }
    if (const auto* limit = number_of(schema, "maximum");
        limit && std::is_gt(compare(value, *limit))) {
        wrong(pointer, said(say_.at_most, plain_json(*limit)));
    }
    if (const auto* limit = number_of(schema, "exclusiveMinimum");
        limit && std::is_lteq(compare(value, *limit))) {
        wrong(pointer, said(say_.more_than, plain_json(*limit)));
    }
    if (const auto* limit = number_of(schema, "exclusiveMaximum");
        limit && std::is_gteq(compare(value, *limit))) {
        wrong(pointer, said(say_.less_than, plain_json(*limit)));
    }
    if (const auto* step = number_of(schema, "multipleOf"); step && number(*step) > 0) {
        const double times = number(value) / number(*step);
        // 0.07 is a multiple of 0.01, though not in binary.
        if (std::abs(times - std::round(times)) > 1e-9 * std::max(1.0, std::abs(times))) {
            wrong(pointer, said(say_.multiple_of, plain_json(*step)));
        }
    }
}

void Checker::check_text(
    const json::object& schema, const json::value& value, const std::string& pointer
) {
    const std::string_view text = value.get_string();
    const auto length = static_cast<double>(characters(text));
    if (const auto* limit = number_of(schema, "minLength"); limit && length < number(*limit)) {
        wrong(
            pointer,
            number(*limit) == 1 ? say_.not_empty : said(say_.characters_min, plain_json(*limit))
        );
    }
    if (const auto* limit = number_of(schema, "maxLength"); limit && length > number(*limit)) {
        wrong(pointer, said(say_.characters_max, plain_json(*limit)));
    }
    if (const auto* written = schema.if_contains("pattern"); written && written->is_string()) {
        const Pattern* pattern = compiled(written->get_string());
        if (pattern != nullptr && !pattern->found_in(text)) {
            wrong(pointer, said(say_.pattern, std::string_view(written->get_string())));
        }
    }
    if (const auto* format = schema.if_contains("format"); format && format->is_string()) {
        const std::string_view name = format->get_string();
        if (!has_format(name, text)) wrong(pointer, said(say_.must_be, named(say_.formats, name)));
    }
}

void Checker::check_object(
    const json::object& schema,
    const json::object& value,
    const std::string& pointer,
    std::size_t depth
) {
    if (const auto* required = schema.if_contains("required"); required && required->is_array()) {
        for (const json::value& key : required->get_array()) {
            if (is_full()) return;
            if (!key.is_string() || value.contains(key.get_string())) continue;
            wrong(inside(pointer, key.get_string()), say_.required);
        }
    }
    const json::value* properties = schema.if_contains("properties");
    const json::value* additional = schema.if_contains("additionalProperties");
    const bool closed = additional != nullptr && *additional == false;
    for (const auto& [key, member] : value) {
        if (is_full()) return;
        const json::value* own = properties == nullptr ? nullptr : find(*properties, key);
        const std::string place = inside(pointer, key);
        if (own != nullptr) {
            check(*own, member, place, depth + 1);
        } else if (closed) {
            std::vector<std::string_view> known;
            if (properties != nullptr && properties->is_object()) {
                for (const auto& one : properties->get_object()) known.push_back(one.key());
            }
            if (!spend(place, known.size())) return;
            wrong(place, say_.not_asked_for + (say_.guesses ? suggest(key, known) : ""));
        }
    }
}

void Checker::check_array(
    const json::object& schema,
    const json::array& value,
    const std::string& pointer,
    std::size_t depth
) {
    const auto length = static_cast<double>(value.size());
    if (const auto* limit = number_of(schema, "minItems"); limit && length < number(*limit)) {
        wrong(
            pointer, said(number(*limit) == 1 ? say_.item_min : say_.items_min, plain_json(*limit))
        );
    }
    if (const auto* limit = number_of(schema, "maxItems"); limit && length > number(*limit)) {
        wrong(
            pointer, said(number(*limit) == 1 ? say_.item_max : say_.items_max, plain_json(*limit))
        );
    }
    const json::value* items = schema.if_contains("items");
    if (items == nullptr) return;
    for (std::size_t i = 0; i < value.size() && problems_.size() < problems_max; ++i) {
        check(*items, value[i], inside(pointer, std::to_string(i)), depth + 1);
    }
}

void Checker::check(
    const json::value& schema,
    const json::value& value,
    const std::string& pointer,
    std::size_t depth
) {
    if (schema == false) wrong(pointer, say_.not_allowed);
    if (!schema.is_object() || depth > depth_max) return;
    const json::object& object = schema.get_object();
    if (!spend(pointer, work_of(object, value))) return;
    if (!check_type(object, value, pointer)) return;
    check_choice(object, value, pointer);
    if (value.is_number()) check_number(object, value, pointer);
    if (value.is_string()) check_text(object, value, pointer);
    if (value.is_object()) check_object(object, value.get_object(), pointer, depth);
    if (value.is_array()) check_array(object, value.get_array(), pointer, depth);
}

}  // namespace

std::vector<SchemaProblem> check_document(
    const json::value& schema, const json::value& document, const SchemaWords& words
) {
    Checker checker(words);
    checker.check(schema, document, "", 0);
    return checker.take();
}

}  // namespace pawl
