#pragma once

#include "base/clock.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// What follows from an answer to a webhook. Pure.
struct WebhookVerdict {
    enum class Kind {
        published,  // 2xx
        retry,
        give_up,  // tried as often as the table says
        disable,  // 410: the receiver is gone
    };
    Kind kind = Kind::published;
    Duration wait{};  // before the next try
};

// The receiver's answer: a status, or none when there was no answer; and Retry-After.
struct WebhookAnswer {
    std::optional<int> status;
    std::optional<Duration> retry_after;
};

// `attempts`: how often it was tried before. `retries`: seconds to wait after each failure; empty:
// the table of Standard Webhooks (5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h). Waits are
// up to 20 % longer at random (in [0, 1)).
WebhookVerdict judge_webhook(
    const WebhookAnswer& answer, int attempts, const std::vector<int>& retries, double random
);

// For how long a target is left alone that has failed this often in a row.
Duration webhook_pause(int failures);

// "run.failed", "run.*" or "*"; what people write who ask for messages.
bool is_webhook_event(std::string_view text);

// Channels of NOTIFY that a target may have: lower case, and none of the engine's own.
bool is_outbox_channel(std::string_view name);

}  // namespace pawl
