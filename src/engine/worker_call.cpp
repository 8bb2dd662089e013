#include "engine/callback.hpp"
#include "engine/worker_impl.hpp"
#include "model/duration.hpp"
#include "model/name_limits.hpp"
#include "plan/locks.hpp"

#include <fmt/core.h>

namespace pawl::engine {

namespace {

// A workflow that calls itself must come to an end.
constexpr std::uint32_t depth_max = 20;
// How long somebody may take to call back.
constexpr Duration callback_life = std::chrono::hours(24 * 7);

// Whether somebody still wants to know how the step ended. A run that is not held any more is for
// others to say.
bool is_awaited(const plan::RunState* state, const plan::ExecuteStep& step) {
    if (state == nullptr) return true;
    const plan::Token* token = state->find_token(step.token);
    return token != nullptr && token->node == step.node && token->visit == step.visit &&
           token->attempt == step.attempt;
}

}  // namespace

// Starts a child run, once however often this is tried: the correlation key is made from the step.
// A further attempt starts another child, because the one before has failed.
asio::awaitable<steps::StepOutcome> Worker::Impl::call_child(
    StepOrder order, steps::StepRequest request
) {
    const plan::RunState* state = core->state_of(order.run);
    if (state == nullptr) co_return steps::StepOutcome{};
    const std::string workflow(text_in(request.config, "workflow"));
    const auto depth =
        static_cast<std::uint32_t>(whole_number(find(state->caller, "depth")).value_or(0) + 1);
    if (depth > depth_max) {
        co_return steps::failed(
            ErrorClass::permanent,
            "call_depth",
            fmt::format("runs call each other more than {} deep", depth_max)
        );
    }
    StartRequest start_request;
    const std::string_view subject = text_in(request.config, "subject");
    start_request.subject = subject.empty() ? request.subject : std::string(subject);
    start_request.correlation = fmt::format("call:{}:{}", request.idempotency_key, request.attempt);
    try {
        const std::string& key =
            start_request.subject.empty() ? start_request.correlation : start_request.subject;
        start_request.program = co_await owner.find_program(request.tenant, workflow, key);
    } catch (const Failure& failure) {
        co_return steps::failed(ErrorClass::retryable, "call", failure.what());
    }
    if (!start_request.program) {
        co_return steps::failed(
            ErrorClass::permanent,
            "unknown_workflow",
            fmt::format("there is no active workflow named \"{}\"", workflow)
        );
    }
    const json::value* input = request.config.if_contains("input");
    start_request.input = input == nullptr ? json::value(json::object()) : *input;
    const auto valid = validate_input(start_request.program->definition, start_request.input);
    if (!valid) {
        co_return steps::failed(ErrorClass::permanent, "invalid_input", valid.error().message);
    }
    const json::value* wait = request.config.if_contains("wait");
    const bool waits = wait == nullptr || *wait != false;
    start_request.triggered_by = "call";
    start_request.parent = request.run_id;
    start_request.traceparent = request.traceparent;
    start_request.caller = plan::Caller{request.token, request.visit, depth, waits};
    std::vector<Started> started;
    try {
        std::vector<StartRequest> requests;
        requests.push_back(std::move(start_request));
        started = co_await start(std::move(requests));
    } catch (const Failure& failure) {
        const bool wrong = failure.error().code == Errc::invalid;
        co_return steps::failed(
            wrong ? ErrorClass::permanent : ErrorClass::retryable, "call", failure.what()
        );
    }
    const std::string child = to_string(started.at(0).run);
    if (!waits) co_return steps::completed(json::object{{"run_id", child}});
    co_return steps::pending({{"for", "child"}, {"run", child}});
}

// Enters or leaves a critical section. Who has to wait is told by a signal.
asio::awaitable<steps::StepOutcome> Worker::Impl::pass_lock(
    StepOrder order, steps::StepRequest request
) {
    store::LockPlace place;
    place.tenant = {request.tenant, options.bucket};
    place.key = text_in(request.config, "key");
    place.run = order.run;
    place.token = request.token;
    if (place.key.empty() || place.key.size() > name_bytes_max) {
        co_return steps::failed(
            ErrorClass::permanent, "lock_key", "the key of a lock must have 1 to 500 bytes"
        );
    }
    try {
        if (request.type == NodeType::unlock) {
            const plan::RunState* state = core->state_of(order.run);
            if (state == nullptr) co_return steps::StepOutcome{};
            place.token = plan::place_to_leave(*state, request.token, place.key);
            co_await store.leave_lock(place);
            co_return steps::completed(json::object{{"key", place.key}});
        }
        const auto session_before = session;
        const bool inside = co_await store.enter_lock(place);
        // Withdrawn meanwhile: nobody else would give the place up.
        const bool mine = !finished && session_before == session;
        if (mine && !is_awaited(core->state_of(order.run), order.step)) {
            co_await store.leave_lock(place);
        }
        if (inside) co_return steps::completed(json::object{{"key", place.key}});
    } catch (const Failure& failure) {
        co_return steps::failed(ErrorClass::retryable, "lock", failure.what());
    }
    co_return steps::pending({{"for", "lock"}, {"key", place.key}});
}

std::function<bool()> Worker::Impl::wanted_by(const StepOrder& order) {
    return [this, run = order.run, step = order.step, begun = session] {
        const plan::RunState* state = begun == session ? core->state_of(run) : nullptr;
        return state != nullptr && is_awaited(state, step);
    };
}

// With `callback: true` a step may answer 202, and by whoever was given this how it ended.
std::optional<steps::Callback> Worker::Impl::callback_for(
    const StepOrder& order, const json::object& config
) const {
    const json::value* wanted = config.if_contains("callback");
    if (wanted == nullptr || *wanted != true || !options.seal.usable()) return std::nullopt;
    steps::Callback callback;
    callback.until = saturating_add(now(), callback_life);
    callback.token = seal_callback(
        options.seal,
        {order.run, options.bucket, order.step.token, order.step.visit, callback.until}
    );
    if (!options.public_url.empty()) {
        callback.url = options.public_url + "/v1/callbacks/" + callback.token;
    }
    return callback;
}

}  // namespace pawl::engine
