#pragma once

#include <cstddef>

namespace pawl::engine {

// Counts itself as long as it lives.
class Counted {
public:
    explicit Counted(std::size_t& count) : count_(++count) {}
    ~Counted() { --count_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

private:
    std::size_t& count_;
};

}  // namespace pawl::engine
