#include "base/complaint.hpp"

#include "base/log.hpp"

namespace pawl {

namespace {

// Messages may hold numbers that differ each time.
constexpr auto another_after = std::chrono::seconds(10);

}  // namespace

void Complaint::failed(std::string_view why) {
    const auto now = Steady::now();
    const bool same = why_ == why;
    const bool soon = complains() && now < said_ + another_after;
    if (same || soon) return;
    why_ = why.empty() ? "unknown" : why;
    said_ = now;
    log::warn(what_, {log::field("error", why_)});
}

void Complaint::fine() {
    if (!complains()) return;
    why_.clear();
    log::info("over: " + what_);
}

}  // namespace pawl
