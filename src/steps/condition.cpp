#include "steps/condition.hpp"

#include "base/json.hpp"
#include "base/log.hpp"
#include "model/condition.hpp"
#include "steps/sql.hpp"

#include <algorithm>
#include <memory>
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

bool holds(
    const Condition& condition, const StepRequest& request, const std::vector<bool>& answers
) {
    const auto lookup = [&](const Path& path) -> const json::value* {
        for (const Comparison* comparison : comparisons(condition)) {
            if (comparison->path == path) return find(request.context, comparison->path_text);
        }
        return nullptr;
    };
    // A vector of bools has no memory that a span could show.
    const auto plain = std::make_unique<bool[]>(answers.size());
    std::copy(answers.begin(), answers.end(), plain.get());
    return evaluate(condition, lookup, {plain.get(), answers.size()});
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

asio::awaitable<StepOutcome> ask_condition(store::SqlSteps& steps, StepRequest request) {
    const auto condition = parse_condition(request.config);
    if (!condition) co_return failed(ErrorClass::permanent, "condition", condition.error().message);
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
        co_return completed(json::object{{"result", holds(*condition, request, answers)}});
    } catch (const Failure& failure) {
        error = classify_query(failure);
        if (error->code == "sql.08006") {
            log::warn("a condition has no connection", {log::field("error", failure.what())});
        }
    }
    co_return failed(std::move(*error));
}

}  // namespace pawl::steps
