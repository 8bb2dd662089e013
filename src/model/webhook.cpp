#include "model/webhook.hpp"

#include <algorithm>
#include <array>

namespace pawl {

namespace {

constexpr int hour = 3600;
const std::vector<int> standard_retries = {
    5, 300, 1800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour};
constexpr Duration retry_after_max = std::chrono::hours(24);

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == ':';
}

}  // namespace

WebhookVerdict judge_webhook(
    const WebhookAnswer& answer, int attempts, const std::vector<int>& retries, double random
) {
    using Kind = WebhookVerdict::Kind;
    if (answer.status && *answer.status >= 200 && *answer.status < 300) return {};
    if (answer.status == 410) return {Kind::disable, {}};
    const std::vector<int>& table = retries.empty() ? standard_retries : retries;
    const auto tried = static_cast<std::size_t>(std::max(attempts, 0));
    if (tried >= table.size()) return {Kind::give_up, {}};
    const double seconds = static_cast<double>(table[tried]) * (1 + 0.2 * random);
    Duration wait(static_cast<Duration::rep>(seconds * 1e6));
    if (answer.retry_after) wait = std::max(wait, std::min(*answer.retry_after, retry_after_max));
    return {Kind::retry, wait};
}

Duration webhook_pause(int failures) {
    const int doubled = std::clamp(failures, 0, 6);
    return std::chrono::seconds(1 << doubled);
}

bool is_webhook_event(std::string_view text) {
    static constexpr std::array<std::string_view, 17> known{
        "*",
        "run.*",
        "run.started",
        "run.completed",
        "run.failed",
        "run.cancelled",
        "run.held",
        "run.paused",
        "run.resumed",
        "step.*",
        "step.completed",
        "step.failed",
        "step.skipped",
        "step.unknown",
        "task.*",
        "task.opened",
        "dead_letter.created"};
    if (std::find(known.begin(), known.end(), text) != known.end()) return true;
    // Those that workflows emit have names of their own.
    constexpr std::string_view emitted = "event.";
    if (!text.starts_with(emitted) || text.size() > 200) return false;
    if (text.ends_with(".*")) text.remove_suffix(2);
    return std::all_of(text.begin(), text.end(), is_word);
}

bool is_outbox_channel(std::string_view name) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    return !name.empty() && name.size() <= 63 && name[0] >= 'a' && name[0] <= 'z' &&
           !name.starts_with("pawl") && std::all_of(name.begin(), name.end(), fits);
}

}  // namespace pawl
