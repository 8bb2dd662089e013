#include "model/row_conditions.hpp"

#include "base/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl {

namespace {

// Names as they are: a column may have any.
Result<Path> path_of(std::string_view field) {
    Path path;
    for (std::size_t begin = 0; begin <= field.size();) {
        const std::size_t end = std::min(field.find('.', begin), field.size());
        const std::string_view name = field.substr(begin, end - begin);
        if (name.empty() || name.find_first_not_of("0123456789") == std::string_view::npos) {
            return Error{Errc::invalid, fmt::format("'{}' is not the name of a column", field), {}};
        }
        path.push_back({std::string(name)});
        begin = end + 1;
    }
    return path;
}

bool is_left_to_filters(Operator op) {
    return op == Operator::matches || op == Operator::before || op == Operator::after ||
           is_relative(op);
}

Result<Condition> read_test(std::string_view field, const json::value& test) {
    auto path = path_of(field);
    if (!path) return path.error();
    json::object written{{"path", "column"}, {"operator", "="}, {"value", test}};
    if (const json::object* given = test.if_object()) {
        if (!given->contains("operator")) {
            return Error{
                Errc::invalid, fmt::format("{}: write {{operator, value}}, or a value", field), {}};
        }
        written = *given;
        written["path"] = "column";
    } else if (test.is_array()) {
        return Error{
            Errc::invalid,
            fmt::format(
                "{}: for one of several values write {{operator: in, value: [...]}}", field
            ),
            {}};
    }
    if (has_placeholder(written)) {
        return Error{
            Errc::invalid,
            fmt::format("{}: templates are for filters; here are values", field),
            {}};
    }
    auto condition = parse_condition(written);
    if (!condition) {
        return Error{Errc::invalid, fmt::format("{}: {}", field, condition.error().message), {}};
    }
    auto& comparison = std::get<Comparison>(condition->test);
    if (is_left_to_filters(comparison.op)) {
        return Error{
            Errc::invalid,
            fmt::format(
                "{}: '{}' is for filters, which see the whole event", field, name(comparison.op)
            ),
            {}};
    }
    comparison.path = std::move(*path);
    comparison.path_text = field;
    return condition;
}

}  // namespace

Result<Condition> parse_row_conditions(const json::value& conditions) {
    const json::object* fields = conditions.if_object();
    if (fields == nullptr) {
        return Error{Errc::invalid, "must be a map of columns and the values they must have", {}};
    }
    if (fields->size() > ConditionLimits{}.leaves_max) {
        return Error{Errc::invalid, "has more than 200 columns", {}};
    }
    AllOf all;
    for (const auto& [field, test] : *fields) {
        auto one = read_test(field, test);
        if (!one) return one.error();
        all.parts.push_back(std::move(*one));
    }
    return Condition{std::move(all)};
}

bool meets(const Condition& conditions, const json::value& data) {
    const PathLookup lookup = [&data](const Path& path) { return walk(&data, path); };
    return evaluate_known(conditions, lookup).value_or(false);
}

}  // namespace pawl
