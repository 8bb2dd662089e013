#include "model/data_condition.hpp"

#include "base/cut_text.hpp"
#include "base/exact_json.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <optional>
#include <utility>

namespace pawl {

namespace {

constexpr std::size_t shown_max = 60;
constexpr std::size_t depth_max = 16;

std::string_view trim(std::string_view text) {
    const std::size_t from = text.find_first_not_of(' ');
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(' ') - from + 1);
}

Error wrong(std::string_view text, std::string_view why) {
    return {
        Errc::invalid,
        fmt::format("'{}' {}; write it like data.total>100", cut_text(text, shown_max), why),
        {}};
}

struct Parts {
    std::string_view path;
    std::string_view op;
    std::string_view value;
};

// At the first sign of an operator: no path has one.
std::optional<Parts> split(std::string_view text) {
    const std::size_t at = text.find_first_of("<>=!");
    if (at == std::string_view::npos) return std::nullopt;
    const bool two = text.substr(at + 1, 1) == "=" && text[at] != '=';
    if (text[at] == '!' && !two) return std::nullopt;
    const std::size_t size = two ? 2 : 1;
    return Parts{trim(text.substr(0, at)), text.substr(at, size), trim(text.substr(at + size))};
}

// 2026-01-31, 007 and TH are texts.
Result<json::value> read_value(std::string_view text) {
    const bool word = text == "true" || text == "false" || text == "null";
    const bool marked = std::string_view("\"[{").find(text.front()) != std::string_view::npos;
    if (!word && !marked) {
        const auto number = parse_json(text);
        if (!number || !number->is_number()) return json::value(text);
    }
    auto value = parse_exact_json(text);
    if (value && !is_storable(*value)) return Error{Errc::invalid, "it is out of range", {}};
    return value;
}

}  // namespace

Result<Comparison> read_data_condition(std::string_view text) {
    if (text.size() > data_condition_max) return wrong(text, "is longer than 500 bytes");
    const auto parts = split(text);
    if (!parts) return wrong(text, "has none of = != < <= > >=");
    if (!parts->path.starts_with("data.")) return wrong(text, "does not begin with data.");
    if (parts->value.empty()) return wrong(text, "has nothing to compare with");
    auto value = read_value(parts->value);
    if (!value) return wrong(text, "has a value that cannot be read: " + value.error().message);
    if (value->is_array() || value->is_object()) {
        return wrong(text, "compares with a list or an object, not with a number or a text");
    }
    const bool ordered = value->is_number() || value->is_string();
    if (!ordered && parts->op != "=" && parts->op != "!=") {
        return wrong(text, "asks for an order, which only numbers and texts have");
    }
    const json::object object{
        {"path", parts->path}, {"operator", parts->op}, {"value", std::move(*value)}};
    auto condition = parse_condition(object);
    if (!condition) return wrong(text, "is no condition: " + condition.error().message);
    auto test = std::get<Comparison>(std::move(condition->test));
    if (test.path.size() > depth_max) return wrong(text, "has a path of more than 16 names");
    return test;
}

bool meets(const json::value& input, const Comparison& condition) {
    const json::value nothing;
    const json::value* actual = walk(&input, condition.path, 1);
    return holds(actual == nullptr ? nothing : *actual, condition.op, condition.value);
}

}  // namespace pawl
