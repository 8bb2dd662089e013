#include "engine/services/outbox_publisher.hpp"

#include "base/log.hpp"
#include "base/webhook_secret.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <map>
#include <string_view>

namespace pawl::engine {

namespace {

constexpr Duration poll_min = std::chrono::milliseconds(20);
// Between tries to note the outcome of messages.
constexpr Duration settle_pause = std::chrono::milliseconds(500);
// For the last note of a publisher that is stopped.
constexpr Duration last_note_time = std::chrono::milliseconds(500);
// A target whose secret cannot be read is looked at again after this long.
constexpr Duration unreadable_pause = std::chrono::minutes(1);

// One of a tenant whose places are taken comes again after this long.
constexpr Duration crowded_pause = std::chrono::seconds(1);
constexpr std::size_t part_kept = 2;

// Not tried; the reason, if any, is shown with the deliveries.
store::SettledMessages put_back(
    const store::TakenMessages& taken, Duration wait, const std::string& why
) {
    store::SettledMessages settled;
    settled.target = taken.target;
    settled.tenant = taken.tenant;
    settled.shard = taken.shard;
    for (const auto& message : taken.messages) {
        settled.messages.push_back(
            {message.run, message.seq, store::OutboxState::pending, false, {}, {}, why, wait}
        );
    }
    return settled;
}

Delivered unreadable(const store::TakenMessages& taken) {
    log::warn(
        "a webhook's secret cannot be read",
        {log::field("webhook", taken.target), log::field("error", taken.problem)}
    );
    const std::string why = "its secret cannot be read, so it was not sent: " + taken.problem;
    Delivered delivered{put_back(taken, unreadable_pause, why)};
    delivered.settled.pause = unreadable_pause;
    return delivered;
}

}  // namespace

OutboxPublisher::OutboxPublisher(
    asio::any_io_executor executor,
    store::Outbox& outbox,
    http::Client& client,
    PublisherOptions options
)
    : executor_(std::move(executor)),
      outbox_(outbox),
      client_(client),
      options_(options),
      places_(std::make_shared<FairPlaces<int>>(
          static_cast<std::size_t>(options.deliveries_max), part_kept
      )) {
    for (int i = 0; i < options_.workers; ++i) gates_.push_back(std::make_unique<Gate>(executor_));
}

void OutboxPublisher::look() {
    if (!wanted_) return;
    for (auto& gate : gates_) gate->open();
}

asio::awaitable<void> OutboxPublisher::run() {
    CoroutineGroup group(executor_);
    for (std::size_t i = 0; i < gates_.size(); ++i) group.spawn(work(i));
    co_await group.join_or_cancel();
}

asio::awaitable<void> OutboxPublisher::work(std::size_t index) {
    CoroutineGroup under_way(executor_);
    std::exception_ptr ended;
    try {
        co_await take_all(index, under_way);
    } catch (const boost::system::system_error&) {
        ended = std::current_exception();
        under_way.cancel();
    } catch (...) {
        ended = std::current_exception();
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await under_way.join();
    std::rethrow_exception(ended);
}

asio::awaitable<void> OutboxPublisher::take_all(std::size_t index, CoroutineGroup& under_way) {
    IdMaker ids(rng_);
    const WorkerId worker{
        ids.next(static_cast<std::uint64_t>(wall_now().time_since_epoch().count() / 1000))};
    Duration wait = poll_min;
    for (;;) {
        bool did = false;
        ++rounds_;
        try {
            did = co_await round(worker, index, under_way);
            if (index == 0 && !did && !wanted_) wanted_ = co_await outbox_.any_targets();
            if (index == 0 && !did && wait >= options_.poll_max) {
                wanted_ = co_await outbox_.any_targets();
            }
            trouble_.fine();
        } catch (const Failure& failure) {
            trouble_.failed(failure.what());
            wait = options_.poll_max;
        }
        wait =
            did ? poll_min : std::min(wait * 2, wanted_ ? options_.poll_max : options_.poll_idle);
        if (did) continue;
        // Commits come faster than the publisher can look, and few of them fill the outbox.
        Gate quiet(executor_);
        co_await quiet.wait(Steady::now() + poll_min);
        co_await gates_[index]->wait(Steady::now() + wait);
    }
}

void OutboxPublisher::tell(std::string_view kind, std::string_view outcome, std::int64_t count) {
    if (count == 0) return;
    if (outcome == "published") published_ += count;
    if (on_delivered)
        on_delivered(std::string(kind), std::string(outcome), static_cast<std::size_t>(count));
}

void OutboxPublisher::tell_of(const store::SettledMessages& settled) {
    std::map<std::string_view, std::int64_t> counts;
    for (const store::SettledMessage& one : settled.messages) {
        if (!one.tried) continue;
        const bool over = one.state == store::OutboxState::failed;
        const bool good = one.state == store::OutboxState::published;
        ++counts[good ? "published" : over ? "failed" : "retried"];
    }
    for (const auto& [outcome, count] : counts) tell("webhook", outcome, count);
}

// How many were sent to channels and queues of the database.
asio::awaitable<int> OutboxPublisher::send_inside() {
    int sent = 0;
    for (const auto& one : co_await outbox_.publish_inside(options_.bucket, inside_batch)) {
        tell(one.kind, "published", one.sent);
        tell(one.kind, "retried", one.failed);
        sent += one.sent;
    }
    co_return sent;
}

// False when there was nothing to do.
asio::awaitable<bool> OutboxPublisher::round(
    WorkerId worker, std::size_t index, CoroutineGroup& under_way
) {
    int inside = 0;
    if (index == 0) inside = co_await send_inside();
    const bool full = places_->taken() >= static_cast<std::size_t>(options_.deliveries_max);
    if (full || !outbox_.can_sign()) co_return inside > 0;
    auto taken = co_await outbox_.take(options_.bucket, worker, options_.batch, options_.lease);
    if (taken.messages.empty()) co_return inside > 0;
    const auto lease_ends = Steady::now() + options_.lease;
    if (places_->take(taken.tenant)) {
        under_way.spawn(deliver(worker, std::move(taken), lease_ends));
    } else {
        co_await note(worker, {put_back(taken, crowded_pause, "")}, lease_ends);
    }
    co_return true;
}

asio::awaitable<void> OutboxPublisher::deliver(
    WorkerId worker, store::TakenMessages taken, Steady::time_point lease_ends
) {
    // Also when it is given up in the middle.
    struct Place {
        std::shared_ptr<FairPlaces<int>> places;
        store::TenantId tenant;
        ~Place() { places->give_back(tenant); }
    };
    const Place place{places_, taken.tenant};
    const std::int32_t target = taken.target;
    Delivered delivered;
    if (taken.secrets.empty()) {
        delivered = unreadable(taken);
    } else {
        delivered = co_await deliver_webhook(
            executor_, client_, std::move(taken), rng_.next(), options_.timeout, options_.lease
        );
    }
    const store::SettledMessages& settled = delivered.settled;
    if (!settled.disable.empty()) {
        log::warn(
            "a webhook was disabled",
            {log::field("webhook", target), log::field("reason", settled.disable)}
        );
    }
    tell_of(settled);
    co_await note(worker, std::move(delivered), lease_ends);
    look();  // there may be more of it
}

asio::awaitable<void> OutboxPublisher::note(
    WorkerId worker, Delivered delivered, Steady::time_point lease_ends
) {
    stopping_ = stopping_ || delivered.interrupted;
    // In its own coroutine, which is not cancelled: else delivered messages go out twice.
    CoroutineGroup group(executor_);
    group.spawn(settle(worker, std::move(delivered.settled), lease_ends));
    bool interrupted = false;
    try {
        co_await group.join();
    } catch (const boost::system::system_error&) {
        interrupted = true;
    }
    if (interrupted) {
        stopping_ = true;
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        // Without an answer of the database the lease runs out, and the messages go out again
        // under the same ids.
        co_await group.join_until(Steady::now() + last_note_time);
    }
    if (interrupted || delivered.interrupted) {
        throw boost::system::system_error(asio::error::operation_aborted);
    }
}

// Retries until the lease ends: then another publisher may have the messages.
asio::awaitable<void> OutboxPublisher::settle(
    WorkerId worker, store::SettledMessages settled, Steady::time_point lease_ends
) {
    for (;;) {
        try {
            co_await outbox_.settle(options_.bucket, worker, settled);
            co_return;
        } catch (const Failure& failure) {
            log::warn(
                "the outcome of deliveries could not be stored",
                {log::field("webhook", settled.target), log::field("error", failure.what())}
            );
        }
        if (stopping_ || Steady::now() + settle_pause >= lease_ends) co_return;
        Gate soon(executor_);
        co_await soon.wait(Steady::now() + settle_pause);
    }
}

}  // namespace pawl::engine
