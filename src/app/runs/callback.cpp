#include "app/runs/callback.hpp"

#include "app/refusal.hpp"
#include "base/sha256.hpp"

#include <boost/json/serialize.hpp>

namespace pawl::app {

namespace {

Error closed() {
    return refusal(Errc::conflict, "run_closed", "the run has closed; nothing waits for this");
}

}  // namespace

asio::awaitable<Result<void>> answer_callback(
    App& app, engine::CallbackTicket ticket, std::string token, events::CallbackSignal said
) {
    said.to = {ticket.token, ticket.visit, std::nullopt};
    json::object data = events::write(std::move(said));
    store::CallbackAnswer answer;
    answer.bucket = ticket.bucket;
    answer.run = ticket.run;
    answer.token = sha256(token);
    answer.fingerprint = sha256(json::serialize(data));
    answer.expires = ticket.expires;
    answer.data = std::move(data);
    switch (co_await app.repos().callbacks.answer(std::move(answer))) {
        case store::CallbackOutcome::accepted: app.wake_workers()(); break;
        case store::CallbackOutcome::repeated: break;
        case store::CallbackOutcome::answered:
            co_return refusal(
                Errc::conflict,
                "already_answered",
                "this token was used before, with another answer"
            );
        case store::CallbackOutcome::closed: co_return closed();
    }
    co_return Result<void>();
}

asio::awaitable<Result<void>> beat_callback(App& app, engine::CallbackTicket ticket) {
    events::CallbackSignal beat;
    beat.to = {ticket.token, ticket.visit, std::nullopt};
    beat.heartbeat = true;
    std::vector<store::NewSignal> signals;
    signals.push_back(
        {ticket.run, std::string(name(SignalKind::callback)), events::write(std::move(beat))}
    );
    const auto reached = co_await app.repos().store.send_signals(ticket.bucket, std::move(signals));
    if (reached.empty()) co_return closed();
    app.wake_workers()();
    co_return Result<void>();
}

}  // namespace pawl::app
