#pragma once

#include "http/client.hpp"
#include "jq/jq_pool.hpp"
#include "steps/action.hpp"
#include "steps/call_targets.hpp"
#include "steps/code.hpp"
#include "steps/fill_person.hpp"
#include "steps/function_hosts.hpp"
#include "steps/message_step.hpp"
#include "steps/secrets.hpp"
#include "steps/sql_logins.hpp"
#include "steps/step_request.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>
#include <optional>
#include <string>

namespace pawl::steps {

struct StepSettings {
    FunctionSettings functions;  // the keys in it are never sent to a step's own url
    jq::PoolOptions jq;
    SqlSettings sql;
    TargetSettings targets;
    ReadCredential read_credential;  // none: steps have none
    ReadPerson read_person;          // none: there are no persons
    MessageServices messages;
    FindAction find_action;  // none: there are no actions
};

// Runs attempts of steps. The registry and the client outlive it; it lives on their thread.
class Executor {
public:
    Executor(
        asio::any_io_executor executor,
        const CodeRegistry& registry,
        http::Client& client,
        StepSettings settings
    );
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    // Without a coroutine: the outcome of a sync code function, or of one that does not exist.
    // Nothing when execute() is needed. Never throws.
    std::optional<StepOutcome> try_now(const StepRequest& request) const;

    // Everything else. Ends by request.timeout, after its turn has come if it has to wait for that.
    // Throws only when it is cancelled.
    asio::awaitable<StepOutcome> execute(StepRequest request) const;

    // CallTargets that were found broken.
    std::vector<CircuitView> circuits() const { return targets_->circuits(); }
    std::vector<TargetView> targets(std::size_t most) const { return targets_->targets(most); }
    void close_circuit(std::int32_t tenant, const std::string& origin) const {
        targets_->close(tenant, origin);
    }

private:
    asio::awaitable<StepOutcome> show_person(StepRequest request) const;
    asio::awaitable<StepOutcome> take_turn(StepRequest request) const;
    asio::awaitable<StepOutcome> execute_for_person(StepRequest request) const;
    asio::awaitable<StepOutcome> execute_with_secrets(StepRequest request) const;

    asio::any_io_executor executor_;
    const CodeRegistry& registry_;
    http::Client& client_;
    StepSettings settings_;
    std::unique_ptr<CallTargets> targets_;
    std::unique_ptr<jq::Pool> jq_;
    std::unique_ptr<AccessTokens> tokens_;
    std::unique_ptr<SqlLogins> sql_;
};

}  // namespace pawl::steps
