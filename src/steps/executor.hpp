#pragma once

#include "http/client.hpp"
#include "jq/pool.hpp"
#include "steps/code.hpp"
#include "steps/function_hosts.hpp"
#include "steps/step.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>
#include <optional>
#include <string>

namespace pawl::steps {

struct StepSettings {
    FunctionSettings functions;  // the keys in it are never sent to a step's own url
    jq::PoolOptions jq;
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

    // Without a coroutine: the outcome of a sync code function, or of one that does not exist.
    // Nothing when execute() is needed. Never throws.
    std::optional<StepOutcome> try_now(const StepRequest& request) const;

    // Everything else. Ends by request.timeout. Throws only when it is cancelled.
    asio::awaitable<StepOutcome> execute(StepRequest request) const;

private:
    asio::any_io_executor executor_;
    const CodeRegistry& registry_;
    http::Client& client_;
    StepSettings settings_;
    std::unique_ptr<jq::Pool> jq_;
};

}  // namespace pawl::steps
