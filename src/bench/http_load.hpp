#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pawl::bench {

struct LoadOptions {
    std::uint16_t port = 0;
    std::string request;  // all of it, as it goes over the wire
    // Writes the next request instead; false when there are no more. Called on the load's thread.
    std::function<bool(std::string& request)> next = {};
    int connections = 64;
    double seconds = 6;  // at most
};

struct LoadResult {
    std::int64_t answers = 0;       // 2xx
    std::int64_t others = 0;        // any other status
    std::vector<float> latency_ms;  // of every answer, sorted
    double seconds = 0;
};

// Sends requests over keep-alive connections on a thread of its own, each as soon as the last
// was answered, and counts. Throws Failure when the server cannot be reached.
LoadResult load_server(LoadOptions options);

}  // namespace pawl::bench
