#include "steps/action.hpp"

#include "base/json.hpp"
#include "model/json_schema.hpp"
#include "steps/failure_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::steps {

namespace {

// What every action may use beside the params of its node.
json::object builtins(const StepRequest& request, const store::Action& action) {
    return {
        {"person", request.subject},
        {"tenant", action.tenant},
        {"organization", action.organization},
        {"run", request.run_id},
        {"workflow", request.workflow},
        {"node", request.node},
        {"key", request.idempotency_key}};
}

StepOutcome refused(std::string message) {
    return failed(ErrorClass::permanent, "action", message);
}

}  // namespace

asio::awaitable<StepOutcome> run_action(
    SqlLogins& logins, const FindAction& find, StepRequest request
) {
    const std::string name(text_in(request.config, "action"));
    std::optional<store::Action> action;
    std::optional<StepOutcome> broken;
    try {
        if (find) action = co_await find(request.tenant, name);
    } catch (const Failure& failure) {
        broken = failed(ErrorClass::retryable, "action", failure_text(failure));
    }
    if (broken) co_return std::move(*broken);
    if (!action) {
        co_return refused(fmt::format(
            "no action is registered as '{}': the owner of the database does that with "
            "pawl.register_action",
            name
        ));
    }
    const json::value* written = request.config.if_contains("params");
    const json::object none;
    const json::object& given = written && written->is_object() ? written->get_object() : none;
    const json::object known = builtins(request, *action);
    for (const auto& member : given) {
        const std::string_view key = member.key();
        // Whose step it is cannot be said by a definition, and less by a model.
        const bool taken =
            !known.contains(key) &&
            std::find(action->params.begin(), action->params.end(), key) != action->params.end();
        if (!taken) co_return refused(fmt::format("'{}' takes no param '{}'", name, key));
    }
    if (!action->schema.is_null()) {
        const auto wrong = check_document(action->schema, given);
        if (!wrong.empty()) {
            co_return refused(fmt::format(
                "'{}' does not take such params: {} {}",
                name,
                wrong.front().pointer.empty() ? "they" : wrong.front().pointer.substr(1),
                wrong.front().message
            ));
        }
    }
    json::array values;
    for (const std::string& param : action->params) {
        const json::value* value = known.if_contains(param);
        if (value == nullptr) value = given.if_contains(param);
        if (value == nullptr)
            co_return refused(fmt::format("'{}' needs the param '{}'", name, param));
        values.push_back(*value);
    }
    request.config = json::object{{"statement", action->statement}, {"params", std::move(values)}};
    co_return co_await logins.run_as_engine(std::move(request));
}

}  // namespace pawl::steps
