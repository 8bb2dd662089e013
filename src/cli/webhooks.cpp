#include "base/exact_json.hpp"
#include "base/json.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/names.hpp"
#include "cli/run_view.hpp"
#include "cli/secret_keys.hpp"
#include "model/outbox_request.hpp"
#include "store/outbox_targets.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <array>
#include <charconv>

namespace pawl::cli {

namespace {

using Action = WebhooksOptions::Action;

std::string shown(const json::object& document, std::string_view key) {
    const json::value* value = document.if_contains(key);
    if (value == nullptr || value->is_null()) return "";
    if (value->is_bool()) return value->get_bool() ? "yes" : "no";
    if (const json::array* list = value->if_array()) {
        std::vector<std::string> words;
        for (const json::value& one : *list) {
            words.push_back(one.is_string() ? std::string(one.get_string()) : plain_json(one));
        }
        return fmt::format("{}", fmt::join(words, ", "));
    }
    return value->is_string() ? std::string(value->get_string()) : plain_json(*value);
}

int print_documents(
    const Globals& globals,
    const std::vector<json::object>& all,
    const std::vector<std::pair<std::string, std::string>>& columns,
    const char* none
) {
    if (globals.machine()) {
        json::array items;
        for (const auto& one : all) items.push_back(one);
        print_json_list(globals, items);
        return exit_ok;
    }
    if (all.empty()) say(globals, none);
    std::vector<TableRow> rows;
    for (const auto& one : all) {
        TableRow row;
        for (const auto& [title, key] : columns) {
            std::string text = shown(one, key);
            if (const auto at = parse_rfc3339(text); at && key == "next_at") text = human_time(*at);
            if (key == "url" && text.empty()) text = shown(one, "channel") + shown(one, "queue");
            row.push_back(std::move(text));
        }
        rows.push_back(std::move(row));
    }
    std::vector<std::string> titles;
    for (const auto& [title, key] : columns) titles.push_back(title);
    if (!rows.empty()) print_table(globals, titles, rows);
    return exit_ok;
}

Error unknown(int id) {
    return {
        Errc::not_found,
        fmt::format("there is no webhook {}", id),
        {{"next", "pawl webhooks list"}}};
}

// How a field of the API is called here.
std::string option_of(const std::string& field) {
    if (field == "batch_max") return "--batch";
    if (field == "events") return "--event";
    if (field == "workflows") return "--workflow";
    return "--" + field;
}

store::NewOutboxTarget target_of(const OutboxRequest& request) {
    store::NewOutboxTarget target;
    target.name = request.name;
    target.kind = request.kind();
    target.address = request.address();
    target.events = request.events.empty() ? std::vector<std::string>{"*"} : request.events;
    target.workflows = request.workflows;
    target.batch_max = request.batch_max;
    target.retries = request.retries;
    return target;
}

// -1 for what is no number, which is refused with the others.
std::vector<int> seconds_of(const std::vector<std::string>& texts) {
    std::vector<int> list;
    for (const std::string& text : texts) {
        int seconds = -1;
        const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
        if (failed != std::errc() || end != text.data() + text.size()) seconds = -1;
        list.push_back(seconds);
    }
    return list;
}

asio::awaitable<int> create(
    store::PgStore& store,
    store::OutboxTargets& outbox,
    store::Tenant tenant,
    const WebhooksOptions& options
) {
    const OutboxRequest request{
        options.name,
        options.url,
        options.channel,
        options.queue,
        options.events,
        options.workflows,
        options.batch_max,
        seconds_of(options.retries)};
    for (const auto& problem : check_outbox_request(request, tenant.id == store::default_tenant)) {
        const std::string why = fmt::format("{} {}", option_of(problem.field), problem.detail);
        co_return report(options.globals, {Errc::invalid, why, {}});
    }
    for (const std::string& name : options.workflows) {
        if (co_await store.find_workflow(tenant.id, name)) continue;
        co_return report(options.globals, co_await unknown_workflow(store, tenant.id, name));
    }
    const auto created = co_await outbox.create(tenant, target_of(request));
    auto found = co_await outbox.list(tenant, created.id);
    if (options.globals.machine()) {
        if (!created.secret.empty()) found.at(0)["secret"] = created.secret;
        print_json(options.globals, found.at(0));
        co_return exit_ok;
    }
    print_line(std::to_string(created.id));
    if (!created.secret.empty()) {
        print_line(created.secret);
        say(options.globals, "the secret is shown this once; the receiver checks signatures by it");
    }
    const std::string name = shown(found.at(0), "channel") + shown(found.at(0), "queue");
    if (!name.empty() && name != request.address()) print_line(name);
    co_return exit_ok;
}

asio::awaitable<int> show_deliveries(
    store::OutboxTargets& outbox, store::Tenant tenant, const WebhooksOptions& options
) {
    store::DeliveryFilter filter;
    filter.target = options.id;
    filter.limit = options.limit;
    constexpr std::array<std::string_view, 4> names{"pending", "in_flight", "published", "failed"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (options.state == names[i]) filter.state = static_cast<store::OutboxState>(i);
    }
    if (!options.state.empty() && !filter.state) {
        const char* why = "--state must be pending, in_flight, published or failed";
        co_return report(options.globals, {Errc::invalid, why, {}});
    }
    const auto known = co_await outbox.list(tenant, options.id);
    if (known.empty()) co_return report(options.globals, unknown(options.id));
    std::vector<json::object> documents;
    for (auto& one : co_await outbox.deliveries(tenant, filter)) {
        documents.push_back(std::move(one.document));
    }
    co_return print_documents(
        options.globals,
        documents,
        {{"DELIVERY", "id"},
         {"TYPE", "type"},
         {"STATE", "state"},
         {"TRIES", "attempts"},
         {"STATUS", "status"},
         {"NEXT (UTC)", "next_at"},
         {"ERROR", "error"}},
        "nothing was sent, or is to be"
    );
}

asio::awaitable<int> change(
    store::OutboxTargets& outbox, store::Tenant tenant, const WebhooksOptions& options
) {
    std::string line = std::to_string(options.id);
    bool found = false;
    if (options.action == Action::remove) found = co_await outbox.remove(tenant, options.id);
    if (options.action == Action::enable) found = co_await outbox.enable(tenant, options.id);
    if (options.action == Action::test || options.action == Action::rotate) {
        const auto made = options.action == Action::test
                              ? co_await outbox.test(tenant, options.id)
                              : co_await outbox.rotate(tenant, options.id);
        found = made.has_value();
        line = made.value_or("");
    }
    if (options.action == Action::redeliver) {
        const auto place = store::parse_outbox_id(options.delivery);
        if (place) found = co_await outbox.redeliver(tenant, options.id, *place);
        line = options.delivery;
        if (!found && !(co_await outbox.list(tenant, options.id)).empty()) {
            const std::string why =
                fmt::format("webhook {} has no delivery '{}'", options.id, options.delivery);
            const std::string next = fmt::format("pawl webhooks deliveries {}", options.id);
            co_return report(options.globals, {Errc::not_found, why, {{"next", next}}});
        }
    }
    if (!found) co_return report(options.globals, unknown(options.id));
    print_line(line);
    co_return exit_ok;
}

asio::awaitable<int> work(
    pg::Pool& pool, store::Tenant tenant, const WebhooksOptions& options, const Vault& vault
) {
    store::OutboxTargets outbox(pool, vault);
    store::PgStore store(pool);
    switch (options.action) {
        case Action::create: co_return co_await create(store, outbox, tenant, options);
        case Action::deliveries: co_return co_await show_deliveries(outbox, tenant, options);
        case Action::list:
        case Action::show: {
            std::optional<std::int32_t> id;
            if (options.action == Action::show) id = options.id;
            const auto found = co_await outbox.list(tenant, id);
            if (id && found.empty()) co_return report(options.globals, unknown(*id));
            co_return print_documents(
                options.globals,
                found,
                {{"ID", "id"},
                 {"TO", "url"},
                 {"EVENTS", "events"},
                 {"ENABLED", "enabled"},
                 {"WAITING", "waiting"},
                 {"FAILURES", "failures"},
                 {"NAME", "name"}},
                "no webhooks; make one: pawl webhooks create --url URL"
            );
        }
        default: co_return co_await change(outbox, tenant, options);
    }
}

}  // namespace

int run_webhooks(const WebhooksOptions& options) {
    const Vault vault = read_vault(options.key_file);
    const bool closes = (options.action == Action::create && !options.url.empty()) ||
                        options.action == Action::rotate;
    if (closes && !vault.usable()) {
        return report(
            options.globals,
            {Errc::invalid,
             "there is no key to encrypt the secret with",
             {{"next", "export PAWL_SECRET_KEY=$(openssl rand -base64 32), also for pawl serve"}}}
        );
    }
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return work(pool, tenant, options, vault);
    });
}

}  // namespace pawl::cli
