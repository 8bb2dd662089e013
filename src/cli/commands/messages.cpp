#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

namespace pawl::cli {

namespace {

struct MessagesOptions {
    Globals globals;
    std::string person;
    std::string state;
    std::string run;
    std::string workflow;
    std::string external_id;
    int limit = 50;
};

Color color_of(const std::string& state) {
    if (state == "failed" || state == "bounced" || state == "complained") return Color::red;
    if (state == "skipped" || state == "unknown" || state == "sending") return Color::yellow;
    return Color::green;
}

TableRow row_of(const json::value& message) {
    const std::string state = member(message, "state");
    std::string why = member(message, "reason");
    if (why.empty()) why = member(message, "error");
    return {
        human_time_member(message, "created_at"),
        member(message, "person"),
        member(message, "channel"),
        Cell(state, color_of(state)),
        member(message, "workflow"),
        member(message, "node"),
        why};
}

asio::awaitable<int> list(Door& door, const MessagesOptions& options) {
    const auto page = co_await call_pages(
        door,
        {"GET",
         {"messages"},
         {{"person", options.person},
          {"state", options.state},
          {"run", options.run},
          {"workflow", options.workflow},
          {"external_id", options.external_id}}},
        static_cast<std::size_t>(options.limit)
    );
    if (!page) co_return report(options.globals, page.error());
    if (options.globals.machine()) {
        print_json_list(options.globals, page->items);
        co_return exit_ok;
    }
    std::vector<TableRow> rows;
    for (const json::value& message : page->items) rows.push_back(row_of(message));
    if (rows.empty()) {
        say(options.globals, "no messages");
        co_return exit_ok;
    }
    print_table(
        options.globals,
        {"CREATED (UTC)", "PERSON", "CHANNEL", "STATE", "WORKFLOW", "STEP", "WHY"},
        rows
    );
    co_return exit_ok;
}

int run_messages_list(const MessagesOptions& options) {
    return with_door(options.globals, [&](Door& door) { return list(door, options); });
}

void add_messages_list(App& app, MessagesOptions& options) {
    app.add_option("--person", options.person, "Only messages to this person")->type_name("KEY");
    app.add_option("--state", options.state, "Only messages in this state, such as bounced")
        ->type_name("STATE");
    app.add_option("--run", options.run, "Only messages of this run")->type_name("ID");
    add_workflow_filter(app, options.workflow);
    app.add_option(
           "--external-id", options.external_id, "Only the message that has this id at the provider"
    )
        ->type_name("ID");
    add_limit(app, options.limit);
}

const RegisterGroup messages_group("messages", 82, "Messages to people, and whether they arrived");

const RegisterCommand<run_messages_list, add_messages_list> messages_list_command(
    {"messages list", 10, "Messages that were sent or skipped, newest first"},
    {{"pawl messages list --person 4711", "why did they not get it?"},
     {"pawl messages list --state bounced -o json"}}
);

}  // namespace

}  // namespace pawl::cli
