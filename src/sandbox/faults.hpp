#pragma once

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/rng.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::sandbox {

// What goes wrong at a provider, until it is told otherwise.
struct Fault {
    enum class Kind {
        slow,   // answers after `delay`
        limit,  // 429, with Retry-After where the provider gives one
        error,  // 500
        drop,   // takes the message and hangs up without an answer
    };
    std::string provider;  // "*": every one
    Kind kind = Kind::error;
    Duration delay = std::chrono::seconds(1);  // of a slow one
    int retry_after = 1;                       // of a limit, in seconds
    double share = 100;                        // of the requests, in percent
    std::uint32_t times = 0;                   // 0: always; else how many requests are left
};

class Faults {
public:
    // Replaces all. The error names the place.
    Result<void> set(const json::value& list);
    void clear() { all_.clear(); }
    json::array list() const;
    // The first one that a request to the provider meets, if there is one.
    std::optional<Fault> meet(std::string_view provider, Rng& rng);

private:
    std::vector<Fault> all_;
};

}  // namespace pawl::sandbox
