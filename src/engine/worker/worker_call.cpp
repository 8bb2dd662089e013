#include "engine/core/callback_ticket.hpp"
#include "engine/worker/worker_impl.hpp"
#include "model/duration.hpp"
#include "model/name_limits.hpp"
#include "model/template.hpp"
#include "plan/locks.hpp"
#include "steps/failure_text.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <memory>

namespace pawl::engine {

namespace {

// A workflow that calls itself must come to an end.
constexpr std::uint32_t depth_max = 20;
// How long a peer may take to call back when the step has no timeout.
constexpr Duration callback_life = std::chrono::hours(24 * 7);

// Whether the run still needs the outcome of the step. For a run that is not held any more, its
// next worker decides.
bool is_awaited(const plan::RunState* state, const plan::ExecuteStep& step) {
    if (state == nullptr) return true;
    const plan::Token* token = state->find_token(step.token);
    return token != nullptr && token->node == step.node && token->visit == step.visit &&
           token->attempt == step.attempt;
}

// A child that has no room yet: the step is looked at again later, without using up an attempt.
steps::StepOutcome no_room(std::string reason) {
    events::TargetWait wait;
    wait.target = "the limits: pawl limits list, pawl tenants list";
    wait.limit = true;
    wait.reason = std::move(reason);
    steps::StepOutcome outcome = steps::pending(std::move(wait));
    outcome.postponed = std::chrono::seconds(1);
    return outcome;
}

// Whether the run knows of the child that was started in its place, or that there is none. What a
// step has come to is noted in it only after the commit that is under way.
bool is_noted(const plan::RunState* state, const plan::ExecuteStep& step) {
    if (state == nullptr || !is_awaited(state, step)) return true;
    return state->find_token(step.token)->waits_for.as<events::ChildWait>() != nullptr;
}

// Whether a child runs in the place of this run, which waits for it.
bool lends_its_place(const plan::RunState& state) {
    return std::ranges::any_of(state.tokens, [](const plan::Token& token) {
        const auto* child = token.waits_for.as<events::ChildWait>();
        return child != nullptr && child->in_place;
    });
}

}  // namespace

// A child is a start like any other: it counts against what the tenant may, and takes places at the
// limits of its workflow. A run that waits for it has a place already, and would keep it for ever
// if the child waited for that very place. So one child at a time runs in the place of its parent;
// further ones wait for room, or until that one has ended.
asio::awaitable<std::optional<steps::StepOutcome>> Worker::Impl::admit_child(
    StepOrder order, ChildPlace* place, store::Tenant tenant, json::value input
) {
    if (owner.limits != nullptr) {
        std::size_t bytes = 0;
        if (owner.limits->asks_for_bytes(tenant.id)) bytes = json::serialize(input).size();
        const auto refusal = co_await owner.limits->admit(tenant, 1, bytes);
        if (refusal && !refusal->passes()) {
            co_return steps::failed(ErrorClass::permanent, "too_large", refusal->sentence);
        }
        const bool full = refusal && refusal->reason == StartRefusal::Reason::open_runs;
        if (refusal && !full) co_return no_room(refusal->sentence);
        if (full && !place->waits) {
            // It would hold on to its own place while it waits for another: it may give up.
            co_return steps::failed(ErrorClass::retryable, "tenant_limit", refusal->sentence);
        }
        place->needed = place->needed || full;
    }
    if (!place->needed) co_return std::nullopt;
    const plan::RunState* state = core().state_of(order.run);
    if (state == nullptr) co_return steps::StepOutcome{};
    std::erase_if(lent, [this](const auto& one) {
        return is_noted(core().state_of(one.first), one.second);
    });
    const auto borrower = lent.find(order.run);
    // Its own is of an execution that was broken off with its session.
    const bool other = borrower != lent.end() && borrower->second.token != order.step.token;
    if (lends_its_place(*state) || other) {
        co_return no_room("another child runs in the place of this run, and there is no other");
    }
    lent.insert_or_assign(order.run, order.step);
    place->taken = true;
    co_return std::nullopt;
}

// Earlier releases made the key of a child from the attempt: one of theirs whose answer was lost
// may have left a child under such a key. Only a step that is tried again looks for it.
asio::awaitable<std::optional<RunId>> Worker::Impl::find_child(
    plan::ExecuteStep step, std::string key, store::TenantId tenant, std::string workflow
) {
    for (std::int16_t attempt = step.attempt; attempt > step.since; --attempt) {
        store::RunFilter filter;
        filter.workflow = workflow;
        filter.correlation_id = plan::child_key(key, attempt);
        filter.limit = 1;
        const auto page = co_await store.list_runs({tenant, options.bucket}, std::move(filter));
        if (!page.runs.empty()) co_return page.runs.front().id;
    }
    co_return std::nullopt;
}

// What a call starts, or why it cannot.
asio::awaitable<std::variant<ProgramPtr, steps::StepOutcome>> Worker::Impl::find_called(
    store::TenantId tenant, json::object config, std::string key
) {
    const std::string workflow(text_in(config, "workflow"));
    std::string version;
    if (const auto* wanted = config.if_contains("version")) append_text(version, *wanted);
    ProgramPtr program;
    try {
        if (version.empty()) {
            program = co_await owner.find_program(tenant, workflow, key);
        } else {
            program = co_await owner.find_active_version(tenant, workflow, version);
        }
    } catch (const Failure& failure) {
        co_return steps::failed(ErrorClass::retryable, "call", steps::failure_text(failure));
    }
    if (program) co_return program;
    if (!version.empty()) {
        co_return steps::failed(
            ErrorClass::permanent,
            "version_inactive",
            fmt::format("version {} of workflow \"{}\" is not active", version, workflow)
        );
    }
    co_return steps::failed(
        ErrorClass::permanent,
        "unknown_workflow",
        fmt::format("there is no active workflow named \"{}\"", workflow)
    );
}

// Starts a child run, once however often this is tried: the correlation key is made from the step.
// An attempt after a child that has failed starts another child.
asio::awaitable<steps::StepOutcome> Worker::Impl::call_child(
    StepOrder order, steps::StepRequest request
) {
    const plan::RunState* state = core().state_of(order.run);
    if (state == nullptr) co_return steps::StepOutcome{};
    const std::string workflow(text_in(request.config, "workflow"));
    const auto depth = (state->caller ? state->caller->depth : 0) + 1;
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
    start_request.correlation = plan::child_key(request.idempotency_key, order.step.since);
    const std::string& key =
        start_request.subject.empty() ? start_request.correlation : start_request.subject;
    auto called = co_await find_called(request.tenant, request.config, key);
    if (auto* failed = std::get_if<steps::StepOutcome>(&called)) co_return std::move(*failed);
    start_request.program = std::get<ProgramPtr>(called);
    const json::value* input = request.config.if_contains("input");
    start_request.input = input == nullptr ? json::value(json::object()) : *input;
    const auto valid = validate_input(start_request.program->definition, start_request.input);
    if (!valid) {
        co_return steps::failed(ErrorClass::permanent, "invalid_input", valid.error().message);
    }
    const json::value* wait = request.config.if_contains("wait");
    start_request.triggered_by = "call";
    start_request.parent = request.run_id;
    start_request.traceparent = request.traceparent;
    const bool waits = wait == nullptr || *wait != false;
    start_request.caller = plan::Caller{request.token, request.visit, depth, waits};
    const SessionRef begun = session;
    std::optional<Error> failed;
    try {
        const auto found =
            co_await find_child(order.step, request.idempotency_key, request.tenant, workflow);
        if (!found) co_return co_await start_child(std::move(order), std::move(start_request));
        const std::string child = to_string(*found);
        if (!waits) co_return steps::completed(json::object{{"run_id", child}});
        co_return steps::pending(events::ChildWait{child});
    } catch (const Failure& failure) {
        failed = failure.error();
    }
    // No fault of the step: what it says goes down with the session.
    if (failed->code == Errc::fenced) co_await renew_session(begun.lock(), failed->message);
    co_return steps::failed(
        failed->code == Errc::invalid ? ErrorClass::permanent : ErrorClass::retryable,
        "call",
        steps::failure_text(Failure(*failed))
    );
}

// What to ask for the child that the step had before this one. A step that is new has had none, and
// none is looked for: only where the run goes on from another, or a child has answered that it
// failed.
std::optional<store::CallBefore> Worker::Impl::call_before(
    const StepOrder& order, const StartRequest& request
) const {
    const plan::RunState* state = core().state_of(order.run);
    if (state == nullptr) return std::nullopt;
    const Definition& definition = order.program->definition;
    const std::string own = to_string(order.run);
    const std::string_view first = plan::call_until(definition, *state, order.step, own);
    if (first == own && order.step.since == 1) return std::nullopt;
    const auto until = parse_uuid(first);
    if (!until) return std::nullopt;
    const Program& called = *request.program;
    store::CallBefore before;
    before.bucket = options.bucket;
    before.tenant = called.tenant;
    before.workflow = called.workflow;
    before.run = order.run;
    before.since = order.step.since;
    before.place = plan::idempotency_key("", definition, order.step);
    before.until = RunId{*until};
    before.version = called.version;
    before.input = run_input(called.definition, request.input);
    before.subject = request.subject;
    return before;
}

asio::awaitable<steps::StepOutcome> Worker::Impl::start_child(
    StepOrder order, StartRequest request
) {
    if (auto before = call_before(order, request)) {
        request.earlier = co_await store.earlier_child(std::move(*before));
    }
    // The run may have gone while others were asked.
    const plan::RunState* state = core().state_of(order.run);
    if (state == nullptr) co_return steps::StepOutcome{};
    const bool waits = request.caller->waits;
    if (waits) request.caller->gates = state->gates;
    const Program& program = *request.program;
    const json::value ticket = flow_ticket(
        program.definition.flow, {program.tenant, program.workflow}, request.input, request.subject
    );
    ChildPlace place{waits, asks_at(ticket, request.caller->gates)};
    const store::Tenant tenant{program.tenant, options.bucket};
    if (auto refused = co_await admit_child(order, &place, tenant, request.input)) {
        co_return std::move(*refused);
    }
    const auto give_back = [this, run = order.run](const ChildPlace* lent_place) {
        if (lent_place->taken) lent.erase(run);
    };
    std::unique_ptr<ChildPlace, decltype(give_back)> borrowed(&place, give_back);
    std::vector<StartRequest> requests;
    requests.push_back(std::move(request));
    const auto started = co_await start(std::move(requests));
    borrowed.release();  // NOLINT(bugprone-unused-return-value): until the run knows of the child
    const std::string child = to_string(started.at(0).run);
    if (!waits) co_return steps::completed(json::object{{"run_id", child}});
    co_return steps::pending(events::ChildWait{child, place.taken});
}

// Enters or leaves a critical section. A signal ends the wait for a place.
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
            const plan::RunState* state = core().state_of(order.run);
            if (state == nullptr) co_return steps::StepOutcome{};
            place.token = plan::place_to_leave(*state, request.token, place.key);
            co_await store.leave_lock(place);
            co_return steps::completed(json::object{{"key", place.key}});
        }
        const SessionRef begun = session;
        const bool inside = co_await store.enter_lock(place);
        // Withdrawn meanwhile: nothing else would give the place up.
        const bool mine = !finished && alive(begun);
        if (mine && !is_awaited(core().state_of(order.run), order.step)) {
            co_await store.leave_lock(place);
        }
        if (inside) co_return steps::completed(json::object{{"key", place.key}});
    } catch (const Failure& failure) {
        co_return steps::failed(ErrorClass::retryable, "lock", steps::failure_text(failure));
    }
    co_return steps::pending(events::LockWait{place.key});
}

std::function<bool()> Worker::Impl::wanted_by(const StepOrder& order) {
    return [run = order.run, step = order.step, begun = SessionRef(session)] {
        const SessionPtr mine = alive(begun);
        const plan::RunState* state = mine ? mine->core.state_of(run) : nullptr;
        return state != nullptr && is_awaited(state, step);
    };
}

// With `callback: true` a step may answer 202; the holder of this ticket says later how it ended.
std::optional<steps::Callback> Worker::Impl::callback_for(
    const StepOrder& order, const json::object& config
) const {
    const json::value* wanted = config.if_contains("callback");
    if (wanted == nullptr || *wanted != true || !options.seal.usable()) return std::nullopt;
    steps::Callback callback;
    const Node& node = order.program->definition.nodes[order.step.node];
    callback.until = saturating_add(now(), node.timeout.value_or(callback_life));
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
