#include "base/clock.hpp"

#include <date/date.h>
#include <fmt/core.h>

#include <sstream>

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

std::optional<Instant> parse_rfc3339(std::string_view text) {
    std::string plain(text);
    if (plain.size() < 20 || plain.size() > 40 || (plain[10] != 'T' && plain[10] != ' ')) {
        return std::nullopt;
    }
    plain[10] = 'T';
    if (plain.back() == 'Z' || plain.back() == 'z') plain.replace(plain.size() - 1, 1, "+00:00");
    std::istringstream in(plain);
    date::sys_time<std::chrono::microseconds> at;
    in >> date::parse("%FT%T%Ez", at);
    if (in.fail() || in.peek() != std::istringstream::traits_type::eof()) return std::nullopt;
    return Instant(at.time_since_epoch());
}

// Never ahead of the database's clock, so that no id is dated later than what the database writes
// after it: the answer came at `received` at the latest.
void DbClock::observe(Instant db, Steady::time_point sent, Steady::time_point received) {
    const Instant known = now(received);
    const Instant most = db + std::chrono::duration_cast<Duration>((received - sent) / 2);
    if (known >= db && known <= most) return;
    base_db_ = db;
    base_local_ = received;
}

Instant DbClock::now(Steady::time_point at) const {
    return base_db_ + std::chrono::duration_cast<Duration>(at - base_local_);
}

Steady::time_point DbClock::local(Instant at) const {
    return base_local_ + (at - base_db_);
}

}  // namespace pawl
