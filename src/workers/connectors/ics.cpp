#include "workers/connectors/calendar.hpp"

#include <fmt/chrono.h>
#include <fmt/core.h>

namespace pawl::workers {

namespace {

std::string utc(Instant at) {
    return fmt::format("{:%Y%m%dT%H%M%SZ}", std::chrono::floor<std::chrono::seconds>(at));
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\' || c == ';' || c == ',') out += '\\';
        if (c == '\n') {
            out += "\\n";
        } else if (static_cast<unsigned char>(c) >= 0x20) {
            out += c;
        }
    }
    return out;
}

// An address must not begin a line of its own.
std::string address(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) > 0x20 && c != ';' && c != ',') out += c;
    }
    return out;
}

// Lines of more than 75 bytes go on in the next one, after a space; never inside a character.
void add(std::string& out, std::string_view line) {
    constexpr std::size_t line_max = 74;
    while (line.size() > line_max) {
        std::size_t cut = line_max;
        while (cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xC0) == 0x80) --cut;
        out.append(line.substr(0, cut)).append("\r\n ");
        line.remove_prefix(cut);
    }
    out.append(line).append("\r\n");
}

}  // namespace

std::string to_ics(const Meeting& meeting, Instant now) {
    std::string out;
    add(out, "BEGIN:VCALENDAR");
    add(out, "VERSION:2.0");
    add(out, "PRODID:-//Pawl//workers//EN");
    add(out, "BEGIN:VEVENT");
    add(out, "UID:" + escaped(meeting.uid));
    add(out, "DTSTAMP:" + utc(now));
    add(out, "DTSTART:" + utc(meeting.starts_at));
    add(out, "DTEND:" + utc(meeting.starts_at + std::chrono::minutes(meeting.minutes)));
    add(out, "SUMMARY:" + escaped(meeting.title));
    if (!meeting.description.empty()) add(out, "DESCRIPTION:" + escaped(meeting.description));
    if (!meeting.attendee.empty()) add(out, "ATTENDEE:mailto:" + address(meeting.attendee));
    add(out, "END:VEVENT");
    add(out, "END:VCALENDAR");
    return out;
}

}  // namespace pawl::workers
