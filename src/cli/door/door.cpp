#include "cli/door/door.hpp"

#include "cli/door/database.hpp"
#include "cli/door/http_door.hpp"
#include "cli/door/local_door.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace pawl::cli {

namespace {

constexpr std::size_t page_max = 1000;
constexpr std::size_t depth_max = 128;  // what a caller may nest, inside what the API puts around

std::string encoded(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
        out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

Errc errc_of(int status) {
    switch (status) {
        case 401: return Errc::unauthenticated;
        case 403: return Errc::forbidden;
        case 404: return Errc::not_found;
        case 409:
        case 429: return Errc::conflict;
        case 413: return Errc::too_large;
        case 503: return Errc::unavailable;
        case 504: return Errc::timeout;
        default: return status < 500 ? Errc::invalid : Errc::internal;
    }
}

// What the API takes all the same with a member of the body, the command line takes with an option.
struct Insistence {
    std::string_view code;
    std::string_view member;
    std::string_view option;
};
constexpr std::array insistences{
    Insistence{"version_retired", "; with confirm: true", "say --yes to begin a run in it"},
    Insistence{"not_awaited", "; with early: true", "say --early to keep it until the run does"}};

Error refusal(int status, const json::value& problem) {
    Error error{errc_of(status), std::string(text_in(problem, "detail")), {}};
    for (const Insistence& one : insistences) {
        if (text_in(problem, "code") != one.code) continue;
        error.message.resize(std::min(error.message.find(one.member), error.message.size()));
        error.context.emplace_back("next", one.option);
    }
    if (error.message.empty()) {
        error.message = fmt::format("the server answered {}; is this a Pawl server?", status);
    }
    const json::value* places = find(problem, "errors");
    if (places == nullptr || !places->is_array()) return error;
    for (const json::value& place : places->get_array()) {
        std::string where(text_in(place, "pointer"));
        if (where.empty()) where = text_in(place, "parameter");
        if (!where.empty()) error.context.emplace_back(where, text_in(place, "detail"));
    }
    return error;
}

bool has_tenant(const Globals& globals) {
    return globals.tenant != Globals().tenant;
}

}  // namespace

std::string target_of(const Ask& ask) {
    std::string target = "/v1";
    for (const std::string& segment : ask.path) target += "/" + encoded(segment);
    char border = '?';
    for (const auto& [key, value] : ask.query) {
        if (value.empty()) continue;
        target += fmt::format("{}{}={}", border, encoded(key), encoded(value));
        border = '&';
    }
    return target;
}

Result<json::value> read_answer(int status, std::string_view text) {
    json::value document;
    if (!text.empty()) {
        auto parsed = parse_json(text, {text.size(), depth_max});
        if (parsed) {
            document = std::move(*parsed);
        } else if (status < 400) {
            return Error{Errc::internal, "the answer cannot be read; is this a Pawl server?", {}};
        }
    }
    if (status >= 400) return refusal(status, document);
    return document;
}

asio::awaitable<Result<Page>> call_pages(Door& door, Ask ask, std::size_t limit) {
    Page page;
    do {
        Ask part = ask;
        const std::size_t left = limit - page.items.size();
        part.query.emplace_back("limit", std::to_string(std::min(left, page_max)));
        part.query.emplace_back("cursor", page.next);
        auto answer = co_await door.call(std::move(part));
        if (!answer) co_return answer.error();
        json::object& object = answer->as_object();
        for (json::value& item : object["data"].as_array()) page.items.push_back(std::move(item));
        page.next = text_in(object, "next_cursor");
    } while (!page.next.empty() && page.items.size() < limit);
    co_return page;
}

DoorKind door_kind(const Globals& globals) {
    if (!globals.url.empty()) return DoorKind::url;
    if (!globals.database_url.empty()) return DoorKind::database;
    const auto is_set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    // Only a database is asked for one tenant or another.
    if (has_tenant(globals) && is_set("DATABASE_URL")) return DoorKind::database;
    return is_set("PAWL_URL") ? DoorKind::url : DoorKind::database;
}

int with_door(const Globals& globals, WithDoor command) {
    return with_door(globals, Vault(), std::move(command));
}

int with_door(const Globals& globals, Vault vault, WithDoor command) {
    if (door_kind(globals) == DoorKind::database) {
        return with_local_door(globals, std::move(vault), std::move(command));
    }
    if (!globals.url.empty() && !globals.database_url.empty()) {
        throw Failure({Errc::invalid, "--url and --database-url lead to two places: give one", {}});
    }
    return with_http_door(globals, std::move(command));
}

}  // namespace pawl::cli
