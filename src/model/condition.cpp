#include "model/condition.hpp"

#include "base/enum_names.hpp"
#include "base/json.hpp"
#include "model/civil_time.hpp"
#include "model/compare.hpp"
#include "model/duration.hpp"

#include <algorithm>
#include <utility>

namespace pawl {

namespace {

constexpr EnumNames<Operator, 18> operators{
    {"=",
     "!=",
     "<",
     "<=",
     ">",
     ">=",
     "in",
     "not in",
     "contains",
     "starts with",
     "matches",
     "exists",
     "not exists",
     "between",
     "before",
     "after",
     "older than",
     "within last"}};

std::optional<Instant> time_of(const json::value& value) {
    const auto* text = value.if_string();
    return text == nullptr ? std::nullopt : parse_time(*text);
}

// Times compare as moments, whatever their offsets; unordered unless both are times.
std::partial_ordering compare_times(const json::value& left, const json::value& right) {
    const auto a = time_of(left);
    const auto b = time_of(right);
    return a && b ? std::partial_ordering(*a <=> *b) : std::partial_ordering::unordered;
}

bool is_in(const json::value& actual, const json::value& list) {
    const auto* items = list.if_array();
    return items != nullptr && std::any_of(items->begin(), items->end(), [&](const auto& item) {
               return equal(actual, item);
           });
}

bool contains(const json::value& actual, const json::value& part) {
    if (actual.is_array()) return is_in(part, actual);
    if (!actual.is_string() || !part.is_string()) return false;
    return std::string_view(actual.get_string()).find(part.get_string()) != std::string_view::npos;
}

bool starts_with(const json::value& actual, const json::value& start) {
    return actual.is_string() && start.is_string() &&
           std::string_view(actual.get_string()).starts_with(start.get_string());
}

bool is_between(const json::value& actual, const json::value& range) {
    const auto* ends = range.if_array();
    if (ends == nullptr || ends->size() != 2) return false;
    const json::value& low = (*ends)[0];
    const json::value& high = (*ends)[1];
    const bool times = time_of(low) && time_of(high);
    const auto order = times ? compare_times : compare;
    return std::is_lteq(order(low, actual)) && std::is_lteq(order(actual, high));
}

const std::vector<Condition>* parts_of(const Condition& condition) {
    if (const auto* all = std::get_if<AllOf>(&condition.test)) return &all->parts;
    if (const auto* any = std::get_if<AnyOf>(&condition.test)) return &any->parts;
    if (const auto* negation = std::get_if<Negation>(&condition.test)) return &negation->parts;
    return nullptr;
}

template <class Test>
void collect(const Condition& condition, std::vector<const Test*>& found) {
    if (const auto* test = std::get_if<Test>(&condition.test)) found.push_back(test);
    if (const auto* parts = parts_of(condition)) {
        for (const Condition& part : *parts) collect(part, found);
    }
}

}  // namespace

std::string_view name(Operator op) {
    return operators.name(op);
}

std::optional<Operator> parse_operator(std::string_view text) {
    std::string spaced(text);
    std::replace(spaced.begin(), spaced.end(), '_', ' ');
    if (spaced == "is null") return Operator::not_exists;
    if (spaced == "is not null") return Operator::exists;
    return operators.parse(spaced);
}

bool Comparison::operator==(const Comparison& other) const {
    return path == other.path && path_text == other.path_text && op == other.op &&
           value == other.value;
}

bool holds(
    const json::value& actual, Operator op, const json::value& expected, const Pattern* pattern
) {
    switch (op) {
        case Operator::equal: return equal(actual, expected);
        case Operator::not_equal: return !equal(actual, expected);
        case Operator::less: return std::is_lt(compare(actual, expected));
        case Operator::less_or_equal: return std::is_lteq(compare(actual, expected));
        case Operator::greater: return std::is_gt(compare(actual, expected));
        case Operator::greater_or_equal: return std::is_gteq(compare(actual, expected));
        case Operator::in: return is_in(actual, expected);
        case Operator::not_in: return expected.is_array() && !is_in(actual, expected);
        case Operator::contains: return contains(actual, expected);
        case Operator::starts_with: return starts_with(actual, expected);
        case Operator::matches:
            return pattern != nullptr && actual.is_string() &&
                   pattern->found_in(actual.get_string());
        case Operator::exists: return !actual.is_null();
        case Operator::not_exists: return actual.is_null();
        case Operator::between: return is_between(actual, expected);
        case Operator::before: return std::is_lt(compare_times(actual, expected));
        case Operator::after: return std::is_gt(compare_times(actual, expected));
        case Operator::older_than:
        case Operator::within_last: return false;
    }
    return false;
}

bool is_relative(Operator op) {
    return op == Operator::older_than || op == Operator::within_last;
}

bool asks_for_now(const Condition& condition) {
    const auto relative = [](const auto* test) { return is_relative(test->op); };
    const auto asked = queries(condition);
    const auto compared = comparisons(condition);
    return std::any_of(asked.begin(), asked.end(), relative) ||
           std::any_of(compared.begin(), compared.end(), relative);
}

void fix_times(Condition& condition, Instant now) {
    const auto fix = [now](Operator& op, json::value& value) {
        if (!is_relative(op)) return;
        const auto back = duration_from_json(value);
        if (!back) return;
        const std::string then = to_rfc3339(saturating_add(now, -*back));
        if (op == Operator::older_than) {
            value = then;
            op = Operator::before;
        } else {
            value = json::array{then, to_rfc3339(now)};
            op = Operator::between;
        }
    };
    std::visit(
        [&](auto& test) {
            if constexpr (requires { test.parts; }) {
                for (Condition& part : test.parts) fix_times(part, now);
            } else {
                fix(test.op, test.value);
            }
        },
        condition.test
    );
}

bool has_query(const Condition& condition) {
    return !queries(condition).empty();
}

std::vector<const QueryTest*> queries(const Condition& condition) {
    std::vector<const QueryTest*> found;
    collect(condition, found);
    return found;
}

std::vector<const Comparison*> comparisons(const Condition& condition) {
    std::vector<const Comparison*> found;
    collect(condition, found);
    return found;
}

bool evaluate(const Condition& condition, const PathLookup& lookup, std::span<const bool> answers) {
    const auto of_part = [&](const Condition& part) { return evaluate(part, lookup, answers); };
    if (const auto* all = std::get_if<AllOf>(&condition.test)) {
        return std::all_of(all->parts.begin(), all->parts.end(), of_part);
    }
    if (const auto* any = std::get_if<AnyOf>(&condition.test)) {
        return std::any_of(any->parts.begin(), any->parts.end(), of_part);
    }
    if (const auto* negation = std::get_if<Negation>(&condition.test)) {
        return std::none_of(negation->parts.begin(), negation->parts.end(), of_part);
    }
    if (const auto* query = std::get_if<QueryTest>(&condition.test)) {
        return query->index < answers.size() && answers[query->index];
    }
    const auto& test = std::get<Comparison>(condition.test);
    const json::value nothing;
    const json::value* actual = lookup(test.path);
    const Pattern* pattern = test.pattern ? &*test.pattern : nullptr;
    return holds(actual == nullptr ? nothing : *actual, test.op, test.value, pattern);
}

std::optional<bool> evaluate_known(const Condition& condition, const PathLookup& lookup) {
    if (const auto* negation = std::get_if<Negation>(&condition.test)) {
        const auto inner = evaluate_known(negation->parts.at(0), lookup);
        return inner ? std::optional(!*inner) : std::nullopt;
    }
    if (const auto* parts = parts_of(condition)) {
        // One part that is true makes `any` true, one that is false makes `all` false, whatever the
        // others are.
        const bool decisive = std::holds_alternative<AnyOf>(condition.test);
        bool known = true;
        for (const Condition& part : *parts) {
            const auto one = evaluate_known(part, lookup);
            if (one == decisive) return decisive;
            known = known && one.has_value();
        }
        return known ? std::optional(!decisive) : std::nullopt;
    }
    if (const auto* test = std::get_if<Comparison>(&condition.test)) {
        const bool asks = test->op == Operator::exists || test->op == Operator::not_exists;
        if (!asks && lookup(test->path) == nullptr) return std::nullopt;
        return evaluate(condition, lookup);
    }
    return std::nullopt;  // a query: only the database knows
}

}  // namespace pawl
