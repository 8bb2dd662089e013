#pragma once

#include "steps/step_request.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>

namespace pawl::steps {

namespace asio = boost::asio;

// Runs on the engine's thread and must not block it.
using SyncFunction = std::function<StepOutcome(const StepRequest&)>;
// May await; ends early when it is cancelled at the step's timeout.
using AsyncFunction = std::function<asio::awaitable<StepOutcome>(StepRequest)>;
// Waits for its turn first, however long that takes, and keeps the step's timeout itself from then.
struct QueuedFunction {
    AsyncFunction run;
};
using CodeFunction = std::variant<SyncFunction, AsyncFunction, QueuedFunction>;

// The C++ functions that `code` steps name. Filled before the engine starts, only read afterwards.
class CodeRegistry {
public:
    // A name that is taken already is replaced.
    void add_sync(std::string name, SyncFunction function);
    void add_async(std::string name, AsyncFunction function);
    void add_queued(std::string name, QueuedFunction function);

    const CodeFunction* find(std::string_view name) const;

private:
    // Lets a string_view be looked up without a copy.
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;  // NOLINT(readability-identifier-naming): std's name
    };
    std::unordered_map<std::string, CodeFunction, Hash, std::equal_to<>> functions_;
};

// noop: null. echo: its config.input, or {}. fail: fails as config.input says ({class, code,
// message, until_attempt}), on every attempt or before until_attempt.
void register_builtins(CodeRegistry& registry);

// Runs a function; what it throws becomes a retryable error, what Postgres could not store a
// permanent one. Throws only when it is cancelled.
StepOutcome run_sync(const SyncFunction& function, const StepRequest& request);
asio::awaitable<StepOutcome> run_async(AsyncFunction function, StepRequest request);

}  // namespace pawl::steps
