#include "engine/core/core.hpp"
#include "engine/core/weight.hpp"

#include <algorithm>

// How much is held, and what of it is new.
namespace pawl::engine {

namespace {

// A tenant has little when that is less than a 64th. Those that have little are given an eighth of
// the runs together, however much the others have.
constexpr std::size_t little = 64;
constexpr std::size_t kept_for_them = 8;
// Tenants without anything are remembered up to this number.
constexpr std::size_t idle_max = 64;

}  // namespace

void Core::enter(Held& held) {
    held.share = &shares_[held.program->tenant];
    ++held.share->runs;
}

void Core::weigh(Held& held, const std::vector<Event>& events) {
    const std::size_t more = weight(events);
    held.bytes += more;
    held.uncommitted += more;
    held.share->bytes += more;
    bytes_ += more;
}

void Core::weigh_no_more(const Held& held) {
    bytes_ -= held.bytes;
    bytes_at_end_ += held.bytes / 32 - bytes_at_end_ / 32;
    // adopt() may have thrown before it was known whose it is.
    if (held.share == nullptr) return;
    held.share->bytes -= held.bytes;
    if (--held.share->runs == 0 && shares_.size() > idle_max) shares_.erase(held.program->tenant);
}

Core::Beside Core::beside() const {
    Beside found;
    if (draining_) return found;
    std::size_t small = 0;
    for (const auto& [tenant, share] : shares_) {
        const bool much =
            share.bytes > options_.bytes_max / little || share.runs > options_.runs_max / little;
        if (much) {
            found.tenants.push_back(tenant);
        } else {
            small += share.runs;
        }
    }
    const std::size_t kept = std::max<std::size_t>(options_.runs_max / kept_for_them, 1);
    if (small < kept) found.room = kept - small;
    return found;
}

// Those that have just begun will grow: they count as much as those that left.
std::size_t Core::capacity() const {
    if (runs_.empty()) return options_.runs_max;
    const std::size_t each = std::max({bytes_ / runs_.size(), bytes_at_end_, std::size_t{1}});
    return std::clamp(options_.bytes_max / each, std::size_t{1}, options_.runs_max);
}

std::shared_ptr<MessageRead> Core::begin_message_read() {
    std::erase_if(message_reads_, [](const auto& message_read) { return message_read.expired(); });
    auto message_read = std::make_shared<MessageRead>();
    message_reads_.push_back(message_read);
    return message_read;
}

std::vector<store::Signal> fresh(
    std::vector<store::Signal> signals, const MessageRead& message_read
) {
    if (message_read.consumed.empty()) return signals;
    std::erase_if(signals, [&](const store::Signal& one) {
        return message_read.consumed.contains(one.id);
    });
    return signals;
}

std::size_t Core::room() const {
    const std::size_t taken = runs_.size() + reserved_;
    const std::size_t capacity = this->capacity();
    return draining_ || taken >= capacity ? 0 : capacity - taken;
}

}  // namespace pawl::engine
