#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// A subscription to what happens to runs, as the API or the command line reads it.
struct OutboxRequest {
    std::string name;
    std::string url;      // one of these three
    std::string channel;  // of NOTIFY
    std::string queue;    // of pgmq
    std::vector<std::string> events;
    std::vector<std::string> workflows;
    int batch_max = 1;
    std::vector<int> retries;  // seconds

    std::string_view kind() const {
        return !channel.empty() ? "notify" : !queue.empty() ? "queue" : "webhook";
    }
    const std::string& address() const {
        return !channel.empty() ? channel : !queue.empty() ? queue : url;
    }
};

// What is wrong with it: the field and why.
struct OutboxProblem {
    std::string field;
    std::string detail;
};
// `first_tenant`: whether its channels and queues get the names in the request. The whole database
// shares them, so those of other tenants get unique names (OutboxTargets::create).
std::vector<OutboxProblem> check_outbox_request(const OutboxRequest& request, bool first_tenant);

}  // namespace pawl
