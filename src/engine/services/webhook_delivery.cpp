#include "engine/services/webhook_delivery.hpp"

#include "base/rng.hpp"
#include "base/webhook_secret.hpp"
#include "engine/async/coroutine_group.hpp"
#include "model/webhook.hpp"
#include "steps/classify.hpp"
#include "steps/storable_text.hpp"

#include <boost/system/system_error.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <span>

namespace pawl::engine {

namespace {

using store::OutboxState;

constexpr std::size_t excerpt_bytes_max = 500;
constexpr std::size_t response_bytes_max = 64 << 10;
constexpr std::size_t batch_bytes_max = 1'000'000;
constexpr std::size_t id_bytes_max = 64;  // what a batch adds to each message

// Shared with what it has spawned.
struct Delivery {
    http::Client* client = nullptr;
    store::TakenMessages taken;
    store::SettledMessages settled;  // in the order of the messages
    Rng rng;
    Duration timeout{};
    Steady::time_point deadline{};  // nothing is begun after it
    bool any_good = false;
    bool any_bad = false;

    explicit Delivery(std::uint64_t seed) : rng(seed) {}
};
using Shared = std::shared_ptr<Delivery>;

http::Request request_of(const Delivery& delivery, const std::string& id, std::string body) {
    const std::int64_t now = wall_now().time_since_epoch().count() / 1'000'000;
    std::string signatures;
    for (const std::string& secret : delivery.taken.secrets) {
        const auto key = webhook_key(secret);
        if (!key) continue;
        if (!signatures.empty()) signatures += ' ';
        signatures += webhook_signature(*key, id, now, body);
    }
    http::Request request;
    request.method = "POST";
    request.url = delivery.taken.url;
    request.tenant = delivery.taken.tenant;
    request.headers = {
        {"Content-Type", "application/json"},
        {"webhook-id", id},
        {"webhook-timestamp", std::to_string(now)},
        {"webhook-signature", signatures}};
    request.body = std::move(body);
    request.timeout = delivery.timeout;
    request.response_bytes_max = response_bytes_max;
    request.cut_response = true;  // the status is the answer
    return request;
}

// The request was never sent: the attempt does not count.
bool never_left(const http::Outcome& outcome) {
    return !outcome && outcome.error().kind == http::FaultKind::timeout_in_line;
}

// What an answer means for one message.
void judge(Delivery& delivery, std::size_t index, const http::Outcome& outcome) {
    const auto& message = delivery.taken.messages[index];
    store::SettledMessage& settled = delivery.settled.messages[index];
    settled.tried = true;
    WebhookAnswer answer;
    if (outcome) {
        answer.status = settled.status = outcome->status;
        settled.response = steps::storable(outcome->body, excerpt_bytes_max);
    }
    if (const auto error = steps::classify(outcome, wall_now())) {
        answer.retry_after = error->retry_after;
        settled.error = error->message;
    }
    const auto verdict =
        judge_webhook(answer, message.attempts, delivery.taken.retries, delivery.rng.unit());
    settled.wait.reset();
    switch (verdict.kind) {
        case WebhookVerdict::Kind::published:
            settled.state = OutboxState::published;
            delivery.any_good = true;
            return;
        case WebhookVerdict::Kind::retry:
            settled.state = OutboxState::pending;
            settled.wait = verdict.wait;
            break;
        case WebhookVerdict::Kind::disable:
            delivery.settled.disable = "the receiver answered 410 Gone";
            settled.state = OutboxState::failed;
            break;
        case WebhookVerdict::Kind::give_up: settled.state = OutboxState::failed; break;
    }
    delivery.any_bad = true;
}

bool may_begin(const Delivery& delivery) {
    return delivery.settled.disable.empty() && Steady::now() < delivery.deadline;
}

// Messages of one run. The first that has to wait holds the others back.
asio::awaitable<void> deliver_chain(Shared delivery, std::vector<std::size_t> chain) {
    for (std::size_t place = 0; place < chain.size(); ++place) {
        if (!may_begin(*delivery)) co_return;
        const auto& message = delivery->taken.messages[chain[place]];
        const std::string id = store::outbox_id(message.run, message.seq);
        http::Outcome outcome =
            co_await delivery->client->send(request_of(*delivery, id, message.body));
        if (never_left(outcome)) co_return;
        judge(*delivery, chain[place], outcome);
        const auto wait = delivery->settled.messages[chain[place]].wait;
        if (!wait) continue;
        for (++place; place < chain.size(); ++place) {
            delivery->settled.messages[chain[place]].wait = wait;
        }
    }
}

// Where the request that begins there ends: as many as the target takes, within reason.
std::size_t end_of_batch(const store::TakenMessages& taken, std::size_t begin) {
    const std::size_t most =
        std::min(begin + static_cast<std::size_t>(taken.batch_max), taken.messages.size());
    std::size_t bytes = 0;
    for (std::size_t i = begin; i < most; ++i) {
        bytes += taken.messages[i].body.size() + id_bytes_max;
        if (bytes > batch_bytes_max && i > begin) return i;
    }
    return most;
}

// Several in one request, and one request after the other.
asio::awaitable<void> deliver_together(Shared delivery) {
    const auto& all = delivery->taken.messages;
    std::optional<Duration> held;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        end = end_of_batch(delivery->taken, begin);
        if (held) {
            for (std::size_t i = begin; i < end; ++i) delivery->settled.messages[i].wait = held;
            continue;
        }
        if (!may_begin(*delivery)) co_return;
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = all.begin() + static_cast<std::ptrdiff_t>(end);
        WebhookBatch batch = batch_of({first, last}, wall_now());
        http::Outcome outcome =
            co_await delivery->client->send(request_of(*delivery, batch.id, std::move(batch.body)));
        if (never_left(outcome)) co_return;
        for (std::size_t i = begin; i < end; ++i) {
            judge(*delivery, i, outcome);
            // All of them again at the same moment.
            auto& wait = delivery->settled.messages[i].wait;
            if (wait && held) wait = held;
            if (wait) held = wait;
        }
    }
}

// No message has been sent yet.
void begin_delivery(Delivery& delivery) {
    delivery.settled.target = delivery.taken.target;
    delivery.settled.tenant = delivery.taken.tenant;
    delivery.settled.shard = delivery.taken.shard;
    for (const auto& message : delivery.taken.messages) {
        delivery.settled.messages.push_back(
            {message.run, message.seq, OutboxState::pending, false, {}, {}, {}, Duration(0)}
        );
    }
}

}  // namespace

WebhookBatch batch_of(const std::vector<store::OutboxMessage>& messages, Instant now) {
    WebhookBatch batch;
    std::string ids;
    batch.body = fmt::format(R"({{"type":"batch","timestamp":"{}","data":[)", to_rfc3339(now));
    bool first = true;
    for (const auto& message : messages) {
        const std::string id = store::outbox_id(message.run, message.seq);
        ids += id;
        if (!std::exchange(first, false)) batch.body += ',';
        batch.body += fmt::format(R"({{"id":"{}",)", id);
        batch.body += std::string_view(message.body).substr(1);
    }
    batch.body += "]}";
    batch.id = "batch_" + sha256_hex(ids).substr(0, 32);
    return batch;
}

asio::awaitable<Delivered> deliver_webhook(
    asio::any_io_executor executor,
    http::Client& client,
    store::TakenMessages taken,
    std::uint64_t seed,
    Duration timeout,
    Duration lease
) {
    const auto delivery = std::make_shared<Delivery>(seed);
    delivery->client = &client;
    delivery->taken = std::move(taken);
    delivery->timeout = timeout;
    delivery->deadline = Steady::now() + (lease - timeout) * 9 / 10;
    begin_delivery(*delivery);
    CoroutineGroup group(executor);
    if (delivery->taken.batch_max > 1) {
        group.spawn(deliver_together(delivery));
    } else {
        std::map<RunId, std::vector<std::size_t>> chains;
        for (std::size_t i = 0; i < delivery->taken.messages.size(); ++i) {
            chains[delivery->taken.messages[i].run].push_back(i);
        }
        for (auto& [run, chain] : chains) group.spawn(deliver_chain(delivery, std::move(chain)));
    }
    bool interrupted = false;
    try {
        co_await group.join_or_cancel();
    } catch (const boost::system::system_error&) {
        interrupted = true;
    }
    if (delivery->any_bad && !delivery->any_good) {
        delivery->settled.pause = webhook_pause(delivery->taken.failures);
    }
    co_return Delivered{std::move(delivery->settled), interrupted};
}

}  // namespace pawl::engine
