#include "api/shapes.hpp"
#include "base/fresh_id.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/json_option.hpp"
#include "cli/pretty_json.hpp"
#include "cli/run_view.hpp"
#include "cli/text.hpp"
#include "store/inbox.hpp"
#include "store/pg_store.hpp"
#include "store/reserved_event.hpp"

#include <boost/json/object.hpp>

namespace pawl::cli {

namespace {

asio::awaitable<int> send(
    store::PgStore& store,
    store::Tenant tenant,
    const EventsSendOptions& options,
    store::OutsideEvent event
) {
    const std::string id = event.id;
    event.tenant = tenant.id;
    std::vector<store::OutsideEvent> events;
    events.push_back(std::move(event));
    const auto fresh = co_await store.publish_events(tenant.bucket, std::move(events));
    // Workers would find it too; this way those who wait are reached when the command ends.
    const auto matched = co_await store.match_inbox(tenant.bucket, 1000);
    co_await store.notify_workers(tenant.bucket);
    if (options.globals.machine()) {
        print_json(options.globals, json::object{{"id", id}, {"duplicate", !fresh.at(0)}});
        co_return exit_ok;
    }
    print_line(id);
    if (!fresh.at(0)) say(options.globals, "an event of this id had come before: nothing new");
    if (matched.delivered > 0) {
        say(options.globals, fmt::format("{} waiting runs got it", matched.delivered));
    }
    co_return exit_ok;
}

asio::awaitable<int> list(pg::Pool& pool, store::Tenant tenant, const EventsListOptions& options) {
    store::Inbox inbox(pool);
    store::InboxFilter filter;
    filter.name = options.name;
    filter.key = options.key;
    filter.limit = options.limit;
    const auto page = co_await inbox.list(tenant, std::move(filter));
    if (options.globals.machine()) {
        json::array items;
        for (const auto& event : page.events) items.push_back(api::to_json(event));
        print_json_list(options.globals, items);
        co_return exit_ok;
    }
    if (page.events.empty()) {
        say(options.globals, "no events");
        co_return exit_ok;
    }
    std::vector<TableRow> rows;
    for (const auto& event : page.events) {
        rows.push_back(
            {event.id,
             event.name,
             event.key,
             human_time(event.at),
             event.pending ? "pending" : "matched",
             event.problem.empty() ? Cell(shorten(compact(event.data), 50))
                                   : Cell(shorten(event.problem, 80), Color::red)}
        );
    }
    print_table(options.globals, {"ID", "NAME", "KEY", "AT (UTC)", "STATE", "DATA"}, rows);
    co_return exit_ok;
}

}  // namespace

int run_events_send(const EventsSendOptions& options) {
    store::OutsideEvent event;
    const std::tuple<const char*, std::string, std::size_t> texts[] = {
        {"NAME", options.name, store::outside_name_max},
        {"--key", options.key, store::outside_key_max},
        {"--subject", options.subject, store::outside_key_max},
        {"--id", options.id, store::outside_id_max}};
    for (const auto& [option, text, max] : texts) {
        if (auto fine = check_text(option, text, max); !fine) {
            return report(options.globals, fine.error());
        }
        if (text.size() <= max) continue;
        return report(
            options.globals,
            {Errc::invalid, fmt::format("{} has more than {} bytes", option, max), {}}
        );
    }
    if (store::is_reserved_event(options.name)) {
        return report(
            options.globals, {Errc::invalid, store::reserved_event_problem(options.name), {}}
        );
    }
    auto data = read_json(options.data);
    if (!data) return report(options.globals, data.error());
    event.id = options.id.empty() ? to_string(fresh_id()) : options.id;
    event.name = options.name;
    event.subject = options.subject;
    event.key = options.key.empty() ? options.subject : options.key;
    event.data = std::move(*data);
    return with_store(options.globals, [&](store::PgStore& store, store::Tenant tenant) {
        return send(store, tenant, options, event);
    });
}

int run_events_list(const EventsListOptions& options) {
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return list(pool, tenant, options);
    });
}

}  // namespace pawl::cli
