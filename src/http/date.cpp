#include "http/date.hpp"

#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace pawl::http {

namespace {

constexpr std::array<std::string_view, 7> days = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> months = {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

constexpr Duration retry_after_max = std::chrono::hours(24);

}  // namespace

std::string format_date(Instant at) {
    const auto day = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss time{std::chrono::floor<std::chrono::seconds>(at - day)};
    return fmt::format(
        "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
        days[std::chrono::weekday{day}.c_encoding()],
        static_cast<unsigned>(date.day()),
        months[static_cast<unsigned>(date.month()) - 1],
        static_cast<int>(date.year()),
        time.hours().count(),
        time.minutes().count(),
        time.seconds().count()
    );
}

std::optional<Instant> parse_date(std::string_view text) {
    const std::string terminated(text);
    for (const char* format :
         {"%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %d %H:%M:%S %Y"}) {
        tm parts{};
        const char* rest = strptime(terminated.c_str(), format, &parts);
        if (rest == nullptr || *rest != '\0') continue;
        return Instant(std::chrono::seconds(timegm(&parts)));
    }
    return std::nullopt;
}

std::optional<Duration> parse_retry_after(std::string_view text, Instant now) {
    std::uint64_t seconds = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (end == text.data() + text.size() && failed != std::errc::invalid_argument) {
        constexpr auto limit = std::chrono::duration_cast<std::chrono::seconds>(retry_after_max);
        if (failed == std::errc::result_out_of_range) return retry_after_max;
        const auto most = static_cast<std::uint64_t>(limit.count());
        return std::chrono::seconds(std::min(seconds, most));
    }
    const auto at = parse_date(text);
    if (!at) return std::nullopt;
    return std::clamp(*at - now, Duration::zero(), retry_after_max);
}

std::optional<Duration> find_retry_after(const Headers& headers, Instant now) {
    const std::string* wait = find_header(headers, "retry-after");
    if (wait == nullptr) return std::nullopt;
    return parse_retry_after(*wait, now);
}

}  // namespace pawl::http
