#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pawl::bench {

struct LoadOptions {
    std::uint16_t port = 0;
    std::string request;  // all of it, as it goes over the wire
    int connections = 64;
    double seconds = 6;
};

struct LoadResult {
    std::int64_t answers = 0;       // 2xx
    std::int64_t others = 0;        // any other status
    std::vector<float> latency_ms;  // of every answer, sorted
    double seconds = 0;
};

// Sends the request over keep-alive connections on a thread of its own, each as soon as the last
// was answered, and counts. Throws Failure when the server cannot be reached.
LoadResult load_server(LoadOptions options);

}  // namespace pawl::bench
