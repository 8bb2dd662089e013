#include "steps/sql.hpp"

#include "base/canonical_json.hpp"
#include "base/json.hpp"
#include "base/log.hpp"
#include "pg/pg_error.hpp"
#include "steps/failure_text.hpp"
#include "steps/storable_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace pawl::steps {

namespace {

constexpr std::size_t statement_bytes_max = 100'000;
constexpr std::size_t params_max = 1000;
// Of a step with `stream: true`.
constexpr pg::TextLimits stream_limits{100'000, std::size_t{32} << 20};

// The statement must not end the transaction of its step, nor change the session, which the next
// step gets.
constexpr std::array<std::string_view, 17> not_for_steps{
    "abort",
    "begin",
    "close",
    "commit",
    "copy",
    "deallocate",
    "declare",
    "discard",
    "end",
    "listen",
    "prepare",
    "release",
    "reset",
    "rollback",
    "savepoint",
    "set",
    "start",
};

struct Prepared {
    store::SqlStep step;
    std::optional<StepError> error;
};

Prepared refused(std::string_view message) {
    return {{}, invalid_config(message).error};
}

// The value as it would be written between quotes; nothing stands for NULL.
std::optional<std::string> literal_of(const json::value& value) {
    switch (value.kind()) {
        case json::kind::null: return std::nullopt;
        case json::kind::string: return std::string(value.get_string());
        case json::kind::double_: return fmt::format("{}", value.get_double());
        default: return canonical_json(value);
    }
}

Prepared prepare(store::Bucket bucket, const StepRequest& request) {
    const json::value* statement = request.config.if_contains("statement");
    if (statement == nullptr || !statement->is_string() || statement->get_string().empty())
        return refused("statement must be one SQL statement; values go into params, as $1, $2, ..."
        );
    const std::string_view text = statement->get_string();
    if (text.size() > statement_bytes_max) {
        return refused(fmt::format("statement has more than {} bytes", statement_bytes_max));
    }
    const std::string word = first_word(text);
    if (std::find(not_for_steps.begin(), not_for_steps.end(), word) != not_for_steps.end()) {
        return refused(fmt::format(
            "\"{}\" cannot be used in a step: the statement runs in one transaction, which ends "
            "with it",
            word
        ));
    }
    const json::value* params = request.config.if_contains("params");
    const json::array none;
    const json::array* list = params == nullptr || params->is_null() ? &none : params->if_array();
    if (list == nullptr || list->size() > params_max)
        return refused(fmt::format("params must be a list of up to {} values", params_max));
    const auto run = parse_uuid(request.run_id);
    if (!run) return refused("the run has no id");
    Prepared prepared;
    prepared.step.bucket = bucket;
    prepared.step.run = RunId{*run};
    prepared.step.worker = request.worker;
    prepared.step.key = request.idempotency_key;
    prepared.step.timeout = request.timeout;
    prepared.step.statement = text;
    if (const json::value* stream = request.config.if_contains("stream")) {
        prepared.step.in_pages = *stream == true;
        if (prepared.step.in_pages) prepared.step.limits = stream_limits;
    }
    const json::value* read_only = request.config.if_contains("read_only");
    prepared.step.read_only = read_only != nullptr && *read_only == true;
    if (!is_storable(text) || !is_storable(json::value(*list)))
        return refused("statement and params cannot hold U+0000, nor text that is not UTF-8");
    for (const json::value& param : *list) prepared.step.params.push_back(literal_of(param));
    return prepared;
}

std::size_t skip_comment(std::string_view text, std::size_t at) {
    if (text.substr(at, 2) == "--") return std::min(text.find('\n', at), text.size());
    int depth = 0;  // they nest
    do {
        const auto two = text.substr(at, 2);
        if (two == "/*") ++depth;
        if (two == "*/") --depth;
        at += two == "/*" || two == "*/" ? 2 : 1;
    } while (depth > 0 && at < text.size());
    return std::min(at, text.size());
}

StepError error_of(ErrorClass error_class, std::string code, std::string message) {
    StepError error;
    error.error_class = error_class;
    error.code = std::move(code);
    error.message = std::move(message);
    return error;
}

bool is_passing(std::string_view sqlstate) {
    // 08P01: a number of parameters that is not the statement's comes as a fault of the protocol.
    if (sqlstate == "08P01") return false;
    constexpr std::array<std::string_view, 5> single{"40001", "40P01", "40003", "55P03", "25006"};
    if (std::find(single.begin(), single.end(), sqlstate) != single.end()) return true;
    constexpr std::array<std::string_view, 4> groups{"08", "53", "57", "58"};
    return std::find(groups.begin(), groups.end(), sqlstate.substr(0, 2)) != groups.end();
}

std::string describe_error(const pg::PgError::Detail& detail) {
    std::string text = detail.message;
    if (!detail.detail.empty()) text += ": " + detail.detail;
    if (!detail.hint.empty()) text += " (" + detail.hint + ")";
    return text;
}

}  // namespace

std::string first_word(std::string_view statement) {
    constexpr std::string_view skipped = " \t\r\n\f\v(;";
    std::size_t at = 0;
    for (;;) {
        at = std::min(statement.find_first_not_of(skipped, at), statement.size());
        const auto two = statement.substr(at, 2);
        if (two != "--" && two != "/*") break;
        at = skip_comment(statement, at);
    }
    std::string word;
    for (; at < statement.size(); ++at) {
        const char c = statement[at];
        const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        if (lower < 'a' || lower > 'z') break;
        word += lower;
    }
    return word;
}

StepError classify_sql(const Failure& failure) {
    const auto* error = dynamic_cast<const pg::PgError*>(&failure);
    if (error == nullptr) {
        const Errc code = failure.error().code;
        const std::string& message = failure.error().message;
        if (code == Errc::too_large) {
            return error_of(
                ErrorClass::permanent,
                "too_large",
                "the statement gave " + message +
                    "; limit it, or hand the rows to a foreach with stream: true"
            );
        }
        const auto error_class =
            info(code).retryable ? ErrorClass::retryable : ErrorClass::permanent;
        return error_of(error_class, std::string(info(code).name), message);
    }
    const pg::PgError::Detail& detail = error->detail();
    // The connection is gone. What a commit did meanwhile, the next attempt will see. The words of
    // the driver name the server, and are for the operator.
    if (detail.sqlstate.empty()) {
        return error_of(ErrorClass::retryable, "sql.08006", failure_text(failure));
    }
    if (detail.sqlstate == "57014") {
        return error_of(
            ErrorClass::retryable, "timeout", "the statement did not end within the step's timeout"
        );
    }
    const auto error_class =
        is_passing(detail.sqlstate) ? ErrorClass::retryable : ErrorClass::permanent;
    return error_of(error_class, "sql." + detail.sqlstate, describe_error(detail));
}

asio::awaitable<StepOutcome> run_sql(
    store::SqlSteps& steps, store::Bucket bucket, StepRequest request
) {
    Prepared prepared = prepare(bucket, request);
    if (prepared.error) co_return failed(std::move(*prepared.error));
    const bool read_only = prepared.step.read_only;
    std::optional<StepError> error;
    try {
        co_return completed(co_await steps.run(std::move(prepared.step)));
    } catch (const Failure& failure) {
        error = classify_sql(failure);
        // It wants to write, and the transaction is read-only because we say so.
        if (read_only && error->code == "sql.25006") error->error_class = ErrorClass::permanent;
        if (error->code == "sql.08006") {
            log::warn("a sql step has no connection", {log::field("error", failure.what())});
        }
    }
    co_return failed(std::move(*error));
}

asio::awaitable<StepOutcome> read_page(
    store::SqlSteps& steps, store::Bucket bucket, StepRequest request
) {
    const json::value& wanted = request.config.at("page_of");
    store::SqlPage page;
    page.bucket = bucket;
    page.key = text_in(wanted, "key");
    page.page = static_cast<std::int32_t>(whole_number(find(wanted, "page")).value_or(0));
    page.timeout = request.timeout;
    const auto run = parse_uuid(text_in(wanted, "run"));
    std::optional<StepError> error;
    try {
        json::value rows;
        if (run) {
            page.run = RunId{*run};
            const std::int32_t number = page.page;
            rows = co_await steps.read(std::move(page));
            if (rows.is_array()) {
                co_return completed(json::object{
                    {"page", number}, {"items", std::move(rows.get_array())}});
            }
        }
        error = error_of(
            ErrorClass::permanent,
            "items",
            "the rows that the list stands for are not there: they are kept as long as the run of "
            "the sql step"
        );
    } catch (const Failure& failure) {
        error = classify_sql(failure);
    }
    co_return failed(std::move(*error));
}

}  // namespace pawl::steps
