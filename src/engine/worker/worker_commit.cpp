#include "engine/core/step_context.hpp"
#include "engine/worker/step_log.hpp"
#include "engine/worker/worker_impl.hpp"
#include "model/duration.hpp"
#include "model/events/step_events.hpp"
#include "model/events/wait.hpp"

#include <algorithm>
#include <utility>

namespace pawl::engine {

namespace {

// Of a batch that is sent again, the first try may still have been on its way: then that one was
// the other writer, and the next try finds everything written.
bool is_worth_a_try(Refusal refusal, const Flight& flight) {
    return refusal == Refusal::passing || (refusal == Refusal::taken && flight.batch.resend);
}

double milliseconds_since(Steady::time_point begun) {
    return std::chrono::duration<double, std::milli>(Steady::now() - begun).count();
}

}  // namespace

// Natural batching: while this lane waits for its commit, finished steps
// gather; when it returns, all of them go.
asio::awaitable<void> Worker::Impl::lane(std::size_t index) {
    while (!finished) {
        auto flight = core().next_flight(now());
        if (flight) {
            co_await send(std::move(*flight));
        } else {
            co_await lane_gates[index]->wait();
        }
    }
}

// After a commit: wakes everything that waits for it.
void Worker::Impl::settle(Flight flight, Instant sent) {
    const store::Projections& rows = flight.batch.projections;
    const bool matchable = !rows.subscribes.empty() || !rows.published.empty();
    const bool told_others = !rows.children.empty() || !rows.ends.empty();
    if (owner.on_committed) owner.on_committed(flight.batch.events);
    count_retries(flight);
    if (traces()) traces()->committed(flight, sent, now());
    core().committed(std::move(flight), now());
    pump();
    if (std::exchange(session->more_told, false)) beat_gate.open();
    if (matchable && owner.on_matchable) owner.on_matchable();
    // Also for messages that are unsure: the worker that hears of it settles them.
    if (told_others) {
        more_ready = true;
        claim_gate.open();
        if (owner.on_ready_elsewhere) owner.on_ready_elsewhere();
    }
}

// Whether the database would take something else than what it has just refused.
asio::awaitable<bool> Worker::Impl::takes_writes() {
    try {
        co_await store.heartbeat(session->id);
        co_return true;
    } catch (const Failure&) {
        co_return false;
    }
}

asio::awaitable<Commit> Worker::Impl::commit(Flight& flight, int tries) {
    const auto begun = session;
    std::optional<Counted> doubt;
    // A part of a batch that was in doubt as a whole.
    if (flight.batch.resend && !co_await keep_apart(flight, doubt)) co_return Commit{};
    for (int failures = 0, refused = 0, unanswered = 0;; ++failures) {
        const auto sent = Steady::now();
        Commit how;
        try {
            const Instant db = co_await store.commit_runs(flight.batch);
            // The commit's time is taken at its begin: as good a reading of the clock
            // as a heartbeat.
            clock.observe(db, sent, sent);
            metrics.committed(flight.batch.events.size(), Steady::now() - sent);
            co_return how;
        } catch (const Failure& failure) {
            how = {refusal_of(failure.error()), failure.error()};
        }
        if (begun->over) co_return how;
        const bool one_row = how.refusal == Refusal::outage && may_be_of_one_row(how.error);
        if (one_row && ++refused >= tries && co_await takes_writes()) {
            how.refusal = Refusal::passing;
        }
        // The database answers others, so it is this batch that ends its session: too large, say.
        // What fails while it answers no one, in a crash, is not the batch's fault and starts the
        // count anew.
        const bool in_doubt = how.refusal == Refusal::unknown;
        if (in_doubt) unanswered = co_await takes_writes() ? unanswered + 1 : 0;
        if (in_doubt && unanswered >= tries) how.refusal = Refusal::row;
        if (begun->over) co_return how;
        const bool again = how.refusal == Refusal::unknown || how.refusal == Refusal::outage ||
                           (is_worth_a_try(how.refusal, flight) && ++refused < tries);
        log::warn(
            again ? "a commit failed; it is sent again" : "a commit was refused",
            {log::field("worker", to_string(begun->id)), log::field("error", to_string(how.error))}
        );
        if (!again) co_return how;
        metrics.resent();
        if (in_doubt && !doubt) doubt.emplace(begun->commits_in_doubt);
        co_await pause(backoff(failures));
        if (doubt && !co_await keep_apart(flight, doubt)) co_return how;
    }
}

// Before a batch is sent again that may have been through: no claim begins meanwhile, and none is
// under way. False: the session is over.
asio::awaitable<bool> Worker::Impl::keep_apart(Flight& flight, std::optional<Counted>& doubt) {
    const auto begun = session;
    if (!doubt) doubt.emplace(begun->commits_in_doubt);
    while (begun->claiming && !begun->over) co_await pause(std::chrono::milliseconds(5));
    if (begun->over) co_return false;
    core().prepare_resend(flight);
    co_return true;
}

WorkflowMetrics& Worker::Impl::counters_of(const Program& program) {
    WorkflowMetrics*& known = counters[program.workflow];
    if (known == nullptr) known = &metrics.of(program.definition.name);
    return *known;
}

void Worker::Impl::count_retries(const Flight& flight) {
    for (const auto& row : flight.batch.events) {
        if (row.event.type != EventType::step_failed) continue;
        const auto at = events::read<events::StepFailed>(row.event).retry_at;
        if (at) metrics.retry_in(*at - now());
    }
}

void Worker::Impl::report_closed() {
    for (const ClosedRun& closed : core().take_closed()) {
        counters_of(*closed.program).run_closed(closed.status);
        if (owner.on_closed) owner.on_closed(closed);
    }
}

// After any change in the core: carries out its orders and wakes the loops concerned.
void Worker::Impl::pump() {
    for (auto orders = core().take_orders(); !orders.empty(); orders = core().take_orders()) {
        for (const StepOrder& order : orders) execute(order);
    }
    report_closed();
    if (core().has_pending()) {
        for (auto& gate : lane_gates) gate->open();
    }
    if (core().next_timer() != timer_set) timer_gate.open();
    // Room for a whole claim, or nothing left to do: fetch more.
    const auto enough =
        std::min<std::size_t>(static_cast<std::size_t>(options.claim_max), core().capacity() / 2);
    if (more_ready && (core().room() >= enough || core().held() == 0)) claim_gate.open();
    if (stopping) progress_gate.open();
}

void Worker::Impl::execute(const StepOrder& order) {
    auto request = prepare(order);
    if (!request) return;
    const store::TenantId tenant = order.program->tenant;
    if (places.take(tenant)) return begin(order, std::move(*request));
    places.wait(tenant, order);
}

void Worker::Impl::fill_places() {
    while (!core().draining()) {
        const auto next = places.next();
        if (!next) return;
        auto request = prepare(*next);
        if (request) {
            begin(*next, std::move(*request));
        } else {
            places.give_back(next->program->tenant);
        }
    }
}

void Worker::Impl::begin(const StepOrder& order, steps::StepRequest request) {
    core().begun(order);
    step_tasks.spawn(execute_outside(order, std::move(request)));
}

std::optional<steps::StepRequest> Worker::Impl::prepare(const StepOrder& order) {
    const plan::RunState* state = core().state_of(order.run);
    // It may have waited for its turn.
    if (state == nullptr || !core().is_due(order)) return std::nullopt;
    const Node& node = order.program->definition.nodes[order.step.node];
    const auto begun = Steady::now();
    const plan::Rendered& config = *order.config;
    if (!config) {
        finish_step(order, steps::failed(config.error()), begun);
        return std::nullopt;
    }
    steps::StepRequest request;
    request.run_id = to_string(order.run);
    request.worker = session->id;
    request.tenant = order.program->tenant;
    request.workflow = order.program->definition.name;
    request.workflow_id = order.program->workflow;
    request.version = order.program->version;
    request.node = node.id;
    request.type = node.type;
    request.attempt = order.step.attempt;
    request.token = order.step.token;
    request.visit = order.step.visit;
    request.subject = state->subject;
    const auto& definition = order.program->definition;
    request.idempotency_key = plan::idempotency_key(
        plan::key_run(definition, *state, order.step, request.run_id), definition, order.step
    );
    request.config = **config;
    request.now = now();
    if (node.type == NodeType::agent) {
        const plan::Token* token = state->find_token(order.step.token);
        if (token != nullptr) request.turns = token->turns;
    }
    const bool sends = node.type == NodeType::http || node.type == NodeType::function ||
                       node.type == NodeType::agent;
    request.wants_secrets = sends && node.has_templates && steps::asks_for_credentials(node.config);
    request.wants_person = node.reads_person;
    if (request.wants_secrets || request.wants_person) request.templates = &node.config;
    add_context(request, order.program->definition, *state, order.step.frame, order.step.token);
    request.callback = callback_for(order, request.config);
    if (traces()) request.traceparent = traces()->header_for(order);
    request.timeout = node.timeout.value_or(steps::default_timeout(node.type));
    if (auto outcome = steps.try_now(request)) {
        finish_step(order, std::move(*outcome), begun);
        return std::nullopt;
    }
    return request;
}

asio::awaitable<steps::StepOutcome> Worker::Impl::carry_out(
    const StepOrder& order, steps::StepRequest request
) {
    const bool item = request.type == NodeType::foreach_ && !request.config.contains("page_of");
    const bool child = request.type == NodeType::call || item;
    if (child) return call_child(order, std::move(request));
    const bool lock = request.type == NodeType::lock || request.type == NodeType::unlock;
    if (lock) return pass_lock(order, std::move(request));
    if (request.type == NodeType::transform) request.wanted = wanted_by(order);
    return steps.execute(std::move(request));
}

asio::awaitable<void> Worker::Impl::execute_outside(StepOrder order, steps::StepRequest request) {
    const auto begun = Steady::now();
    const SessionRef begun_in = session;
    std::optional<steps::StepOutcome> outcome;
    try {
        outcome = co_await carry_out(order, std::move(request));
    } catch (const std::exception& error) {
        if (finished) throw;
        // Unexpected. A run whose step never ends would wait for ever; a step that is tried
        // again has the same idempotency key.
        outcome = steps::failed(ErrorClass::retryable, "internal", error.what());
    }
    places.give_back(order.program->tenant);
    if (finished) co_return;
    if (alive(begun_in)) finish_step(order, std::move(*outcome), begun);
    fill_places();
    pump();
}

void Worker::Impl::finish_step(
    const StepOrder& order, steps::StepOutcome outcome, Steady::time_point begun
) {
    const Node& node = order.program->definition.nodes[order.step.node];
    // The database would refuse it, and with it the commit of other runs' steps.
    if (!is_storable(outcome.result)) {
        outcome = steps::failed(
            ErrorClass::permanent,
            "invalid_result",
            "its result holds U+0000 or a number out of range, or is nested too deeply, and cannot "
            "be stored"
        );
    }
    if (outcome.postponed) {
        events::Wait held = events::read_wait(outcome.pending);
        held.set_until(saturating_add(now(), *outcome.postponed));
        outcome.pending = std::move(held).write(std::move(outcome.pending.get_object()));
    }
    const bool again = outcome.error && may_retry(node, order.step.attempt, *outcome.error);
    const StepEnd how = outcome.postponed ? StepEnd::postponed
                        : !outcome.error  ? StepEnd::completed
                        : again           ? StepEnd::retried
                                          : StepEnd::failed;
    counters_of(*order.program).step_ended(node.type, how);
    metrics.step_took(node.type, Steady::now() - begun);
    if (traces()) traces()->step_ended(order, outcome, begun, now());
    if (outcome.error || log::enabled(log::Level::debug)) {
        const plan::RunState* state = core().state_of(order.run);
        log_step(
            {order,
             outcome,
             again,
             milliseconds_since(begun),
             session->id,
             state == nullptr ? 0 : state->next_seq,
             core().correlation_of(order.run),
             traces() ? traces()->header_for(order) : std::string()}
        );
    }
    plan::StepFinished finished_step{
        order.step.token,
        order.step.attempt,
        std::move(outcome.result),
        std::move(outcome.error),
        std::move(outcome.pending),
        order.step.visit,
        order.step.node,
        outcome.advances,
        session->name};
    core().step_finished(order.run, std::move(finished_step), now());
}

}  // namespace pawl::engine
