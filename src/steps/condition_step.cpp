#include "steps/condition_step.hpp"

#include "base/json.hpp"
#include "base/log.hpp"
#include "model/condition.hpp"
#include "steps/sql.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace pawl::steps {

namespace {

store::ConditionQueries queries_of(const Condition& condition, const StepRequest& request) {
    store::ConditionQueries asked;
    asked.tenant = request.tenant;
    asked.subject = request.subject;
    asked.timeout = std::min(asked.timeout, request.timeout);
    for (const QueryTest* test : queries(condition)) {
        asked.queries.push_back(
            {test->table,
             test->field,
             std::string(name(test->op)),
             test->value,
             test->subject_field}
        );
    }
    return asked;
}

// What the definition asks for and what is there: the context of the step and the answers.
struct Known {
    const json::value& context;
    const std::vector<bool>& answers;
    std::string undefined = {};  // the first path that stands for nothing
};

// Nothing when it hangs on a path that stands for nothing; stops where a part settles it.
std::optional<bool> judge(const Condition& condition, Known& known);

std::optional<bool> judge(const std::vector<Condition>& parts, bool settles, Known& known) {
    for (const Condition& part : parts) {
        const auto one = judge(part, known);
        if (!one || *one == settles) return one;
    }
    return !settles;
}

std::optional<bool> judge(const Condition& condition, Known& known) {
    if (const auto* all = std::get_if<AllOf>(&condition.test))
        return judge(all->parts, false, known);
    if (const auto* any = std::get_if<AnyOf>(&condition.test))
        return judge(any->parts, true, known);
    if (const auto* negation = std::get_if<Negation>(&condition.test)) {
        const auto inner = judge(negation->parts.at(0), known);
        return inner ? std::optional(!*inner) : std::nullopt;
    }
    if (const auto* query = std::get_if<QueryTest>(&condition.test)) {
        return query->index < known.answers.size() && known.answers[query->index];
    }
    const auto& test = std::get<Comparison>(condition.test);
    const bool asks = test.op == Operator::exists || test.op == Operator::not_exists;
    const json::value* actual = find(known.context, test.path_text);
    if (!asks && actual == nullptr) {
        known.undefined = test.path_text;
        return std::nullopt;
    }
    const Pattern* pattern = test.pattern ? &*test.pattern : nullptr;
    return holds(actual == nullptr ? json::value() : *actual, test.op, test.value, pattern);
}

// PW010 to PW012 are raised by pawl.check_condition: what it asks for is not allowed, or not there.
StepError classify_query(const Failure& failure) {
    StepError error = classify_sql(failure);
    if (error.code.starts_with("sql.PW01")) error.code = "condition";
    // What was asked wants to write: the transaction is read-only because we say so.
    if (error.code == "sql.25006") error.error_class = ErrorClass::permanent;
    return error;
}

}  // namespace

bool asks_tables(const StepRequest& request) {
    const auto condition = parse_condition(request.config);
    return condition && has_query(*condition);
}

StepOutcome judge_condition(const StepRequest& request, const std::vector<bool>& answers) {
    auto condition = parse_condition(request.config);
    if (!condition) return failed(ErrorClass::permanent, "condition", condition.error().message);
    fix_times(*condition, request.now);
    Known known{request.context, answers};
    if (const auto holds = judge(*condition, known)) {
        return completed(json::object{{"result", *holds}});
    }
    return failed(
        ErrorClass::permanent, "undefined", fmt::format("'{}' is not defined", known.undefined)
    );
}

asio::awaitable<StepOutcome> ask_condition(store::SqlSteps& steps, StepRequest request) {
    auto condition = parse_condition(request.config);
    if (!condition) co_return failed(ErrorClass::permanent, "condition", condition.error().message);
    fix_times(*condition, request.now);
    if (request.subject.empty()) {
        co_return failed(
            ErrorClass::permanent,
            "condition",
            "the condition asks about the run's subject, and the run was started without one"
        );
    }
    std::optional<StepError> error;
    try {
        const auto answers = co_await steps.ask(queries_of(*condition, request));
        co_return judge_condition(request, answers);
    } catch (const Failure& failure) {
        error = classify_query(failure);
        if (error->code == "sql.08006") {
            log::warn("a condition has no connection", {log::field("error", failure.what())});
        }
    }
    co_return failed(std::move(*error));
}

}  // namespace pawl::steps
