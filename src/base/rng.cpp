#include "base/rng.hpp"

namespace pawl {

namespace {

std::uint64_t system_seed() {
    std::random_device device;
    return static_cast<std::uint64_t>(device()) << 32 | device();
}

}  // namespace

Rng::Rng() : engine_(system_seed()) {}

Uuid IdMaker::next(std::uint64_t unix_ms) {
    // A clock that steps back must not break the order.
    if (unix_ms > last_ms_) {
        last_ms_ = unix_ms;
        counter_ = static_cast<std::uint16_t>(rng_.next() & 0x1ff);
    } else if (++counter_ > 0xfff) {
        ++last_ms_;
        counter_ = 0;
    }
    return make_uuid7(last_ms_, counter_, rng_.next());
}

}  // namespace pawl
