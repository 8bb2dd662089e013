#include "app/versions/publish.hpp"

#include "app/messages/connector_uses.hpp"
#include "app/refusal.hpp"
#include "base/json.hpp"
#include "store/repos/called_versions.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace pawl::app {

namespace {

// The first message that names a connector which the tenant does not have, or which does not send
// by its channel: no run could send it.
asio::awaitable<std::optional<Error>> wrong_connector(
    VersionUses& uses, store::TenantId tenant, Definition definition
) {
    for (const Node& node : definition.nodes) {
        const std::string name(text_in(node.config, "connector"));
        if (node.type != NodeType::message || name.empty()) continue;
        const std::string channel(text_in(node.config, "channel"));
        const auto found = co_await find_connector(uses.messages, tenant, name);
        std::string what;
        if (!found && found.error().code == Errc::not_found) {
            what = fmt::format(
                "there is no connector '{}': see pawl connectors list, or add it with pawl "
                "connectors apply",
                name
            );
        } else if (!found) {
            what = found.error().message;
        } else if (const auto& by = found->connector->channels;
                   std::find(by.begin(), by.end(), channel) == by.end()) {
            what = fmt::format(
                "connector '{}' sends by {}, not by {}", name, fmt::join(by, ", "), channel
            );
        }
        if (what.empty()) continue;
        co_return Error{Errc::invalid, fmt::format("step '{}': {}", node.id, what), {}};
    }
    co_return std::nullopt;
}

// The first program in it that does not compile, connector that is not there, or audience that
// cannot be read.
asio::awaitable<std::optional<Error>> wrong_program(
    VersionUses& uses, store::TenantId tenant, Definition definition
) {
    std::vector<Problem> problems;
    if (uses.check_programs) problems = co_await uses.check_programs(definition, tenant);
    if (problems.empty()) {
        auto wrong = co_await wrong_connector(uses, tenant, definition);
        if (wrong) co_return wrong;
        co_return co_await uses.audiences.wrong_in(tenant, std::move(definition));
    }
    co_return Error{Errc::invalid, problems[0].path + ": " + problems[0].what, {}};
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

asio::awaitable<std::optional<Error>> check_definition(
    VersionUses& uses, store::TenantId tenant, Definition definition
) {
    auto wrong = co_await wrong_program(uses, tenant, definition);
    if (wrong) co_return wrong;
    co_return co_await store::wrong_call(uses.store, uses.versions, tenant, std::move(definition));
}

asio::awaitable<Result<store::Applied>> publish(
    VersionUses& uses, Caller caller, Definition definition, bool draft
) {
    const auto allowed = check_sql_steps(caller, definition);
    if (!allowed) co_return allowed.error();
    const store::TenantId tenant = caller.tenant.id;
    const auto program = co_await wrong_program(uses, tenant, definition);
    if (program) co_return wrong_definition(program->message);
    const auto taken = co_await uses.versions.taken_label(tenant, definition);
    if (taken) co_return refusal(Errc::conflict, "version_exists", taken->message);
    const auto call = co_await store::wrong_call(uses.store, uses.versions, tenant, definition);
    if (call) co_return wrong_definition(call->message);
    if (draft) co_return co_await uses.versions.save_draft(tenant, std::move(definition));
    co_return co_await uses.store.apply_workflow(tenant, std::move(definition));
}

}  // namespace pawl::app
