#include "cli/commands/names.hpp"

#include "model/suggest.hpp"

#include <fmt/core.h>

namespace pawl::cli {

// Of so many it is worth guessing which was meant.
constexpr std::size_t names_max = 10'000;

asio::awaitable<Error> unknown_workflow(Door& door, std::string name) {
    const auto page = co_await call_pages(door, {"GET", {"workflows"}}, names_max);
    std::vector<std::string> names;
    if (page) {
        for (const json::value& one : page->items) {
            const json::value* active = find(one, "active");
            if (active != nullptr && active->as_bool()) names.emplace_back(text_in(one, "name"));
        }
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    Error error{
        Errc::not_found,
        fmt::format("there is no workflow named '{}'{}", name, suggest(name, known)),
        {{"workflow", name}}};
    error.context.emplace_back(
        "next", known.empty() ? "pawl workflows apply -f FILE" : "pawl workflows list"
    );
    co_return error;
}

asio::awaitable<std::optional<Error>> misspelt_workflow(Door& door, std::string name) {
    if (name.empty()) co_return std::nullopt;
    const auto found = co_await door.call({"GET", {"workflows", name}});
    if (found || found.error().code != Errc::not_found) co_return std::nullopt;
    co_return co_await unknown_workflow(door, name);
}

}  // namespace pawl::cli
