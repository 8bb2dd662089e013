#include "cli/parse/args_parser.hpp"

#include <limits>

// Who outside hears of what happens to runs.
namespace pawl::cli {

namespace {

void add_way(App& app, WebhooksOptions& options) {
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

}  // namespace

void Parser::add_webhooks() {
    using Action = WebhooksOptions::Action;
    auto& app = command(app_, "webhooks", "Tell others what happens to runs; see what was told");
    app.require_subcommand(1);
    const auto with = [this](App& to, WebhooksOptions& options, Action action) {
        options.action = action;
        to.add_option(
              "--secret-key",
              options.key_file,
              "A file with the key that encrypts secrets (or: PAWL_SECRET_KEY)"
        )
            ->type_name("FILE")
            ->envname("PAWL_SECRET_KEY_FILE");
        choose(to, options);
    };
    const auto one = [&](App& to, WebhooksOptions& options, Action action) {
        add_number(to, "ID", options.id, 1, std::numeric_limits<std::int32_t>::max(), "Which one")
            ->required()
            ->type_name("");
        with(to, options, action);
    };
    auto& create = command(app, "create", "Make one; its secret is printed once");
    add_way(create, webhooks_create_);
    add_number(
        create, "--batch", webhooks_create_.batch_max, 1, 1000, "Messages of one request [1]"
    );
    with(create, webhooks_create_, Action::create);
    with(command(app, "list", "All of them"), webhooks_list_, Action::list);
    one(command(app, "show", "One of them"), webhooks_show_, Action::show);
    one(command(app, "delete", "Tell it nothing any more"), webhooks_delete_, Action::remove);
    one(command(app, "test", "Send it a test"), webhooks_test_, Action::test);
    one(command(app, "rotate", "Sign with a new secret; for a day with both"),
        webhooks_rotate_,
        Action::rotate);
    one(command(app, "enable", "Go on with one that was disabled"), webhooks_enable_, Action::enable
    );
    auto& deliveries = command(app, "deliveries", "What was sent, or will be, newest first");
    deliveries.add_option("--state", webhooks_deliveries_.state, "Only those")
        ->type_name("pending|in_flight|published|failed");
    add_number(
        deliveries, "--limit", webhooks_deliveries_.limit, 1, 1000, "At most this many [50]"
    );
    one(deliveries, webhooks_deliveries_, Action::deliveries);
    auto& redeliver = command(app, "redeliver", "Send one again, with the same webhook-id");
    one(redeliver, webhooks_redeliver_, Action::redeliver);
    redeliver.add_option("DELIVERY", webhooks_redeliver_.delivery, "As in `deliveries`")
        ->required()
        ->type_name("");
}

}  // namespace pawl::cli
