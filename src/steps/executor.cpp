#include "steps/executor.hpp"

#include "steps/agent.hpp"
#include "steps/condition_step.hpp"
#include "steps/failure_text.hpp"
#include "steps/function.hpp"
#include "steps/http.hpp"
#include "steps/redacted.hpp"
#include "steps/timeout.hpp"
#include "steps/transform.hpp"

#include <fmt/core.h>

#include <utility>

namespace pawl::steps {

namespace {

std::string_view function_name(const StepRequest& request) {
    const json::value* name = request.config.if_contains("function");
    return name != nullptr && name->is_string() ? std::string_view(name->get_string())
                                                : std::string_view();
}

asio::awaitable<StepOutcome> at_once(StepOutcome outcome) {
    co_return outcome;
}

// A worker executes such a step only because it asks about the person.
bool is_settled_by_planner(NodeType type) {
    return type == NodeType::wait || type == NodeType::goal || type == NodeType::human ||
           type == NodeType::emit || type == NodeType::switch_;
}

StepOutcome refused_column(const std::string& column) {
    return failed(
        ErrorClass::permanent,
        "redacted",
        fmt::format("user.{} is redacted: only messages and conditions may use it", column)
    );
}

StepOutcome no_database() {
    return failed(ErrorClass::retryable, "unavailable", "this worker has no database for steps");
}

}  // namespace

Executor::Executor(
    asio::any_io_executor executor,
    const CodeRegistry& registry,
    http::Client& client,
    StepSettings settings
)
    : executor_(std::move(executor)),
      registry_(registry),
      client_(client),
      settings_(std::move(settings)),
      targets_(std::make_unique<CallTargets>(executor_, settings_.targets)),
      jq_(std::make_unique<jq::Pool>(executor_, settings_.jq)),
      tokens_(std::make_unique<AccessTokens>(client_)) {
    if (settings_.sql.engine) sql_ = std::make_unique<SqlLogins>(executor_, settings_.sql);
}

Executor::~Executor() = default;

std::optional<StepOutcome> Executor::try_now(const StepRequest& request) const {
    if (request.type != NodeType::code || request.wants_person) return std::nullopt;
    const std::string_view name = function_name(request);
    const CodeFunction* function = registry_.find(name);
    if (function == nullptr) {
        return failed(
            ErrorClass::permanent,
            "unknown_function",
            fmt::format("no code function is called \"{}\"", name)
        );
    }
    const auto* sync = std::get_if<SyncFunction>(function);
    if (sync == nullptr) return std::nullopt;
    return run_sync(*sync, request);
}

asio::awaitable<StepOutcome> Executor::execute(StepRequest request) const {
    if (request.type == NodeType::message) {
        return send_message(*targets_, client_, *tokens_, settings_.messages, std::move(request));
    }
    if (is_settled_by_planner(request.type)) return show_person(std::move(request));
    if (request.wants_person) return execute_for_person(std::move(request));
    if (auto outcome = try_now(request)) return at_once(std::move(*outcome));
    switch (request.type) {
        case NodeType::code: {
            const CodeFunction& function = *registry_.find(function_name(request));
            if (const auto* queued = std::get_if<QueuedFunction>(&function)) {
                return run_async(queued->run, std::move(request));
            }
            const Duration limit = request.timeout;
            return within(
                executor_, limit, run_async(std::get<AsyncFunction>(function), std::move(request))
            );
        }
        case NodeType::function:
            if (request.wants_secrets) return execute_with_secrets(std::move(request));
            return call_function(*targets_, client_, settings_, std::move(request));
        case NodeType::http:
            if (request.wants_secrets) return execute_with_secrets(std::move(request));
            return call_http(*targets_, client_, std::move(request));
        case NodeType::agent:
            if (request.wants_secrets) return execute_with_secrets(std::move(request));
            return take_turn(std::move(request));
        case NodeType::transform: return transform(*jq_, std::move(request));
        case NodeType::sql:
            if (!sql_) return at_once(no_database());
            return sql_->run(std::move(request));
        case NodeType::action:
            if (!sql_) return at_once(no_database());
            return run_action(*sql_, settings_.find_action, std::move(request));
        // The next rows of a list that a sql step has left.
        case NodeType::foreach_:
            if (!sql_) return at_once(no_database());
            return sql_->read(std::move(request));
        case NodeType::condition:
            if (!asks_tables(request)) return at_once(judge_condition(request));
            if (!sql_) return at_once(no_database());
            return sql_->ask(std::move(request));
        default: break;
    }
    return at_once(invalid_config("a step of this type has nothing to execute"));
}

// What is known of the person, for a node that the planner settles. One who is gone has nothing.
asio::awaitable<StepOutcome> Executor::show_person(StepRequest request) const {
    std::optional<StepOutcome> broken;
    json::value person = json::object();
    try {
        if (settings_.read_person && !request.subject.empty()) {
            auto found = co_await settings_.read_person(request.tenant, request.subject);
            if (found) person = std::move(*found);
        }
        const auto columns = redacted_columns(person);
        const std::string used = redacted_use(*request.templates, columns);
        if (!used.empty()) broken = refused_column(used);
    } catch (const Failure& failure) {
        broken = failed(ErrorClass::retryable, "person", failure_text(failure));
    }
    if (broken) co_return std::move(*broken);
    co_return completed(without_redacted(std::move(person)));
}

// One reply of the model, or one call of a tool.
asio::awaitable<StepOutcome> Executor::take_turn(StepRequest request) const {
    AgentTools tools;
    tools.http = [this](StepRequest call) {
        return call_http(*targets_, client_, std::move(call));
    };
    tools.sql = [this](StepRequest call) -> asio::awaitable<StepOutcome> {
        if (!sql_) return at_once(no_database());
        return sql_->run(std::move(call));
    };
    tools.action = [this](StepRequest call) -> asio::awaitable<StepOutcome> {
        if (!sql_) return at_once(no_database());
        return run_action(*sql_, settings_.find_action, std::move(call));
    };
    co_return co_await take_agent_turn(std::move(tools), std::move(request));
}

asio::awaitable<StepOutcome> Executor::execute_for_person(StepRequest request) const {
    std::optional<StepOutcome> refused;
    bool reveals = false;
    try {
        json::value person;
        if (settings_.read_person && !request.subject.empty()) {
            auto found = co_await settings_.read_person(request.tenant, request.subject);
            if (found) person = std::move(*found);
        }
        std::string used;
        if (request.type != NodeType::condition) {
            used = redacted_use(*request.templates, redacted_columns(person));
            person = without_redacted(std::move(person));
        }
        if (!used.empty()) {
            refused = refused_column(used);
        } else if (person.is_null() && request.type != NodeType::condition) {
            refused = failed(
                ErrorClass::permanent,
                "no_person",
                fmt::format(
                    "there is no person \"{}\", and the step asks about them", request.subject
                )
            );
        } else if (auto filled = fill_person(request, person); !filled) {
            refused = failed(ErrorClass::permanent, "template", filled.error().message);
        } else {
            reveals = *filled;
        }
    } catch (const Failure& failure) {
        refused = failed(ErrorClass::retryable, "person", failure_text(failure));
    }
    if (refused) co_return std::move(*refused);
    request.wants_person = false;
    StepOutcome outcome = co_await execute(std::move(request));
    if (reveals && outcome.error) {
        outcome.error->message = "the condition, which looks at redacted columns, was not decided";
    }
    co_return outcome;
}

asio::awaitable<StepOutcome> Executor::execute_with_secrets(StepRequest request) const {
    std::optional<Revealed> revealed;
    std::optional<StepOutcome> refused;
    try {
        auto found = co_await reveal(settings_.read_credential, std::move(request));
        if (found) {
            revealed = std::move(*found);
        } else {
            refused = failed(ErrorClass::permanent, "credential", found.error().message);
        }
    } catch (const Failure& failure) {
        refused = failed(ErrorClass::retryable, "credential", failure_text(failure));
    }
    if (refused) co_return std::move(*refused);
    revealed->request.wants_secrets = false;
    auto outcome = co_await execute(std::move(revealed->request));
    co_return without_secrets(std::move(outcome), revealed->secrets);
}

}  // namespace pawl::steps
