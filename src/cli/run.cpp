#include "base/exact_json.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/start.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

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

void announce(const RunOptions& options, const StartAnswer& answer) {
    const Globals& globals = options.globals;
    const std::string id = to_string(answer.started.run);
    say(globals,
        answer.started.existing ? fmt::format("{}: {}", answer.why, id)
                                : fmt::format("started {} of {}", id, answer.version));
    if (options.wait) return;
    if (globals.machine()) {
        json::object document;
        document["id"] = id;
        document["workflow"] = options.workflow;
        document["version"] = answer.number;
        document["existing"] = answer.started.existing;
        print_json(globals, document);
        return;
    }
    print_line(id);
    say(globals, "see how it goes: pawl runs show " + id);
}

asio::awaitable<int> run_workflow(
    pg::Pool& pool, store::Tenant tenant, const RunOptions& options, json::value input
) {
    StartAsk ask;
    ask.workflow = options.workflow;
    ask.version = options.version;
    ask.input = std::move(input);
    ask.subject = options.subject;
    ask.correlation = options.correlation;
    ask.priority = options.priority;
    ask.delay = options.delay;
    const auto answer = co_await start_run(pool, tenant, std::move(ask));
    if (!answer) {
        Error error = answer.error();
        // A first run without its data: say how to give it.
        if (error.code == Errc::invalid && options.data == "{}") {
            error = std::move(error).with(
                "next", fmt::format("pawl run {} --data '{{\"name\": ...}}'", options.workflow)
            );
        }
        co_return report(options.globals, error);
    }
    announce(options, *answer);
    if (!options.wait) co_return exit_ok;
    store::PgStore store(pool);
    co_return co_await wait_for_run(store, options, answer->started);
}

}  // namespace

int run_run(const RunOptions& options) {
    auto input = read_input(options);
    if (!input) return report(options.globals, input.error());
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return run_workflow(pool, tenant, options, std::move(*input));
    });
}

}  // namespace pawl::cli
