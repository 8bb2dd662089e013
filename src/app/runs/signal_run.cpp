#include "app/runs/signal_run.hpp"

#include "app/refusal.hpp"
#include "app/runs/folded_run.hpp"
#include "model/events/signal_data.hpp"
#include "plan/awaited_signal.hpp"
#include "plan/planner.hpp"
#include "plan/skip.hpp"

namespace pawl::app {

namespace {

constexpr const char* no_such_step = "is not a step of this version";

// True: the run is open, or got this very message before.
asio::awaitable<bool> leave(
    RunUses& uses, store::Tenant tenant, std::string key, store::NewSignal signal
) {
    if (key.empty()) {
        std::vector<store::NewSignal> signals;
        signals.push_back(std::move(signal));
        const auto reached = co_await uses.store.send_signals(tenant.bucket, std::move(signals));
        co_return !reached.empty();
    }
    // Together with the mark that it was left: a server that dies before it answers leaves nothing
    // in doubt.
    const auto sent =
        co_await uses.idempotency.send_signal(tenant, std::move(key), std::move(signal));
    co_return sent.reached;
}

asio::awaitable<Result<store::RunDetails>> send(
    RunUses& uses, Caller caller, RunId id, SignalKind kind, json::object data
) {
    const auto before = co_await find_run(uses.store, caller.tenant, id);  // of this tenant only
    if (!before) co_return before.error();
    store::NewSignal signal{id, std::string(name(kind)), std::move(data)};
    const bool left = co_await leave(uses, caller.tenant, caller.key, std::move(signal));
    auto run = co_await find_run(uses.store, caller.tenant, id);
    if (!run) co_return run.error();
    if (!left) {
        co_return refusal(
            Errc::conflict,
            "run_closed",
            "the run is " + run->status + "; nothing reaches it any more"
        )
            .with("status", run->status);
    }
    uses.wake_workers();
    co_return std::move(*run);
}

asio::awaitable<Result<void>> check_awaited(
    RunUses& uses, const Caller& caller, RunId id, const std::string& name
) {
    const auto folded = co_await fold_run(uses.store, uses.programs, caller.tenant, id);
    if (!folded) co_return folded.error();
    const auto check = plan::check_signal(folded->program->definition, folded->state, name);
    if (check.sentence.empty()) co_return Result<void>();
    // The same call again, whose message the run has got: it waits for something else by now.
    if (!caller.key.empty()) {
        const bool sent = co_await uses.idempotency.was_sent(caller.tenant.id, caller.key);
        if (sent) co_return Result<void>();
    }
    std::string sentence = check.sentence;
    if (!check.names.empty()) sentence += ", not for " + name;
    sentence += "; with early: true it is kept until the run does";
    Error error = refusal(Errc::conflict, "not_awaited", std::move(sentence)).with("signal", name);
    for (const auto& awaited : check.names) error.context.emplace_back("waits_for", awaited);
    co_return error;
}

}  // namespace

asio::awaitable<Result<store::RunDetails>> signal_run(
    RunUses& uses, Caller caller, RunId id, SignalParams params
) {
    if (!params.early) {
        const auto fine = co_await check_awaited(uses, caller, id, params.name);
        if (!fine) co_return fine.error();
    }
    json::object message = events::write(events::NamedSignal{params.name, std::move(params.data)});
    co_return co_await send(uses, std::move(caller), id, SignalKind::signal, std::move(message));
}

asio::awaitable<Result<store::RunDetails>> pause_run(
    RunUses& uses, Caller caller, RunId id, std::string reason
) {
    json::object data = events::write(events::PauseSignal{reason});
    co_return co_await send(uses, std::move(caller), id, SignalKind::pause, std::move(data));
}

asio::awaitable<Result<store::RunDetails>> resume_run(RunUses& uses, Caller caller, RunId id) {
    return send(uses, std::move(caller), id, SignalKind::resume, json::object());
}

asio::awaitable<Result<store::RunDetails>> skip_step(
    RunUses& uses, Caller caller, RunId id, SkipParams params
) {
    using Verdict = plan::SkipCheck::Verdict;
    const auto folded = co_await fold_run(uses.store, uses.programs, caller.tenant, id);
    if (!folded) co_return folded.error();
    if (!is_terminal(folded->state.status)) {  // else for send() to refuse
        auto check = plan::check_skip(folded->program->definition, folded->state, params.node);
        if (check.verdict == Verdict::unknown_node) {
            co_return wrong_at(std::move(check.sentence), "/node", no_such_step);
        }
        if (check.verdict == Verdict::not_open) {
            co_return refusal(Errc::conflict, "not_open", std::move(check.sentence))
                .with("step", params.node);
        }
        const Definition& definition = folded->program->definition;
        const auto node = definition.find(params.node);
        if (!params.handle.empty() && node && !definition.next(*node, params.handle)) {
            co_return wrong_at(
                "no edge leaves the step by '" + params.handle + "'", "/handle", "is no way out"
            );
        }
    }
    events::SkipSignal said{params.node, {}, params.by, params.reason, {}};
    if (params.value) said.value = std::move(*params.value);
    json::object data = events::write(std::move(said));
    if (!params.handle.empty()) data["handle"] = params.handle;
    co_return co_await send(uses, std::move(caller), id, SignalKind::skip, std::move(data));
}

asio::awaitable<Result<store::RunDetails>> settle_step(
    RunUses& uses, Caller caller, RunId id, plan::SettleRequest request
) {
    const auto folded = co_await fold_run(uses.store, uses.programs, caller.tenant, id);
    if (!folded) co_return folded.error();
    request.run = to_string(id);
    auto settlement = plan::settle(folded->program->definition, folded->state, request);
    if (settlement.unknown_node) {
        co_return wrong_at(std::move(settlement.sentence), "/node", no_such_step);
    }
    if (!settlement.sentence.empty() && !is_terminal(folded->state.status)) {
        co_return refusal(Errc::conflict, "not_unknown", std::move(settlement.sentence))
            .with("step", request.node);
    }
    // What a provider said is known to its message. Before the step hears of it: this may be
    // repeated, and a step is settled once.
    if (settlement.message && !request.message && request.as != plan::Settled::retry) {
        const bool sent = request.as == plan::Settled::completed;
        co_await uses.message_log.settle(caller.tenant, *settlement.message, sent, request.reason);
    }
    json::object& data = settlement.signal;
    co_return co_await send(uses, std::move(caller), id, SignalKind::callback, std::move(data));
}

}  // namespace pawl::app
