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

namespace {

// So many digits from a place on; -1: something else stands there.
int digits(std::string_view text, std::size_t from, std::size_t many) {
    int number = 0;
    for (std::size_t i = from; i < from + many; ++i) {
        if (text[i] < '0' || text[i] > '9') return -1;
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

// The usual form, in UTC and to the microsecond at most; nothing for every other one. Streams take
// fifty times as long.
std::optional<Instant> parse_usual(std::string_view text) {
    constexpr std::size_t date_and_time = 19;
    if (text.size() <= date_and_time || text.back() != 'Z') return std::nullopt;
    const bool marked =
        text[4] == '-' && text[7] == '-' && text[10] == 'T' && text[13] == ':' && text[16] == ':';
    const std::chrono::year_month_day date{
        std::chrono::year(digits(text, 0, 4)),
        std::chrono::month(static_cast<unsigned>(digits(text, 5, 2))),
        std::chrono::day(static_cast<unsigned>(digits(text, 8, 2)))};
    const int hour = digits(text, 11, 2), minute = digits(text, 14, 2),
              second = digits(text, 17, 2);
    const bool known = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 &&
                       second < 60 && digits(text, 0, 4) >= 0;
    if (!marked || !known || !date.ok()) return std::nullopt;
    int micros = 0;
    const std::size_t more = text.size() - date_and_time - 1;
    if (more > 0) {
        const std::size_t places = more - 1;
        if (text[date_and_time] != '.' || places == 0 || places > 6) return std::nullopt;
        micros = digits(text, date_and_time + 1, places);
        if (micros < 0) return std::nullopt;
        for (std::size_t i = places; i < 6; ++i) micros *= 10;
    }
    return Instant(std::chrono::sys_days(date)) + std::chrono::hours(hour) +
           std::chrono::minutes(minute) + std::chrono::seconds(second) +
           std::chrono::microseconds(micros);
}

}  // namespace

std::optional<Instant> parse_rfc3339(std::string_view text) {
    if (const auto usual = parse_usual(text)) return usual;
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
