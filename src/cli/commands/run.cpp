#include "base/exact_json.hpp"
#include "cli/commands/names.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/commands/run_wait.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"
#include "model/definition.hpp"
#include "model/duration.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace pawl::cli {

namespace {

struct RunOptions {
    Globals globals;
    std::string workflow;
    std::string version;      // number or label; empty: one that starts get
    std::string data = "{}";  // JSON, @file, or - for stdin
    std::string correlation;
    std::string subject;
    std::int16_t priority = 0;
    std::optional<Duration> delay;
    bool wait = false;
    Duration timeout = std::chrono::seconds(60);
};

// As the API has them.
constexpr std::size_t correlation_max = 400;
constexpr std::size_t subject_max = 500;

Result<json::value> read_input(const RunOptions& options) {
    if (auto fine = check_text("the workflow's name", options.workflow, 200); !fine) {
        return fine.error();
    }
    if (auto fine = check_text("--correlation", options.correlation, correlation_max); !fine) {
        return fine.error();
    }
    if (auto fine = check_text("--subject", options.subject, subject_max); !fine) {
        return fine.error();
    }
    if (auto fine = check_text("--version", options.version, 100); !fine) return fine.error();
    const auto text = read_data(options.data, JsonLimits{}.bytes_max);
    if (!text) return text.error();
    auto input = parse_exact_json(*text);
    if (!input) return Error{input.error().code, "--data: " + input.error().message, {}};
    if (!input->is_object()) {
        return Error{Errc::invalid, "--data: the input must be a JSON object, like {\"a\": 1}", {}};
    }
    return input;
}

// Why there is no new run.
asio::awaitable<std::string> why_existing(
    Door& door, const RunOptions& options, std::string version
) {
    const auto found =
        co_await door.call({"GET", {"workflows", options.workflow, "versions", version}});
    const auto definition = found ? definition_from_json(value_member(*found, "definition"))
                                  : Result<Definition>(found.error());
    if (!definition) co_return "there is a run already";
    if (definition->flow.gathering) co_return "gathered into a run that begins later";
    const bool once = definition->reentry != Reentry::always && !options.subject.empty();
    if (once && options.correlation.empty()) {
        co_return fmt::format("there is a run for {} already (reentry)", options.subject);
    }
    co_return once ? "there is a run for this correlation key or subject already"
                   : "there is a run for this correlation key already";
}

void announce(const RunOptions& options, const json::value& started) {
    const Globals& globals = options.globals;
    const std::string id = member(started, "id");
    if (globals.machine()) {
        json::object document;
        document["id"] = id;
        document["workflow"] = options.workflow;
        document["version"] = number_member(started, "version");
        document["existing"] = !value_member(started, "created").as_bool();
        print_json(globals, document);
        return;
    }
    print_line(id);
    say(globals, "see how it goes: pawl runs show " + id);
}

json::object start_body(const RunOptions& options, json::value input) {
    json::object body{{"workflow", options.workflow}, {"data", std::move(input)}};
    if (!options.version.empty()) body["version"] = options.version;
    if (!options.subject.empty()) body["subject"] = options.subject;
    if (!options.correlation.empty()) body["correlation_id"] = options.correlation;
    if (options.priority != 0) body["priority"] = options.priority;
    if (options.delay) body["delay"] = format_duration(*options.delay);
    return body;
}

asio::awaitable<Error> explained(Door& door, const RunOptions& options, Error error) {
    if (error.code == Errc::not_found) {
        if (auto unknown = co_await misspelt_workflow(door, options.workflow)) co_return *unknown;
        co_return std::move(error).with("next", "pawl versions list " + options.workflow);
    }
    if (error.code == Errc::conflict && !options.version.empty()) {
        co_return std::move(error).with(
            "next", fmt::format("pawl versions canary {} {}=0", options.workflow, options.version)
        );
    }
    // A first run without its data: say how to give it.
    const auto of_data = [](const auto& part) { return part.first.starts_with("/data"); };
    if (options.data == "{}" && std::any_of(error.context.begin(), error.context.end(), of_data)) {
        co_return std::move(error).with(
            "next", fmt::format("pawl run {} --data '{{\"name\": ...}}'", options.workflow)
        );
    }
    co_return error;
}

asio::awaitable<int> run_workflow(Door& door, const RunOptions& options, json::value input) {
    const auto started =
        co_await door.call({"POST", {"runs"}, {}, start_body(options, std::move(input))});
    if (!started) {
        const Error error = co_await explained(door, options, started.error());
        co_return report(options.globals, error);
    }
    const std::string id = member(*started, "id");
    const std::string version = std::to_string(number_member(*started, "version"));
    if (value_member(*started, "created").as_bool()) {
        say(options.globals, fmt::format("started {} of {} v{}", id, options.workflow, version));
    } else {
        const std::string why = co_await why_existing(door, options, version);
        say(options.globals, fmt::format("{}: {}", why, id));
    }
    if (options.wait) co_return co_await wait_for_run(door, options.globals, options.timeout, id);
    announce(options, *started);
    co_return exit_ok;
}

int run_run(const RunOptions& options) {
    const auto input = read_input(options);
    if (!input) return report(options.globals, input.error());
    return with_door(options.globals, [&](Door& door) {
        return run_workflow(door, options, *input);
    });
}

void add_run(App& app, RunOptions& options) {
    add_parsed(app, "NAME", options.workflow, some_text, "Name of the workflow")
        ->required()
        ->type_name("");
    add_json(app, "--data", options.data, "Input: JSON, @file, or - for stdin")
        ->capture_default_str();
    app.add_option(
           "--version", options.version, "An active version, or one that has a share (even 0)"
    )
        ->type_name("N|LABEL");
    app.add_flag("--wait", options.wait, "Wait until it has ended, and print how");
    add_parsed(app, "--timeout", options.timeout, parse_duration, "The longest --wait")
        ->type_name("TIME")
        ->default_str("60s");
    const char* once = "Start at most one run for this key";
    add_parsed(app, "--correlation", options.correlation, some_text, once)->type_name("KEY");
    const char* about = "The customer or thing that the run is about";
    add_parsed(app, "--subject", options.subject, some_text, about)->type_name("TEXT");
    add_number(
        app,
        "--priority",
        options.priority,
        std::numeric_limits<std::int16_t>::min(),
        std::numeric_limits<std::int16_t>::max(),
        "Lower is sooner [0]"
    );
    add_parsed(app, "--delay", options.delay, some_duration, "Start it later: 30s, 10m, 2d")
        ->type_name("TIME");
}

const RegisterCommand<run_run, add_run> run_command(
    {"run", 50, "Start a run of a workflow"},
    {{"pawl run hello --data '{\"name\": \"Ada\"}' --wait"},
     {"pawl run import --data @order.json --correlation order-17", "at most one per key"},
     {"jq -c . big.json | pawl run import --data - --delay 10m"},
     {"pawl run order --version 1.3.0", "instead of the one that is active"}}
);

}  // namespace

}  // namespace pawl::cli
