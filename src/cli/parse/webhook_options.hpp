#pragma once

#include "cli/parse/globals.hpp"

#include <string>
#include <vector>

namespace pawl::cli {

// What `pawl webhooks` was asked to do.
struct WebhooksOptions {
    enum class Action { create, list, show, remove, test, deliveries, redeliver, rotate, enable };
    Globals globals;
    Action action = Action::list;
    int id = 0;
    std::string name;
    std::string url;
    std::string channel;
    std::string queue;
    std::vector<std::string> events;
    std::vector<std::string> workflows;
    std::vector<std::string> retries;  // seconds
    int batch_max = 1;
    std::string key_file;  // with the key that secrets are encrypted with
    std::string state;     // of deliveries
    int limit = 50;
    std::string delivery;
};

}  // namespace pawl::cli
