#pragma once

#include "http/server.hpp"

#include <functional>
#include <string>

namespace pawl::host {

// What a port answers that has no API: /livez, /readyz and /metrics.
struct HealthPages {
    std::function<std::string()> unready;  // why no requests should come here; empty: they may
    std::function<std::string()> metrics;
    // The metrics name the tenants and workflows of the whole process. A port that only this
    // machine reaches shows them; others want the key.
    bool open = false;
    std::string metrics_key;  // empty: there is none
};

http::ServerResponse answer_health(const HealthPages& pages, const http::ServerRequest& request);

// Whether a request has the key as its bearer token. False when there is none.
bool has_metrics_key(const http::Headers& headers, const std::string& key);

}  // namespace pawl::host
