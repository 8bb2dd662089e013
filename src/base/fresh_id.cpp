#include "base/fresh_id.hpp"

#include "base/clock.hpp"
#include "base/rng.hpp"

namespace pawl {

Uuid fresh_id() {
    static thread_local Rng rng;
    static thread_local IdMaker ids(rng);
    const auto ms = wall_now().time_since_epoch() / std::chrono::milliseconds(1);
    return ids.next(static_cast<std::uint64_t>(ms));
}

}  // namespace pawl
