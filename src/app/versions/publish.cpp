#include "app/versions/publish.hpp"

#include "app/messages/connector_uses.hpp"
#include "app/refusal.hpp"
#include "base/json.hpp"
#include "store/repos/called_versions.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace pawl::app {

namespace {

// What is wrong with the connector that a message names; empty: nothing.
asio::awaitable<std::string> wrong_connector(
    VersionUses& uses, store::TenantId tenant, std::string name, std::string channel
) {
    const auto found = co_await find_connector(uses.messages, tenant, name);
    if (!found && found.error().code == Errc::not_found) {
        co_return fmt::format(
            "there is no connector '{}': see pawl connectors list, or add it with pawl connectors "
            "apply",
            name
        );
    }
    if (!found) co_return found.error().message;
    const auto& by = found->connector->channels;
    if (std::find(by.begin(), by.end(), channel) != by.end()) co_return std::string();
    co_return fmt::format(
        "connector '{}' sends by {}, not by {}", name, fmt::join(by, ", "), channel
    );
}

// Messages that name a connector which the tenant does not have, or which does not send by their
// channel: no run could send them.
asio::awaitable<std::vector<Error>> wrong_connectors(
    VersionUses& uses, store::TenantId tenant, Definition definition
) {
    std::vector<Error> all;
    for (const Node& node : definition.nodes) {
        std::string name(text_in(node.config, "connector"));
        if (node.type != NodeType::message || name.empty()) continue;
        std::string channel(text_in(node.config, "channel"));
        const std::string what =
            co_await wrong_connector(uses, tenant, std::move(name), std::move(channel));
        if (what.empty()) continue;
        all.push_back({Errc::invalid, fmt::format("{}.connector: {}", node.id, what), {}});
    }
    co_return all;
}

// Programs in it that do not compile, and what it names and the tenant does not have; if there are
// none, an audience that cannot be read.
asio::awaitable<std::vector<Error>> wrong_parts(
    VersionUses& uses, store::TenantId tenant, Definition definition
) {
    std::vector<Error> all;
    if (uses.check_programs) {
        const auto problems = co_await uses.check_programs(definition, tenant);
        for (const Problem& one : problems) {
            all.push_back({Errc::invalid, one.path + ": " + one.what, {}});
        }
    }
    const auto take = [&all](std::vector<Error> some) {
        all.insert(
            all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end())
        );
    };
    take(co_await wrong_connectors(uses, tenant, definition));
    take(co_await uses.versions.missing_parts(tenant, definition));
    if (!all.empty()) co_return all;
    if (auto wrong = co_await uses.audiences.wrong_in(tenant, std::move(definition))) {
        all.push_back(std::move(*wrong));
    }
    co_return all;
}

// "line 4, steps[1].retry: must be ..." is about /steps/1/retry; empty: about the whole.
std::string pointer_of(std::string_view message) {
    if (message.starts_with("line ")) {
        const std::size_t comma = message.find(", ");
        const std::size_t colon = message.find(": ");
        if (comma == message.npos || colon < comma) return "";
        message.remove_prefix(comma + 2);
    }
    const std::string_view path = message.substr(0, message.find(": "));
    constexpr std::string_view letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.[]";
    if (path.size() == message.size() || path.find_first_not_of(letters) != path.npos) return "";
    std::string pointer = "/";
    for (const char c : path) {
        if (c == ']') continue;
        pointer += c == '.' || c == '[' ? '/' : c;
    }
    return pointer;
}

}  // namespace

Error wrong_definition(const std::string& message) {
    return refusal(Errc::invalid, "invalid_definition", message).with(pointer_of(message), message);
}

Error wrong_definition(const std::vector<Error>& all) {
    std::string message = all.front().message;
    if (all.size() > 1) message += fmt::format(" (and {} more)", all.size() - 1);
    Error error = refusal(Errc::invalid, "invalid_definition", std::move(message));
    for (const Error& one : all) {
        error = std::move(error).with(pointer_of(one.message), one.message);
    }
    return error;
}

asio::awaitable<std::vector<Error>> check_definition(
    VersionUses& uses, store::TenantId tenant, Definition definition
) {
    auto wrong = co_await wrong_parts(uses, tenant, definition);
    if (!wrong.empty()) co_return wrong;
    auto call =
        co_await store::wrong_call(uses.store, uses.versions, tenant, std::move(definition));
    if (call) wrong.push_back(std::move(*call));
    co_return wrong;
}

asio::awaitable<Result<store::Applied>> publish(
    VersionUses& uses, Caller caller, Definition definition, bool draft
) {
    const auto allowed = check_sql_steps(caller, definition);
    if (!allowed) co_return allowed.error();
    const store::TenantId tenant = caller.tenant.id;
    const auto wrong = co_await wrong_parts(uses, tenant, definition);
    if (!wrong.empty()) co_return wrong_definition(wrong);
    const auto taken = co_await uses.versions.taken_label(tenant, definition);
    if (taken) co_return refusal(Errc::conflict, "version_exists", taken->message);
    const auto call = co_await store::wrong_call(uses.store, uses.versions, tenant, definition);
    if (call) co_return wrong_definition(call->message);
    if (draft) co_return co_await uses.versions.save_draft(tenant, std::move(definition));
    co_return co_await uses.store.apply_workflow(tenant, std::move(definition));
}

}  // namespace pawl::app
