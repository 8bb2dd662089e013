#pragma once

#include "base/ids.hpp"

#include <cstdint>
#include <random>

namespace pawl {

// The one door to randomness. Seeded from the system by default; from a number in tests and
// simulations.
class Rng {
public:
    Rng();
    explicit Rng(std::uint64_t seed) : engine_(seed) {}

    std::uint64_t next() { return engine_(); }
    // Uniform in [0, bound).
    std::uint64_t below(std::uint64_t bound) { return bound == 0 ? 0 : engine_() % bound; }
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }

private:
    std::mt19937_64 engine_;
};

// Makes time-ordered ids; within one millisecond a counter keeps them increasing, so that index
// inserts stay at the right edge.
class IdMaker {
public:
    explicit IdMaker(Rng& rng) : rng_(rng) {}
    Uuid next(std::uint64_t unix_ms);

private:
    Rng& rng_;
    std::uint64_t last_ms_ = 0;
    std::uint16_t counter_ = 0;
};

}  // namespace pawl
