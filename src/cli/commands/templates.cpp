#include "cli/commands/list_view.hpp"
#include "cli/commands/object_file.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

struct TemplatesOptions {
    Globals globals;
    std::vector<std::string> files;
};

struct TemplateFile {
    std::string file;
    std::string name;
    json::object body;
};

asio::awaitable<int> apply(
    Door& door, const Globals& globals, const std::vector<TemplateFile>& files
) {
    json::array list;
    std::vector<TableRow> rows;
    for (const TemplateFile& one : files) {
        const auto saved = co_await door.call({"PUT", {"templates", one.name}, {}, one.body});
        if (!saved) co_return report(globals, Error(saved.error()).with("file", one.file));
        const bool changed = value_member(*saved, "changed").as_bool();
        rows.push_back(
            {one.name,
             fmt::format("v{}", number_member(*saved, "version")),
             changed ? Cell("saved", Color::green) : Cell("unchanged", Color::dim)}
        );
        list.push_back(*saved);
    }
    co_return print_saved(globals, list, rows);
}

int run_templates_apply(const TemplatesOptions& options) {
    std::vector<TemplateFile> files;
    for (const std::string& file : options.files) {
        auto read = read_object_file(file);
        if (!read) return report(options.globals, read.error());
        std::string name(text_in(*read, "name"));
        if (name.empty()) {
            return report(
                options.globals,
                {Errc::invalid, "the template needs a name: write name: welcome", {{"file", file}}}
            );
        }
        read->erase("name");
        files.push_back({file, std::move(name), std::move(*read)});
    }
    return with_door(options.globals, [&](Door& door) {
        return apply(door, options.globals, files);
    });
}

void add_templates_apply(App& app, TemplatesOptions& options) {
    add_file(app, options.files, "Name, category and languages of one; - is stdin");
}

struct SendTestOptions {
    Globals globals;
    std::string name;
    std::string channel;
    std::string to;
    std::string connector;
    std::string account;
    std::string person;
    std::string language;
    std::string data;
};

asio::awaitable<int> send_test(Door& door, const SendTestOptions& options, json::object body) {
    const auto sent =
        co_await door.call({"POST", {"templates", options.name, "test"}, {}, std::move(body)});
    if (!sent) co_return report(options.globals, sent.error());
    const std::string state = member(*sent, "state");
    if (options.globals.machine()) {
        print_json(options.globals, *sent);
    } else {
        print_details(
            options.globals,
            {{"message", member(*sent, "message")},
             {"state", Cell(state, state == "sent" ? Color::green : Color::red)},
             {"by", member(*sent, "connector") + " " + member(*sent, "account")},
             {"error", member(*sent, "error")}}
        );
    }
    co_return state == "sent" ? exit_ok : exit_error;
}

int run_templates_send_test(const SendTestOptions& options) {
    if (door_kind(options.globals) == DoorKind::database) {
        return report(
            options.globals,
            {Errc::invalid,
             "a server sends test messages: give --url, or PAWL_URL and PAWL_API_KEY",
             {{"next", "beside pawl dev: set -a; . .pawl/dev.env; set +a"}}}
        );
    }
    auto given = read_json(options.data);
    if (!given) return report(options.globals, given.error());
    json::object body;
    if (given->is_object()) {
        body = std::move(given->get_object());
    } else if (!given->is_null()) {
        return report(
            options.globals,
            {Errc::invalid, "--data must be an object: {\"user\": {\"first_name\": \"Ann\"}}", {}}
        );
    }
    const auto say = [&](const char* key, const std::string& value) {
        if (!value.empty()) body[key] = value;
    };
    say("channel", options.channel);
    say("to", options.to);
    say("connector", options.connector);
    say("account", options.account);
    say("person", options.person);
    say("language", options.language);
    return with_door(options.globals, [&](Door& door) { return send_test(door, options, body); });
}

void add_templates_send_test(App& app, SendTestOptions& options) {
    add_argument(app, "TEMPLATE", options.name, "Name of the template");
    app.add_option("--channel", options.channel, "email, sms, line, push or webhook")
        ->required()
        ->type_name("CHANNEL");
    app.add_option("--to", options.to, "Address that gets the message")
        ->required()
        ->type_name("ADDRESS");
    app.add_option(
           "--connector", options.connector, "Provider [the one with an account for the channel]"
    )
        ->type_name("NAME");
    app.add_option("--account", options.account, "Account [the default one of the provider]")
        ->type_name("NAME");
    app.add_option("--person", options.person, "Fill in the data of this person")->type_name("KEY");
    app.add_option("--language", options.language, "Language [that of the person]")
        ->type_name("LANGUAGE");
    add_json(app, "--data", options.data, "Data to fill in: user, trigger, with");
}

const RegisterGroup templates_group("templates", 86, "Texts of messages, in several languages");

const RegisterCommand<run_templates_apply, add_templates_apply> templates_apply_command(
    {"templates apply", 10, "Save templates; unchanged ones get no new version"},
    {{"pawl templates apply -f welcome.yaml -f birthday.yaml"}}
);

const RegisterCommand<run_templates_send_test, add_templates_send_test> templates_test_command(
    {"templates send-test", 20, "Send a template to an address, to try it out"},
    {{"pawl templates send-test welcome --channel email --to me@shop.example"}}
);

}  // namespace

}  // namespace pawl::cli
