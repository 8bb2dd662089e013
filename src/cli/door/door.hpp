#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/vault.hpp"
#include "cli/terminal/globals.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::cli {

namespace asio = boost::asio;

// One call of the HTTP API.
struct Ask {
    std::string method = "GET";
    std::vector<std::string> path;  // after /v1: {"runs", id, "why"}; not encoded
    // Without those that are empty.
    std::vector<std::pair<std::string, std::string>> query = {};
    std::optional<json::value> body = std::nullopt;
};

// How a command reaches the engine. There are two: the API of a server that --url names, and the
// same handlers in this process on the database. A command knows the API alone, so it does and says
// the same through both.
class Door {
public:
    Door() = default;
    virtual ~Door() = default;
    Door(const Door&) = delete;
    Door& operator=(const Door&) = delete;

    // The document of the answer; null when it has none. What the API refuses is an error with its
    // sentence. Throws Failure when the other side cannot be reached.
    virtual asio::awaitable<Result<json::value>> call(Ask ask) = 0;
};

// Where --url, --database-url and the environment lead: an option wins over a variable, and
// PAWL_URL over DATABASE_URL, unless --tenant asks for what only a database can tell.
enum class DoorKind { url, database };
DoorKind door_kind(const Globals& globals);

// Runs a command's coroutine with the door that was asked for. The coroutine must take nothing by
// reference that does not outlive the call.
using WithDoor = std::function<asio::awaitable<int>(Door&)>;
int with_door(const Globals& globals, WithDoor command);
// The same where secrets are kept: on the database this process encrypts them itself.
int with_door(const Globals& globals, Vault vault, WithDoor command);

// The pages of a list, up to `limit` items. `next`: where those that were left out begin.
struct Page {
    json::array items;
    std::string next;
};
asio::awaitable<Result<Page>> call_pages(Door& door, Ask ask, std::size_t limit);

// What both doors make of a call and of an answer.
std::string target_of(const Ask& ask);
Result<json::value> read_answer(int status, std::string_view text);

}  // namespace pawl::cli
