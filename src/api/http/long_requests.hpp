#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace pawl::api {

// The connections that streams, and requests that wait for the end of a run, may keep: half of
// those that the server takes, so that short requests always find one; and of that half a tenant
// has at most one half and leaves some to others (base/fair_places.hpp). One thread.
class LongRequests {
public:
    using Place = std::shared_ptr<void>;

    // Before the first call with the number of connections, everything may stay.
    void fit(std::size_t connections);
    // Held for as long as the request stays; may outlive this. Throws Refused (429).
    Place take(std::int32_t tenant);

private:
    struct Taken {
        std::size_t all = 0;
        std::unordered_map<std::int32_t, std::size_t> by_tenant;
    };

    std::size_t room_ = 0;  // 0: no limit
    std::shared_ptr<Taken> taken_ = std::make_shared<Taken>();
};

}  // namespace pawl::api
