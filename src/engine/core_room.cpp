#include "engine/core.hpp"
#include "engine/weight.hpp"

#include <algorithm>

// How much is held, and what of it is new.
namespace pawl::engine {

void Core::weigh(Held& held, const std::vector<Event>& events) {
    const std::size_t more = weight(events);
    held.bytes += more;
    bytes_ += more;
}

// Those that have just begun will grow: they count as much as those that left.
std::size_t Core::capacity() const {
    if (runs_.empty()) return options_.runs_max;
    const std::size_t each = std::max({bytes_ / runs_.size(), bytes_at_end_, std::size_t{1}});
    return std::clamp(options_.bytes_max / each, std::size_t{1}, options_.runs_max);
}

std::shared_ptr<Look> Core::begin_look() {
    std::erase_if(looks_, [](const auto& look) { return look.expired(); });
    auto look = std::make_shared<Look>();
    looks_.push_back(look);
    return look;
}

std::vector<store::Signal> fresh(std::vector<store::Signal> signals, const Look& look) {
    if (look.consumed.empty()) return signals;
    std::erase_if(signals, [&](const store::Signal& one) {
        return look.consumed.contains(one.id);
    });
    return signals;
}

std::size_t Core::room() const {
    const std::size_t taken = runs_.size() + reserved_;
    const std::size_t capacity = this->capacity();
    return draining_ || taken >= capacity ? 0 : capacity - taken;
}

}  // namespace pawl::engine
