#include "base/clock.hpp"

#include <fmt/core.h>

namespace pawl {

Instant wall_now() {
    return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now()
    );
}

std::string to_rfc3339(Instant at) {
    const auto day = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss time{at - day};
    return fmt::format(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z",
        static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day()),
        time.hours().count(),
        time.minutes().count(),
        time.seconds().count(),
        time.subseconds().count()
    );
}

void DbClock::observe(Instant db, Steady::time_point sent, Steady::time_point received) {
    base_db_ = db;
    base_local_ = sent + (received - sent) / 2;
}

Instant DbClock::now(Steady::time_point at) const {
    return base_db_ + std::chrono::duration_cast<Duration>(at - base_local_);
}

Steady::time_point DbClock::local(Instant at) const {
    return base_local_ + (at - base_db_);
}

}  // namespace pawl
