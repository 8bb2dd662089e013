#include "base/spoken.hpp"

#include <fmt/core.h>

#include <array>
#include <chrono>
#include <utility>

namespace pawl {

namespace {

// Without a fraction of nothing: 30, not 30.0.
std::string decimal(double number, std::string_view unit) {
    std::string text = fmt::format("{:.1f}", number);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text + std::string(unit);
}

}  // namespace

std::string human_duration(Duration duration) {
    using std::chrono::hours;
    if (duration < Duration::zero()) return "-" + human_duration(-duration);
    if (duration == Duration::zero()) return "0s";
    const double seconds = std::chrono::duration<double>(duration).count();
    if (seconds < 0.9995) return decimal(seconds * 1000, "ms");
    if (seconds < 59.95) return decimal(seconds, "s");
    const std::array<std::pair<const char*, Duration>, 4> units{
        {{"d", Duration(hours(24))},
         {"h", Duration(hours(1))},
         {"m", Duration(std::chrono::minutes(1))},
         {"s", Duration(std::chrono::seconds(1))}}};
    std::string text;
    for (std::size_t i = 0; i < units.size(); ++i) {
        const auto& [unit, size] = units[i];
        if (duration < size) {
            if (text.empty()) continue;
            break;
        }
        text += fmt::format("{}{}{}", text.empty() ? "" : " ", duration / size, unit);
        if (text.find(' ') != std::string::npos) break;
        duration %= size;
    }
    return text;
}

std::string human_moment(Instant at, Instant now) {
    const std::string text = to_rfc3339(at);
    const std::string time = text.substr(11, 8);
    const std::string day = text.substr(0, 10);
    return to_rfc3339(now).starts_with(day) ? time : day + " " + time;
}

std::string counted(std::uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string times(std::uint64_t count) {
    return count == 1 ? "once" : fmt::format("{} times", count);
}

}  // namespace pawl
