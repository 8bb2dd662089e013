// What the limits of a run leave for the next call of a model.
#include "workers/connectors/model.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cmath>

namespace pawl::workers {

namespace {

// Most texts have four bytes and more to a token; to guess too many is the safe side.
constexpr std::int64_t bytes_per_token = 3;

double price_of(const ModelSettings& settings, std::int64_t in, std::int64_t out) {
    return (static_cast<double>(in) * settings.price_in +
            static_cast<double>(out) * settings.price_out) /
           1e6;
}

}  // namespace

Allowance allowance(
    const ModelSettings& settings, const json::object& body, const Spent& spent, int attempt
) {
    const auto bytes = static_cast<std::int64_t>(json::serialize(body).size());
    const std::int64_t prompt = bytes / bytes_per_token + 1;
    const std::int64_t reply = settings.reply_tokens_max;
    const std::int64_t earlier = std::max(attempt, 1) - 1;
    Allowance allowed;
    allowed.before.tokens = earlier * (prompt + reply);
    allowed.before.cost = static_cast<double>(earlier) * price_of(settings, prompt, reply);
    std::int64_t left = settings.run_tokens_max - spent.tokens - allowed.before.tokens - prompt;
    const double money =
        settings.run_cost_max - spent.cost - allowed.before.cost - price_of(settings, prompt, 0);
    if (money <= 0) left = 0;
    if (settings.price_out > 0 && left > 0) {
        const double affordable = std::floor(money * 1e6 / settings.price_out);
        left = static_cast<std::int64_t>(std::min(static_cast<double>(left), affordable));
    }
    allowed.reply_tokens = static_cast<int>(std::clamp<std::int64_t>(left, 0, reply));
    return allowed;
}

std::string attempt_key(const ExecutionContext& context) {
    if (context.attempt <= 1) return context.idempotency_key;
    return context.idempotency_key + ":" + std::to_string(context.attempt);
}

}  // namespace pawl::workers
