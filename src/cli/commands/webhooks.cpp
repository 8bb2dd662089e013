#include "base/json.hpp"
#include "base/number_text.hpp"
#include "cli/commands/names.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/commands/webhook_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/secret_keys.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"
#include "model/outbox_request.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace pawl::cli {

namespace {

struct WebhooksOptions {
    enum class Action { create, list, show, remove, test, deliveries, redeliver, rotate, enable };
    Globals globals;
    Action action = Action::list;
    int id = 0;
    std::string name;
    std::string url;
    std::string channel;
    std::string queue;
    std::vector<std::string> events;
    std::vector<std::string> workflows;
    std::vector<std::string> retries;  // seconds
    int batch_max = 1;
    std::string key_file;  // with the key that secrets are encrypted with
    std::string state;     // of deliveries
    int limit = 50;
    std::string delivery;
};

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
        list.push_back(read_number<int>(text).value_or(-1));
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

void add_webhook_way(App& app, WebhooksOptions& options) {
    auto* url = app.add_option("--url", options.url, "Where signed requests go")->type_name("URL");
    auto* channel = app.add_option("--channel", options.channel, "A channel of NOTIFY instead")
                        ->type_name("NAME")
                        ->excludes(url);
    app.add_option("--queue", options.queue, "A queue of pgmq instead")
        ->type_name("NAME")
        ->excludes(url)
        ->excludes(channel);
    app.add_option("--name", options.name, "What it is for")->type_name("TEXT");
    app.add_option("--event", options.events, "run.failed, run.* ...; may be repeated [*]")
        ->delimiter(',')
        ->type_name("TYPE");
    app.add_option("--workflow", options.workflows, "Only of this one; may be repeated [all]")
        ->type_name("NAME");
    app.add_option("--retries", options.retries, "Seconds between tries [5 s to 24 h, ten tries]")
        ->delimiter(',')
        ->type_name("N,N,...");
}

template <Action action>
void add_key_of_webhooks(App& app, WebhooksOptions& options) {
    options.action = action;
    const char* what = "A file with the key that encrypts secrets (or: PAWL_SECRET_KEY)";
    add_secret_key(app, options.key_file, what);
}

template <Action action>
void add_webhook_id(App& app, WebhooksOptions& options) {
    constexpr auto id_max = std::numeric_limits<std::int32_t>::max();
    add_number(app, "ID", options.id, 1, id_max, "Which one")->required()->type_name("");
    add_key_of_webhooks<action>(app, options);
}

void add_webhooks_create(App& app, WebhooksOptions& options) {
    add_webhook_way(app, options);
    add_number(app, "--batch", options.batch_max, 1, 1000, "Messages of one request [1]");
    add_key_of_webhooks<Action::create>(app, options);
}

void add_webhooks_deliveries(App& app, WebhooksOptions& options) {
    app.add_option("--state", options.state, "Only those")
        ->type_name("pending|in_flight|published|failed");
    add_limit(app, options.limit);
    add_webhook_id<Action::deliveries>(app, options);
}

void add_webhooks_redeliver(App& app, WebhooksOptions& options) {
    add_webhook_id<Action::redeliver>(app, options);
    add_argument(app, "DELIVERY", options.delivery, "As in `deliveries`");
}

const RegisterGroup webhooks_group(
    "webhooks", 210, "Notify other systems of what happens to runs; see deliveries"
);

const RegisterCommand<run_webhooks, add_webhooks_create> webhooks_create_command(
    {"webhooks create", 10, "Create a webhook; its secret is printed once"},
    {{"pawl webhooks create --url https://example.com/hook --event 'run.*'"},
     {"pawl webhooks create --queue finished_runs --event run.completed"}}
);

const RegisterCommand<run_webhooks, add_key_of_webhooks<Action::list>> webhooks_list_command(
    {"webhooks list", 20, "All of them"}, {{"pawl webhooks list"}}
);

const RegisterCommand<run_webhooks, add_webhook_id<Action::show>> webhooks_show_command(
    {"webhooks show", 30, "One of them"}, {{"pawl webhooks show 1"}}
);

const RegisterCommand<run_webhooks, add_webhook_id<Action::remove>> webhooks_delete_command(
    {"webhooks delete", 40, "Delete a webhook"}, {{"pawl webhooks delete 1"}}
);

const RegisterCommand<run_webhooks, add_webhook_id<Action::test>> webhooks_test_command(
    {"webhooks test", 50, "Send a test message to a webhook"},
    {{"pawl webhooks test 1 && pawl webhooks deliveries 1"}}
);

const RegisterCommand<run_webhooks, add_webhook_id<Action::rotate>> webhooks_rotate_command(
    {"webhooks rotate", 60, "Sign with a new secret; for a day, with both"},
    {{"pawl webhooks rotate 1"}}
);

const RegisterCommand<run_webhooks, add_webhook_id<Action::enable>> webhooks_enable_command(
    {"webhooks enable", 70, "Enable a disabled webhook"}, {{"pawl webhooks enable 1"}}
);

const RegisterCommand<run_webhooks, add_webhooks_deliveries> webhooks_deliveries_command(
    {"webhooks deliveries", 80, "What was sent or will be sent, newest first"},
    {{"pawl webhooks deliveries 1 --state failed"}}
);

const RegisterCommand<run_webhooks, add_webhooks_redeliver> webhooks_redeliver_command(
    {"webhooks redeliver", 90, "Send a delivery again, with the same webhook-id"},
    {{"pawl webhooks redeliver 1 DELIVERY", "the ID of pawl webhooks deliveries"}}
);

}  // namespace

}  // namespace pawl::cli
