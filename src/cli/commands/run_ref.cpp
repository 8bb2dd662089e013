#include "cli/commands/run_ref.hpp"

#include "base/clock.hpp"
#include "base/ids.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace pawl::cli {

namespace {

constexpr std::size_t shortest = 8;
constexpr std::size_t id_length = 36;
constexpr std::size_t looked_at_max = 10'000;  // newest first
constexpr std::size_t candidates_told = 5;

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'A' && c <= 'F' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    return text;
}

bool is_part(const std::string& text) {
    return text.size() >= shortest && text.size() < id_length &&
           text.find_first_not_of("0123456789abcdef-") == std::string::npos;
}

// The first twelve digits of an id are its time: when the earliest and the latest run that begin
// with the part were made. None: that time has not come, so nothing begins with it.
std::optional<std::pair<std::string, std::string>> window_of(std::string part) {
    part.erase(std::remove(part.begin(), part.end(), '-'), part.end());
    part.resize(std::min<std::size_t>(part.size(), 12));
    std::string last = part;
    part.resize(12, '0');
    last.resize(12, 'f');
    const auto at = [](const std::string& digits) {
        return Instant(std::chrono::milliseconds(std::stoll(digits, nullptr, 16)));
    };
    constexpr auto a_moment = std::chrono::milliseconds(1);
    constexpr auto clocks_differ = std::chrono::hours(24);
    if (at(part) > wall_now() + clocks_differ) return std::nullopt;
    return std::pair(to_rfc3339(at(part) - a_moment), to_rfc3339(at(last) + a_moment));
}

asio::awaitable<Result<std::vector<std::string>>> fitting(
    Door& door, std::string part, Ask ask, bool at_end
) {
    auto page = co_await call_pages(door, std::move(ask), looked_at_max);
    if (!page) co_return page.error();
    std::vector<std::string> ids;
    for (const json::value& run : page->items) {
        const std::string_view id = text_in(run, "id");
        if (at_end ? id.ends_with(part) : id.starts_with(part)) ids.emplace_back(id);
    }
    co_return ids;
}

Error ambiguous(const std::string& part, std::vector<std::string> ids) {
    const std::size_t count = ids.size();
    ids.resize(std::min(count, candidates_told));
    return {
        Errc::invalid,
        fmt::format(
            "'{}' is part of {} run ids: {}{}",
            part,
            count,
            fmt::join(ids, ", "),
            count > candidates_told ? ", …" : ""
        ),
        {{"next", "give more of the id"}}};
}

asio::awaitable<int> resolve(Door& door, const Globals& globals, std::string ref, WithRun command) {
    const auto id = co_await find_run_id(door, std::move(ref));
    if (!id) co_return report(globals, id.error());
    co_return co_await command(door, *id);
}

}  // namespace

Result<void> check_run_ref(const std::string& text) {
    if (parse_uuid(text) || is_part(lower(text))) return {};
    return Error{
        Errc::invalid,
        fmt::format(
            "'{}' is not a run id, nor {} characters or more of one; they look like "
            "01890a5d-ac96-774b-bcce-b302099a8057",
            text,
            shortest
        ),
        {}};
}

asio::awaitable<Result<std::string>> find_run_id(Door& door, std::string text) {
    if (const auto id = parse_uuid(text)) co_return to_string(*id);
    const auto fine = check_run_ref(text);
    if (!fine) co_return fine.error();
    const std::string part = lower(text);
    Result<std::vector<std::string>> ids = std::vector<std::string>();
    if (const auto window = window_of(part)) {
        const auto& [after, before] = *window;
        const Ask at_begin{"GET", {"runs"}, {{"created_after", after}, {"created_before", before}}};
        ids = co_await fitting(door, part, at_begin, false);
    }
    if (!ids) co_return ids.error();
    const auto by_end = co_await fitting(door, part, {"GET", {"runs"}}, true);
    if (!by_end) co_return by_end.error();
    for (const std::string& id : *by_end) {
        if (std::find(ids->begin(), ids->end(), id) == ids->end()) ids->push_back(id);
    }
    if (ids->size() == 1) co_return ids->front();
    if (!ids->empty()) co_return ambiguous(part, *ids);
    co_return Error{
        Errc::not_found,
        fmt::format(
            "there is no run whose id begins with '{0}', and none of the newest {1} ends with it",
            text,
            looked_at_max
        ),
        {{"next", "pawl runs list"}}};
}

int with_run(const Globals& globals, const std::string& ref, WithRun command) {
    if (const auto fine = check_run_ref(ref); !fine) return report(globals, fine.error());
    return with_door(globals, [&](Door& door) { return resolve(door, globals, ref, command); });
}

void add_run_ref(App& app, RunRefOptions& options) {
    add_run_id(app, options.id);
}

}  // namespace pawl::cli
