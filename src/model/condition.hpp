#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "model/pattern.hpp"
#include "model/template.hpp"

#include <boost/json/value.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pawl {

// A condition as JSON:
//   {path: "input.total", operator: ">", value: 100}     (`field` is another word for `path`)
//   {all: [...]}  {any: [...]}  {not: {...}}
//   {query: {table, field, operator, value, subject_field?}}    asks the database
enum class Operator {
    equal,
    not_equal,
    less,
    less_or_equal,
    greater,
    greater_or_equal,
    in,
    not_in,
    contains,
    starts_with,
    matches,
    exists,
    not_exists,
    between,
    before,
    after,
    older_than,   // a time before now, by more than a duration
    within_last,  // a time before now, by a duration at most
};

// As written: "=", "not in". Reading takes "not_in" too, and "is null" and "is not null" for "not
// exists" and "exists".
std::string_view name(Operator op);
std::optional<Operator> parse_operator(std::string_view text);
// Whether it compares with the present moment.
bool is_relative(Operator op);

// A comparison with a value of the context.
struct Comparison {
    Path path;
    std::string path_text;  // as written, for messages
    Operator op = Operator::equal;
    boost::json::value value;
    std::optional<Pattern> pattern;  // of `value`, when the operator is matches

    // The pattern follows from the value and is left out.
    bool operator==(const Comparison& other) const;
};

// A test on the rows of the run's subject in a table: true when one of them fits.
// Names are identifiers, so that quoting them is enough; the value is always bound, never quoted.
struct QueryTest {
    std::string table;  // may have a schema: "sales.orders"
    std::string field;
    Operator op = Operator::equal;
    boost::json::value value;
    std::optional<std::string> subject_field;  // the column that holds the subject
    std::size_t index = 0;                     // its place among the queries of the whole condition

    bool operator==(const QueryTest&) const = default;
};

struct Condition;
struct AllOf {
    std::vector<Condition> parts;
    bool operator==(const AllOf&) const = default;
};
struct AnyOf {
    std::vector<Condition> parts;
    bool operator==(const AnyOf&) const = default;
};
struct Negation {
    std::vector<Condition> parts;  // exactly one
    bool operator==(const Negation&) const = default;
};

struct Condition {
    std::variant<Comparison, QueryTest, AllOf, AnyOf, Negation> test;

    bool operator==(const Condition&) const = default;
};

struct ConditionLimits {
    std::size_t depth_max = 16;
    std::size_t leaves_max = 200;
};

// Reads a condition. `at` is where it stands; messages name the place from there on:
// "nodes[2].config.all[1].operator: '=>' is not an operator, did you mean '>='?". A value that
// still holds templates is not checked by its operator's rules: read the condition again once
// it is rendered.
Result<Condition> parse_condition(
    const boost::json::value& value, std::string_view at = {}, ConditionLimits limits = {}
);

// Whether it asks the database, so that the planner alone cannot tell.
bool has_query(const Condition& condition);
// In the order of their indexes. Borrowed from `condition`.
std::vector<const QueryTest*> queries(const Condition& condition);
std::vector<const Comparison*> comparisons(const Condition& condition);

// Whether it compares with the present moment.
bool asks_for_now(const Condition& condition);
// Makes fixed times of what is compared with the present moment: `older than 30d` becomes `before`
// a time. What is not fixed does not hold.
void fix_times(Condition& condition, Instant now);

// Whether a rendered condition holds. Total: values of different types compare as false, and a path
// that leads nowhere counts as null. `answers` are the outcomes of the queries by index; one that
// is missing counts as false.
bool evaluate(
    const Condition& condition, const PathLookup& lookup, std::span<const bool> answers = {}
);

// The same where a name that stands for nothing must not decide, as in filters of events: nothing
// when the condition hangs on such a name. To ask whether it exists is allowed.
std::optional<bool> evaluate_known(const Condition& condition, const PathLookup& lookup);

// One comparison of two values, as evaluate() does it. Only `matches` needs the pattern.
bool holds(
    const boost::json::value& actual,
    Operator op,
    const boost::json::value& expected,
    const Pattern* pattern = nullptr
);

}  // namespace pawl
