#include "app/versions/publish.hpp"

#include "app/messages/connector_uses.hpp"
#include "app/refusal.hpp"
#include "base/json.hpp"
#include "model/json_schema.hpp"
#include "model/template.hpp"
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

// What an action's schema says against the params of a node, as far as they are not templates.
void find_wrong_params(
    const Node& node, const store::ListedAction& action, std::vector<Error>& all
) {
    const json::value* params = node.config.if_contains("params");
    const json::value given = params == nullptr ? json::object() : *params;
    if (!given.is_object() || action.schema.is_null()) return;
    const auto wrong = [&](const std::string& place, const std::string& what) {
        all.push_back({Errc::invalid, fmt::format("{}.{}: {}", node.id, place, what), {}});
    };
    if (const auto known = check_schema(action.schema); !known) {
        return wrong(
            "action",
            fmt::format(
                "the schema of action '{}' is wrong at {}: the owner of the database registers the "
                "action again",
                action.name,
                known.error().message
            )
        );
    }
    for (const SchemaProblem& one : check_document(action.schema, given)) {
        std::string place = "params" + one.pointer;
        std::replace(place.begin(), place.end(), '/', '.');
        const std::string_view path =
            std::string_view(one.pointer).substr(one.pointer.empty() ? 0 : 1);
        const json::value* member = given.get_object().if_contains(path.substr(0, path.find('/')));
        if (member != nullptr && has_placeholder(*member)) continue;
        wrong(place, one.message);
    }
}

// Params of actions that their schemas do not allow.
asio::awaitable<std::vector<Error>> wrong_params(
    VersionUses& uses, store::TenantId tenant, Definition definition
) {
    std::vector<Error> all;
    const auto acts = [](const Node& node) { return node.type == NodeType::action; };
    if (!std::any_of(definition.nodes.begin(), definition.nodes.end(), acts)) co_return all;
    const auto actions = co_await uses.actions.list(tenant);
    for (const Node& node : definition.nodes) {
        if (!acts(node) || !definition.code.empty()) continue;
        const std::string_view name = text_in(node.config, "action");
        const auto found = std::find_if(actions.begin(), actions.end(), [&](const auto& one) {
            return one.name == name;
        });
        if (found != actions.end()) find_wrong_params(node, *found, all);
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
    if (all.empty()) take(co_await wrong_params(uses, tenant, definition));
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
    if (draft)
        co_return co_await uses.versions.save_draft(author_of(caller), std::move(definition));
    co_return co_await uses.store.apply_workflow(author_of(caller), std::move(definition));
}

}  // namespace pawl::app
