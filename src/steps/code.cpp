#include "steps/code.hpp"

#include "base/json.hpp"
#include "steps/storable_text.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <utility>

namespace pawl::steps {

namespace {

StepOutcome from_exception(const char* what) {
    return failed(ErrorClass::retryable, "exception", what);
}

// One result that Postgres refuses would fail the commit of every step in the same batch.
StepOutcome checked(StepOutcome outcome) {
    if (outcome.error) return failed(std::move(*outcome.error));
    if (is_storable(outcome.result)) return outcome;
    return failed(
        ErrorClass::permanent,
        "invalid_result",
        "the result holds U+0000 or text that is not UTF-8, which Postgres cannot store"
    );
}

StepOutcome noop(const StepRequest&) {
    return completed(nullptr);
}

StepOutcome echo(const StepRequest& request) {
    const json::value* input = request.config.if_contains("input");
    return completed(input != nullptr ? *input : json::value(json::object()));
}

std::string text_or(const json::value& input, std::string_view key, std::string_view otherwise) {
    const json::value* value = find(input, key);
    if (value == nullptr || !value->is_string()) return std::string(otherwise);
    return std::string(value->get_string());
}

StepOutcome fail(const StepRequest& request) {
    const json::value* given = request.config.if_contains("input");
    const json::value input = given != nullptr ? *given : json::value();
    if (const json::value* until = find(input, "until_attempt")) {
        json::error_code wrong;
        const int attempt = until->to_number<int>(wrong);
        if (wrong) return invalid_config("input.until_attempt must be a whole number");
        if (request.attempt >= attempt) {
            return completed(json::object{{"attempt", request.attempt}});
        }
    }
    const auto error_class = parse_error_class(text_or(input, "class", "retryable"));
    if (!error_class) {
        return invalid_config("input.class must be retryable, permanent or ambiguous");
    }
    return failed(
        *error_class, text_or(input, "code", "failed"), text_or(input, "message", "failed as asked")
    );
}

}  // namespace

void CodeRegistry::add_sync(std::string name, SyncFunction function) {
    functions_.insert_or_assign(std::move(name), CodeFunction(std::move(function)));
}

void CodeRegistry::add_async(std::string name, AsyncFunction function) {
    functions_.insert_or_assign(std::move(name), CodeFunction(std::move(function)));
}

void CodeRegistry::add_queued(std::string name, QueuedFunction function) {
    functions_.insert_or_assign(std::move(name), CodeFunction(std::move(function)));
}

const CodeFunction* CodeRegistry::find(std::string_view name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : &found->second;
}

void register_builtins(CodeRegistry& registry) {
    registry.add_sync("noop", noop);
    registry.add_sync("echo", echo);
    registry.add_sync("fail", fail);
}

StepOutcome run_sync(const SyncFunction& function, const StepRequest& request) {
    try {
        return checked(function(request));
    } catch (const std::exception& error) {
        return from_exception(error.what());
    } catch (...) {
        return from_exception("something that is not a std::exception was thrown");
    }
}

asio::awaitable<StepOutcome> run_async(AsyncFunction function, StepRequest request) {
    StepOutcome outcome;
    try {
        outcome = checked(co_await function(std::move(request)));
    } catch (const std::exception& error) {
        outcome = from_exception(error.what());
    } catch (...) {
        outcome = from_exception("something that is not a std::exception was thrown");
    }
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) {
        throw boost::system::system_error(asio::error::operation_aborted);
    }
    co_return outcome;
}

}  // namespace pawl::steps
