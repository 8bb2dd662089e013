#include "base/json.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/names.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/commands/secret_keys.hpp"
#include "cli/commands/webhook_view.hpp"
#include "cli/door/door.hpp"
#include "cli/terminal/console.hpp"
#include "model/outbox_request.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace pawl::cli {

namespace {

using Action = WebhooksOptions::Action;

Error explained(Error error, const WebhooksOptions& options) {
    if (error.code != Errc::not_found) return error;
    if (options.action == Action::redeliver) {
        return std::move(error).with(
            "next", fmt::format("pawl webhooks deliveries {}", options.id)
        );
    }
    return std::move(error).with("next", "pawl webhooks list");
}

// How a field of the API is called here.
std::string option_of(const std::string& field) {
    if (field == "batch_max") return "--batch";
    if (field == "events") return "--event";
    if (field == "workflows") return "--workflow";
    return "--" + field;
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

json::object body_of(const WebhooksOptions& options) {
    json::object body;
    const std::pair<const char*, const std::string&> texts[] = {
        {"name", options.name},
        {"url", options.url},
        {"channel", options.channel},
        {"queue", options.queue}};
    for (const auto& [key, text] : texts) {
        if (!text.empty()) body[key] = text;
    }
    if (!options.events.empty()) body["events"] = json::value_from(options.events);
    if (!options.workflows.empty()) body["workflows"] = json::value_from(options.workflows);
    if (options.batch_max != 1) body["batch_max"] = options.batch_max;
    if (!options.retries.empty()) body["retries"] = json::value_from(seconds_of(options.retries));
    return body;
}

asio::awaitable<int> create(Door& door, const WebhooksOptions& options) {
    for (const std::string& name : options.workflows) {
        const auto unknown = co_await misspelt_workflow(door, name);
        if (unknown) co_return report(options.globals, *unknown);
    }
    const auto created = co_await door.call({"POST", {"webhooks"}, {}, body_of(options)});
    if (!created) co_return report(options.globals, created.error());
    if (options.globals.machine()) {
        print_json(options.globals, *created);
        co_return exit_ok;
    }
    print_line(std::to_string(number_member(*created, "id")));
    const std::string secret = member(*created, "secret");
    if (!secret.empty()) {
        print_line(secret);
        say(options.globals, "the secret is shown this once; the receiver checks signatures by it");
    }
    const std::string name = member(*created, "channel") + member(*created, "queue");
    if (!name.empty() && name != options.channel + options.queue) print_line(name);
    co_return exit_ok;
}

asio::awaitable<int> show_deliveries(Door& door, const WebhooksOptions& options) {
    const auto page = co_await call_pages(
        door,
        {"GET", {"webhooks", std::to_string(options.id), "deliveries"}, {{"state", options.state}}},
        static_cast<std::size_t>(options.limit)
    );
    if (!page) co_return report(options.globals, explained(page.error(), options));
    co_return print_documents(
        options.globals,
        page->items,
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

// Of a delivery that is not there: whether that is so of its webhook too.
asio::awaitable<Error> why_not(Door& door, const WebhooksOptions& options, Error error) {
    if (options.action == Action::redeliver && error.code == Errc::not_found) {
        const auto webhook = co_await door.call({"GET", {"webhooks", std::to_string(options.id)}});
        error.message =
            webhook ? fmt::format("webhook {} has no delivery '{}'", options.id, options.delivery)
                    : webhook.error().message;
    }
    co_return explained(std::move(error), options);
}

asio::awaitable<int> change(Door& door, const WebhooksOptions& options) {
    const std::string id = std::to_string(options.id);
    Ask ask{"POST", {"webhooks", id}};
    switch (options.action) {
        case Action::remove: ask.method = "DELETE"; break;
        case Action::enable: ask.path.emplace_back("enable"); break;
        case Action::test: ask.path.emplace_back("test"); break;
        case Action::rotate: ask.path.emplace_back("rotate"); break;
        default:
            for (const std::string& part :
                 {std::string("deliveries"), options.delivery, std::string("redeliver")}) {
                ask.path.push_back(part);
            }
            break;
    }
    const auto answer = co_await door.call(std::move(ask));
    if (!answer) co_return report(options.globals, co_await why_not(door, options, answer.error()));
    std::string line = id;
    if (options.action == Action::rotate) line = member(*answer, "secret");
    if (options.action == Action::test) line = member(*answer, "id");
    if (options.action == Action::redeliver) line = options.delivery;
    print_line(line);
    co_return exit_ok;
}

asio::awaitable<int> work(Door& door, const WebhooksOptions& options) {
    if (options.action == Action::create) co_return co_await create(door, options);
    if (options.action == Action::deliveries) co_return co_await show_deliveries(door, options);
    const bool one = options.action == Action::show;
    if (!one && options.action != Action::list) co_return co_await change(door, options);
    Ask ask{"GET", {"webhooks"}};
    if (one) ask.path.push_back(std::to_string(options.id));
    const auto found = co_await door.call(std::move(ask));
    if (!found) co_return report(options.globals, explained(found.error(), options));
    co_return print_documents(
        options.globals,
        one ? json::array{*found} : value_member(*found, "data").as_array(),
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

Result<void> check_request(const WebhooksOptions& options) {
    if (options.action != Action::create) return {};
    const OutboxRequest request{
        options.name,
        options.url,
        options.channel,
        options.queue,
        options.events,
        options.workflows,
        options.batch_max,
        seconds_of(options.retries)};
    const bool whole_database = options.globals.tenant == Globals().tenant;
    for (const auto& problem : check_outbox_request(request, whole_database)) {
        return Error{
            Errc::invalid, fmt::format("{} {}", option_of(problem.field), problem.detail), {}};
    }
    return {};
}

bool is_state(const std::string& text) {
    constexpr std::array<std::string_view, 5> states{
        "", "pending", "in_flight", "published", "failed"};
    return std::find(states.begin(), states.end(), text) != states.end();
}

}  // namespace

int run_webhooks(const WebhooksOptions& options) {
    if (const auto fine = check_request(options); !fine) {
        return report(options.globals, fine.error());
    }
    if (!is_state(options.state)) {
        const char* why = "--state must be pending, in_flight, published or failed";
        return report(options.globals, {Errc::invalid, why, {}});
    }
    // A server has a key of its own.
    if (door_kind(options.globals) == DoorKind::url) {
        return with_door(options.globals, [&](Door& door) { return work(door, options); });
    }
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
    return with_door(options.globals, vault, [&](Door& door) { return work(door, options); });
}

}  // namespace pawl::cli
