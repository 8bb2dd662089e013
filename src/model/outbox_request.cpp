#include "model/outbox_request.hpp"

#include "model/label.hpp"
#include "model/webhook.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl {

namespace {

constexpr int week_seconds = 7 * 24 * 3600;
// There must be room for what makes the name the tenant's own.
constexpr std::size_t own_name_max = 35;

bool is_web_address(std::string_view url) {
    const bool web = url.starts_with("https://") || url.starts_with("http://");
    return web && url.size() <= 2000 &&
           std::all_of(url.begin(), url.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

bool is_queue(std::string_view name) {
    return name.size() <= 47 && std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-';
           });
}

// What other tenants' queues are called: pawl.own_queue.
bool is_of_others(std::string_view queue) {
    if (queue.empty() || (queue[0] != 't' && queue[0] != 'T')) return false;
    const std::size_t end = queue.find_first_not_of("0123456789", 1);
    return end != queue.npos && end > 1 && queue[end] == '_';
}

void check_way(
    const OutboxRequest& request, bool first_tenant, std::vector<OutboxProblem>& problems
) {
    const int ways = (request.url.empty() ? 0 : 1) + (request.channel.empty() ? 0 : 1) +
                     (request.queue.empty() ? 0 : 1);
    if (ways != 1) {
        problems.push_back({"url", "is required, or channel, or queue: one of them"});
        return;
    }
    if (!request.url.empty() && !is_web_address(request.url)) {
        problems.push_back({"url", "must be an http or https URL"});
    }
    const std::string field(request.channel.empty() ? "queue" : "channel");
    const std::size_t length = request.channel.size() + request.queue.size();
    if (request.url.empty() && !first_tenant && length > own_name_max) {
        problems.push_back({field, "must have 35 characters at most"});
    } else if (first_tenant && is_of_others(request.queue)) {
        problems.push_back({field, "names that begin like t2_ are for queues of other tenants"});
    } else if (!request.channel.empty() && !is_outbox_channel(request.channel)) {
        problems.push_back(
            {field, "must be lower case letters, digits and _, and not begin with pawl"}
        );
    } else if (!request.queue.empty() && !is_queue(request.queue)) {
        problems.push_back({field, "must be the name of a queue"});
    }
    if (request.url.empty() && request.batch_max > 1) {
        problems.push_back({"batch_max", "is for webhooks"});
    }
}

}  // namespace

std::vector<OutboxProblem> check_outbox_request(const OutboxRequest& request, bool first_tenant) {
    std::vector<OutboxProblem> problems;
    if (auto problem = label_problem(request.name); !request.name.empty() && !problem.empty()) {
        problems.push_back({"name", std::move(problem)});
    }
    check_way(request, first_tenant, problems);
    for (const std::string& event : request.events) {
        if (is_webhook_event(event)) continue;
        problems.push_back(
            {"events",
             fmt::format("has no type '{}'; there are run.failed, run.* or *, and more", event)}
        );
        break;
    }
    if (request.events.size() > 100 || request.workflows.size() > 100) {
        problems.push_back({"events", "must be at most 100, and workflows too"});
    }
    if (request.batch_max < 1 || request.batch_max > 1000) {
        problems.push_back({"batch_max", "must be from 1 to 1000"});
    }
    const bool fine = std::all_of(request.retries.begin(), request.retries.end(), [](int seconds) {
        return seconds >= 0 && seconds <= week_seconds;
    });
    if (!fine || request.retries.size() > 50) {
        problems.push_back({"retries", "must be at most 50 waits of up to a week, in seconds"});
    }
    return problems;
}

}  // namespace pawl
