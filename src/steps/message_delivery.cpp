#include "steps/message_delivery.hpp"

#include "connect/batch.hpp"
#include "model/events/wait.hpp"
#include "steps/message_once.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

namespace pawl::steps {

namespace {

constexpr Duration longest_pause = std::chrono::hours(24);
constexpr int margin_of_window = 50;  // a part of it
constexpr std::size_t batch_bytes_max = 8 << 20;
constexpr Duration pause_without_place = std::chrono::seconds(1);
// Pauses before a call that may have reached its provider is repeated.
constexpr std::array<Duration, 3> repeat_after{
    std::chrono::milliseconds(500), std::chrono::seconds(2), std::chrono::seconds(5)};

asio::awaitable<void> rest(Duration time) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    timer.expires_after(time);
    co_await timer.async_wait(asio::use_awaitable);
}

StepOutcome postpone(events::TargetWait held, Duration pause) {
    StepOutcome outcome = pending(std::move(held));
    outcome.postponed = std::clamp(pause, Duration(std::chrono::milliseconds(100)), longest_pause);
    return outcome;
}

StepOutcome over_rate(const Parcel& parcel, double rate, Duration pause) {
    events::TargetWait held;
    held.target = parcel.connector->name;
    held.limit = true;
    held.reason = fmt::format(
        "the account '{}' sends {} messages a second, and others come first",
        parcel.message.account,
        rate
    );
    return postpone(std::move(held), pause);
}

// The turn of a call with so many messages: nothing, or how their steps end.
asio::awaitable<std::optional<StepOutcome>> wait_for_turn(
    Courier courier, const Parcel& parcel, std::size_t many
) {
    const double rate = connect::rate_of(*parcel.connector, *parcel.account);
    if (rate <= 0 || !courier.services.pace) co_return std::nullopt;
    const double messages = connect::has_own_rate(*parcel.account) ? static_cast<double>(many) : 1;
    MessagePace pace{
        parcel.message.order.tenant,
        parcel.connector->account_of,
        parcel.message.account,
        rate / messages};
    const MessageTurn turn = co_await courier.services.pace(std::move(pace));
    if (turn.later) co_return over_rate(parcel, rate, turn.wait);
    if (turn.wait > Duration::zero()) co_await rest(turn.wait);
    co_return std::nullopt;
}

StepOutcome interrupted(const Parcel& parcel) {
    const std::string why = parcel.message.window ? "an earlier attempt may have reached it, and "
                                                    "it does not recognise the repeat any more"
                                                  : "an earlier attempt was interrupted";
    return failed(
        ErrorClass::ambiguous,
        "interrupted",
        fmt::format("{} may have sent the message: {}", parcel.connector->name, why)
    );
}

// True: it is to be sent. Else `done` says what is known.
bool goes_out(const Parcel& parcel, const MessageBegun& found, Delivered& done) {
    switch (found.how) {
        case MessageBegun::How::begun: done.begun = true; return true;
        case MessageBegun::How::again: return true;
        case MessageBegun::How::sent:
            done.verdict.means = connect::Means::accepted;
            done.verdict.external_id = found.external_id;
            return false;
        case MessageBegun::How::interrupted: break;
    }
    done.unsent = interrupted(parcel);
    return false;
}

bool is_written_down(const connect::Connector& connector) {
    return connector.replay == connect::Replay::reconcile || recognised_for(connector);
}

// A place for the call, so that a message is not written down as being sent while it only waits in
// line: should the worker die then, it would be unknown. Nothing, or how the steps end.
asio::awaitable<std::optional<StepOutcome>> wait_for_place(
    Courier courier, const Parcel& parcel, http::Request& request
) {
    request.place = co_await courier.client.enter(request);
    if (request.place) co_return std::nullopt;
    events::TargetWait held;
    held.target = parcel.connector->name;
    held.reason = "too many other requests are under way";
    co_return postpone(std::move(held), pause_without_place);
}

// The last thing before the call of one message. Lives in the frame of deliver_one.
struct Single {
    Courier courier;
    Parcel& parcel;
    Delivered& done;
    bool known = false;  // that it was sent, or may have been

    asio::awaitable<std::optional<StepOutcome>> begin(http::Request& request) {
        auto later = co_await wait_for_turn(courier, parcel, 1);
        const bool recorded = done.begun || !is_written_down(*parcel.connector);
        if (later || recorded || !courier.services.begin) co_return later;
        // Where a repeat is recognised, it may be written down early.
        if (parcel.connector->replay == connect::Replay::reconcile) {
            later = co_await wait_for_place(courier, parcel, request);
            if (later) co_return later;
        }
        std::vector<StepMessage> one{parcel.message};
        const auto found = co_await courier.services.begin(std::move(one));
        if (goes_out(parcel, found.at(0), done)) co_return std::nullopt;
        known = true;
        co_return StepOutcome{};
    }
};

// A call did not go out, so that what was written down for it before is not true.
asio::awaitable<void> take_back(Courier courier, std::vector<Uuid> ids) {
    if (!ids.empty()) co_await courier.services.release(std::move(ids));
}

// `begun`: it is written down already.
asio::awaitable<Delivered> deliver_single(Courier courier, Parcel parcel, bool begun) {
    Delivered done;
    done.begun = begun;
    Single single{courier, parcel, done};
    CallTargets::Sent sent = co_await courier.targets.send(
        courier.client,
        parcel.message.order.tenant,
        std::move(parcel.call.request),
        [&single](http::Request& whole) { return single.begin(whole); }
    );
    if (single.known) co_return done;
    if (sent.unsent) {
        if (done.begun) co_await take_back(courier, {parcel.message.order.id});
        done.unsent = std::move(sent.unsent);
        co_return done;
    }
    done.verdict = verdict_of(*parcel.connector, *sent.outcome);
    if (done.verdict.external_id.empty()) done.verdict.external_id = parcel.call.external_id;
    co_return done;
}

// Several messages of one group. Lives in the frame of deliver_together.
class Together {
public:
    Together(Courier courier, std::vector<Parcel> parcels)
        : courier_(courier),
          connector_(parcels.at(0).connector),
          parcels_(std::move(parcels)),
          done_(parcels_.size()) {}

    asio::awaitable<std::vector<Delivered>> run() {
        cut();
        while (!pieces_.empty()) {
            Piece piece = std::move(pieces_.front());
            pieces_.pop_front();
            if (piece.size() == 1) {
                const std::size_t i = piece[0];
                const bool begun = done_[i].begun;
                done_[i] = co_await deliver_single(courier_, std::move(parcels_[i]), begun);
            } else {
                co_await send(std::move(piece));
            }
        }
        co_return std::move(done_);
    }

private:
    using Piece = std::vector<std::size_t>;  // places of messages

    const connect::Connector& connector() const { return *connector_; }

    void cut() {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < parcels_.size(); ++i) {
            const std::size_t size = parcels_[i].call.request.body.size();
            if (i == 0 || bytes + size > batch_bytes_max) {
                pieces_.emplace_back();
                bytes = 0;
            }
            bytes += size;
            pieces_.back().push_back(i);
        }
    }

    asio::awaitable<void> send(Piece piece) {
        http::Request request = write(piece);
        CallTargets::Sent sent = co_await courier_.targets.send(
            courier_.client,
            parcels_[piece[0]].message.order.tenant,
            request,
            [this, &piece, &request](http::Request& whole) { return begin(piece, whole, request); }
        );
        if (piece.empty()) co_return;
        if (sent.unsent) {
            co_await leave(std::move(piece), *sent.unsent);
            co_return;
        }
        http::Outcome outcome = std::move(*sent.outcome);
        co_await repeat(std::move(request), piece[0], outcome);
        conclude(std::move(piece), outcome);
    }

    asio::awaitable<void> leave(Piece piece, StepOutcome unsent) {
        std::vector<Uuid> begun;
        for (const std::size_t i : piece) {
            if (done_[i].begun) begun.push_back(parcels_[i].message.order.id);
            done_[i].begun = false;
            done_[i].unsent = unsent;
        }
        co_await take_back(courier_, std::move(begun));
    }

    // One call for the messages of a piece. Those that cannot go along become a piece of their own.
    http::Request write(Piece& piece) {
        std::vector<const connect::Call*> calls;
        for (const std::size_t i : piece) calls.push_back(&parcels_[i].call);
        std::vector<bool> taken;
        http::Request request =
            connect::make_batch(connector(), *parcels_[piece[0]].account, calls, taken);
        Piece left, in;
        for (std::size_t k = 0; k < piece.size(); ++k) (taken[k] ? in : left).push_back(piece[k]);
        if (!left.empty()) pieces_.push_back(std::move(left));
        piece = std::move(in);
        return request;
    }

    // The last thing before the call: `piece` and `request` are without those that are not to go.
    asio::awaitable<std::optional<StepOutcome>> begin(
        Piece& piece, http::Request& whole, http::Request& request
    ) {
        auto later = co_await wait_for_turn(courier_, parcels_[piece[0]], piece.size());
        if (later || done_[piece[0]].begun || !courier_.services.begin) co_return later;
        later = co_await wait_for_place(courier_, parcels_[piece[0]], whole);
        if (later) co_return later;
        std::vector<StepMessage> messages;
        for (const std::size_t i : piece) {
            messages.push_back(parcels_[i].message);
            messages.back().together = true;
        }
        const auto found = co_await courier_.services.begin(std::move(messages));
        Piece go;
        for (std::size_t k = 0; k < piece.size(); ++k) {
            const std::size_t i = piece[k];
            if (!goes_out(parcels_[i], found.at(k), done_[i])) continue;
            if (done_[i].begun) {
                go.push_back(i);
            } else {
                pieces_.push_back({i});  // under its own key, by which the provider may know it
            }
        }
        const bool all = go.size() == piece.size();
        piece = std::move(go);
        if (piece.empty()) co_return StepOutcome{};
        if (!all) {
            request = write(piece);
            whole.headers = request.headers;
            whole.body = request.body;
        }
        co_return std::nullopt;
    }

    // A provider that recognises the call is asked again for an answer that did not come.
    asio::awaitable<void> repeat(http::Request request, std::size_t first, http::Outcome& outcome) {
        if (connector().replay != connect::Replay::safe) co_return;
        for (const Duration pause : repeat_after) {
            const auto verdict = verdict_of(connector(), outcome);
            if (verdict.means != connect::Means::retry || !verdict.maybe) co_return;
            co_await rest(pause);
            CallTargets::Sent again = co_await courier_.targets.send(
                courier_.client, parcels_[first].message.order.tenant, request
            );
            if (again.outcome) outcome = std::move(*again.outcome);
        }
    }

    void conclude(Piece piece, const http::Outcome& outcome) {
        const bool answered = outcome.has_value();
        const auto verdicts =
            answered
                ? read_batch_answer(connector(), *outcome, wall_now(), piece.size())
                : std::vector<connect::Verdict>(piece.size(), verdict_of(connector(), outcome));
        const bool refused = verdicts[0].means == connect::Means::refused;
        if (answered && refused && connect::is_about_messages(outcome->status) &&
            piece.size() > 1) {
            const auto middle = piece.begin() + static_cast<std::ptrdiff_t>(piece.size() / 2);
            pieces_.emplace_front(middle, piece.end());
            pieces_.emplace_front(piece.begin(), middle);
            return;
        }
        for (std::size_t k = 0; k < piece.size(); ++k) {
            connect::Verdict& verdict = done_[piece[k]].verdict;
            verdict = verdicts[k];
            // The next try would be another call, which the provider does not recognise.
            if (verdict.means == connect::Means::retry && verdict.maybe)
                verdict.means = connect::Means::unknown;
        }
    }

    Courier courier_;
    std::shared_ptr<const connect::Connector> connector_;
    std::vector<Parcel> parcels_;
    std::vector<Delivered> done_;
    std::deque<Piece> pieces_;
};

}  // namespace

std::optional<Duration> recognised_for(const connect::Connector& connector) {
    const Duration window = connector.replay_window;
    if (connector.replay != connect::Replay::safe || window <= Duration::zero()) return {};
    return window - window / margin_of_window;
}

asio::awaitable<Delivered> deliver_one(Courier courier, Parcel parcel) {
    return deliver_single(courier, std::move(parcel), false);
}

asio::awaitable<std::vector<Delivered>> deliver_together(
    Courier courier, std::vector<Parcel> parcels
) {
    Together together(courier, std::move(parcels));
    co_return co_await together.run();
}

StepOutcome postpone(std::string target, std::string reason, Duration pause) {
    events::TargetWait held;
    held.target = std::move(target);
    held.reason = std::move(reason);
    return postpone(std::move(held), pause);
}

}  // namespace pawl::steps
