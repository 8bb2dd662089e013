#include "base/json.hpp"
#include "model/civil_time.hpp"
#include "model/condition.hpp"
#include "model/duration.hpp"
#include "model/suggest.hpp"
#include "model/template_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace pawl {

namespace {

// What other languages call them. Edit distance would lead "=>" to "=".
constexpr std::array<std::pair<std::string_view, std::string_view>, 23> habits{
    {{"=>", ">="},
     {"=<", "<="},
     {"==", "="},
     {"===", "="},
     {"<>", "!="},
     {"!==", "!="},
     {"eq", "="},
     {"ne", "!="},
     {"gt", ">"},
     {"gte", ">="},
     {"lt", "<"},
     {"lte", "<="},
     {"is", "="},
     {"equals", "="},
     {"not", "!="},
     {"like", "contains"},
     {"includes", "contains"},
     {"regex", "matches"},
     {"~", "matches"},
     {"empty", "not exists"},
     {"older", "older than"},
     {"newer than", "within last"},
     {"nin", "not in"}}};

std::vector<std::string_view> operator_list() {
    std::vector<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(Operator::within_last); ++i) {
        names.push_back(name(static_cast<Operator>(i)));
    }
    return names;
}

std::string unknown_operator(std::string_view text) {
    constexpr std::size_t shown_max = 40;
    const auto names = operator_list();
    const auto habit = std::find_if(habits.begin(), habits.end(), [&](const auto& known) {
        return known.first == text;
    });
    std::string hint = habit == habits.end() ? suggest(text, names)
                                             : fmt::format(", did you mean '{}'?", habit->second);
    if (hint.empty()) hint = fmt::format(": use one of {}", fmt::join(names, ", "));
    return fmt::format("'{}' is not an operator{}", text.substr(0, shown_max), hint);
}

// A name that Postgres takes, in quotes, for exactly this name.
bool is_column(std::string_view text) {
    constexpr std::size_t length_max = 63;  // longer ones are cut, and then mean another column
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    if (text.empty() || text.size() > length_max || !is_letter(text.front())) return false;
    return std::all_of(text.begin(), text.end(), [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9');
    });
}

bool is_table(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) return is_column(text);
    return is_column(text.substr(0, dot)) && is_column(text.substr(dot + 1));
}

bool is_time_or_null(const json::value& value) {
    return value.is_null() || (value.is_string() && parse_time(value.get_string()));
}

// What is wrong with a value for its operator; nothing when it is fine.
std::string_view misfit(Operator op, const json::value& value) {
    switch (op) {
        case Operator::in:
        case Operator::not_in:
            return value.is_array() ? "" : "must be a list, such as [\"new\", \"open\"]";
        case Operator::between: {
            const auto* ends = value.if_array();
            const bool pair = ends != nullptr && ends->size() == 2;
            return pair ? "" : "must be a list of two: the lowest and the highest value";
        }
        case Operator::before:
        case Operator::after:
            return is_time_or_null(value)
                       ? ""
                       : "must be a time such as \"2026-03-01T09:00:00Z\" or \"2026-03-01\"";
        case Operator::older_than:
        case Operator::within_last:
            return duration_from_json(value) ? "" : "must be a duration such as 30d";
        case Operator::starts_with:
            return value.is_string() || value.is_null() ? "" : "must be text";
        case Operator::matches:
            return value.is_string() ? "" : "must be a regular expression as text";
        default: return "";
    }
}

class ConditionReader {
public:
    explicit ConditionReader(ConditionLimits limits) : limits_(limits) {}

    Condition read(const json::value& value, const std::string& at, std::size_t depth);
    std::optional<Error> take_error() { return std::move(error_); }

private:
    // The first thing found wrong; reading goes on with a default.
    void wrong(std::string_view at, std::string_view what) {
        if (error_) return;
        error_ = Error{
            Errc::invalid, at.empty() ? std::string(what) : fmt::format("{}: {}", at, what), {}};
    }
    void wrong(const std::string& at, std::string_view key, std::string_view what) {
        wrong(under(at, key), what);
    }
    static std::string under(const std::string& at, std::string_view key) {
        return at.empty() ? std::string(key) : fmt::format("{}.{}", at, key);
    }

    std::vector<Condition> read_list(
        const json::value& value, const std::string& at, std::size_t depth
    );
    Comparison read_comparison(const json::object& object, const std::string& at);
    QueryTest read_query(const json::value& value, const std::string& at);
    void read_path(const json::object& object, const std::string& at, Comparison& test);
    Operator read_operator(const json::object& object, const std::string& at);
    json::value read_value(const json::object& object, const std::string& at, Operator op);
    std::optional<Pattern> read_pattern(const json::value& value, const std::string& at);
    std::string read_name(const json::object& object, const std::string& at, std::string_view key);
    void only(
        const json::object& object,
        const std::string& at,
        const std::vector<std::string_view>& known
    );
    void count_leaf(const std::string& at);

    ConditionLimits limits_;
    std::size_t leaves_ = 0;
    std::size_t queries_ = 0;
    std::optional<Error> error_;
};

Condition ConditionReader::read(
    const json::value& value, const std::string& at, std::size_t depth
) {
    const auto* object = value.if_object();
    if (depth > limits_.depth_max) {
        wrong(at, fmt::format("conditions may be nested {} levels deep", limits_.depth_max));
        return {};
    }
    if (object == nullptr) {
        wrong(
            at,
            "a condition is an object: {path, operator, value}, {all: [...]}, {any: [...]}, "
            "{not: {...}} or {query: {...}}"
        );
        return {};
    }
    const json::value* all = object->if_contains("all");
    const json::value* any = object->if_contains("any");
    const json::value* negated = object->if_contains("not");
    const json::value* query = object->if_contains("query");
    if (all == nullptr && any == nullptr && negated == nullptr && query == nullptr) {
        return {read_comparison(*object, at)};
    }
    if (object->size() > 1) {
        wrong(
            at,
            fmt::format(
                "'{}' and '{}' cannot stand side by side: put both into a list under 'all' or "
                "'any'",
                object->begin()->key(),
                std::next(object->begin())->key()
            )
        );
        return {};
    }
    if (all != nullptr) return {AllOf{read_list(*all, under(at, "all"), depth)}};
    if (any != nullptr) return {AnyOf{read_list(*any, under(at, "any"), depth)}};
    if (query != nullptr) return {read_query(*query, under(at, "query"))};
    Negation negation;
    negation.parts.push_back(read(*negated, under(at, "not"), depth + 1));
    return {std::move(negation)};
}

std::vector<Condition> ConditionReader::read_list(
    const json::value& value, const std::string& at, std::size_t depth
) {
    std::vector<Condition> parts;
    const auto* list = value.if_array();
    if (list == nullptr || list->empty()) {
        wrong(at, "must be a list of at least one condition");
        return parts;
    }
    for (std::size_t i = 0; i < list->size() && !error_; ++i) {
        parts.push_back(read((*list)[i], fmt::format("{}[{}]", at, i), depth + 1));
    }
    return parts;
}

Comparison ConditionReader::read_comparison(const json::object& object, const std::string& at) {
    Comparison test;
    count_leaf(at);
    only(object, at, {"path", "field", "operator", "value"});
    read_path(object, at, test);
    test.op = read_operator(object, at);
    test.value = read_value(object, at, test.op);
    if (test.op == Operator::matches) test.pattern = read_pattern(test.value, under(at, "value"));
    return test;
}

void ConditionReader::read_path(
    const json::object& object, const std::string& at, Comparison& test
) {
    constexpr std::string_view help = "a path looks like input.order.total or steps.pay.result.id";
    constexpr std::size_t shown_max = 60;
    const json::value* path = object.if_contains("path");
    const json::value* field = object.if_contains("field");
    if (path != nullptr && field != nullptr) {
        return wrong(at, "field", "is another word for 'path': keep one of them");
    }
    const std::string_view key = field != nullptr ? "field" : "path";
    if (path == nullptr) path = field;
    if (path == nullptr) return wrong(at, "path", fmt::format("is missing: {}", help));
    const auto* text = path->if_string();
    if (text == nullptr) return wrong(at, key, fmt::format("must be text: {}", help));
    if (text->find("{{") != json::string::npos) {
        return wrong(at, key, "write the path without braces: {{ }} is for values");
    }
    const std::string placeholder = fmt::format("{{{{{}}}}}", std::string_view(*text));
    std::string_view rest = placeholder;
    auto expression = take_expression(rest);
    const bool plain = expression && rest.empty() && !expression->fallback;
    if (!plain) {
        const auto shown = std::string_view(*text).substr(0, shown_max);
        return wrong(at, key, fmt::format("'{}' is not a path: {}", shown, help));
    }
    test.path = std::move(expression->placeholder.path);
    test.path_text = std::string(*text);
}

Operator ConditionReader::read_operator(const json::object& object, const std::string& at) {
    const json::value* written = object.if_contains("operator");
    if (written == nullptr) return Operator::equal;
    const auto* text = written->if_string();
    if (text == nullptr) {
        const std::string list = fmt::format("{}", fmt::join(operator_list(), ", "));
        wrong(at, "operator", fmt::format("must be text: use one of {}", list));
        return {};
    }
    const auto op = parse_operator(*text);
    if (!op) wrong(at, "operator", unknown_operator(*text));
    return op.value_or(Operator::equal);
}

json::value ConditionReader::read_value(
    const json::object& object, const std::string& at, Operator op
) {
    const json::value* value = object.if_contains("value");
    const bool unary = op == Operator::exists || op == Operator::not_exists;
    if (unary && value != nullptr && !value->is_null()) {
        wrong(at, "value", fmt::format("'{}' takes no value: leave it out", name(op)));
    }
    if (unary) return nullptr;
    if (value == nullptr) {
        wrong(
            at, "value", fmt::format("is missing: '{}' needs something to compare with", name(op))
        );
        return nullptr;
    }
    const std::string_view why = misfit(op, *value);
    if (!why.empty() && !has_placeholder(*value)) {
        wrong(at, "value", fmt::format("{} for '{}'", why, name(op)));
    }
    return *value;
}

std::optional<Pattern> ConditionReader::read_pattern(
    const json::value& value, const std::string& at
) {
    const auto* text = value.if_string();
    if (text == nullptr) return std::nullopt;
    auto pattern = Pattern::compile(*text);
    if (pattern) return std::move(*pattern);
    if (!has_placeholder(value)) wrong(at, pattern.error().message);
    return std::nullopt;
}

QueryTest ConditionReader::read_query(const json::value& value, const std::string& at) {
    QueryTest test;
    count_leaf(at);
    const auto* object = value.if_object();
    if (object == nullptr) {
        wrong(at, "must be an object: {table, field, operator, value}");
        return test;
    }
    only(*object, at, {"table", "field", "operator", "value", "subject_field"});
    test.table = read_name(*object, at, "table");
    test.field = read_name(*object, at, "field");
    if (object->contains("subject_field")) {
        test.subject_field = read_name(*object, at, "subject_field");
    }
    test.op = read_operator(*object, at);
    test.value = read_value(*object, at, test.op);
    // Postgres knows back references, which make it try for long; what we compile has none.
    if (test.op == Operator::matches) read_pattern(test.value, under(at, "value"));
    test.index = queries_++;
    return test;
}

std::string ConditionReader::read_name(
    const json::object& object, const std::string& at, std::string_view key
) {
    const json::value* value = object.if_contains(key);
    const auto* text = value == nullptr ? nullptr : value->if_string();
    const bool table = key == "table";
    if (text != nullptr && (table ? is_table(*text) : is_column(*text))) return std::string(*text);
    wrong(
        at,
        key,
        fmt::format(
            "{}: write {}, of letters, digits and '_'",
            value == nullptr ? "is missing" : "is not a name",
            table ? "a table such as orders or sales.orders" : "a column such as status"
        )
    );
    return {};
}

void ConditionReader::only(
    const json::object& object, const std::string& at, const std::vector<std::string_view>& known
) {
    for (const auto& member : object) {
        const std::string_view key = member.key();
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        std::vector<std::string_view> words = known;
        words.insert(words.end(), {"all", "any", "not", "query"});
        return wrong(at, key, fmt::format("unknown key{}", suggest(key, words)));
    }
}

void ConditionReader::count_leaf(const std::string& at) {
    if (++leaves_ <= limits_.leaves_max) return;
    wrong(at, fmt::format("a condition may have {} comparisons; split it", limits_.leaves_max));
}

}  // namespace

Result<Condition> parse_condition(
    const json::value& value, std::string_view at, ConditionLimits limits
) {
    ConditionReader reader(limits);
    Condition condition = reader.read(value, std::string(at), 1);
    if (auto error = reader.take_error()) return std::move(*error);
    return condition;
}

}  // namespace pawl
