#include "engine/core/callback_ticket.hpp"

#include <fmt/format.h>

#include <charconv>

namespace pawl::engine {

namespace {

constexpr std::string_view purpose = "callback";

// The next part of a text in blanks, as a number.
template <class Number>
bool read_next(std::string_view& rest, Number& number) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const auto [stop, failed] = std::from_chars(rest.data(), rest.data() + end, number);
    if (failed != std::errc() || stop != rest.data() + end) return false;
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return true;
}

}  // namespace

std::string seal_callback(const Seal& seal, const CallbackTicket& ticket) {
    return seal.close(
        purpose,
        fmt::format(
            "{} {} {} {} {}",
            to_string(ticket.run),
            ticket.bucket,
            ticket.token,
            ticket.visit,
            ticket.expires.time_since_epoch().count()
        )
    );
}

std::optional<CallbackTicket> open_callback(const Seal& seal, std::string_view text) {
    const auto payload = seal.open(purpose, text);
    if (!payload || payload->size() < 37) return std::nullopt;
    const auto run = parse_uuid(std::string_view(*payload).substr(0, 36));
    std::string_view rest = std::string_view(*payload).substr(37);
    CallbackTicket ticket;
    std::int64_t expires = 0;
    if (!run || !read_next(rest, ticket.bucket) || !read_next(rest, ticket.token) ||
        !read_next(rest, ticket.visit) || !read_next(rest, expires)) {
        return std::nullopt;
    }
    ticket.run = RunId{*run};
    ticket.expires = Instant(Duration(expires));
    return ticket;
}

}  // namespace pawl::engine
