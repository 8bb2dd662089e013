#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/json_option.hpp"

#include <boost/json/object.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

asio::awaitable<int> send(
    store::PgStore& store, const RunsSignalOptions& options, RunId id, json::object data
) {
    const std::string text = to_string(id);
    std::vector<store::NewSignal> signals;
    signals.push_back({id, options.kind, std::move(data)});
    const auto reached = co_await store.send_signals(0, std::move(signals));
    if (reached.empty()) {
        const auto run = co_await store.find_run({}, id);
        Error error{Errc::not_found, fmt::format("there is no run {}", text), {{"run", text}}};
        if (run) {
            error.code = Errc::conflict;
            error.message = fmt::format("the run {} has ended already: {}", text, run->status);
        }
        co_return report(options.globals, error);
    }
    co_await store.notify_workers(0);
    if (options.globals.machine()) {
        print_json(options.globals, json::object{{"id", text}, {"sent", options.kind}});
    } else {
        print_line(text);
    }
    co_return exit_ok;
}

}  // namespace

int run_runs_signal(const RunsSignalOptions& options) {
    const auto id = read_run_id(options.id);
    if (!id) return report(options.globals, id.error());
    for (const auto& [option, text] :
         {std::pair{"NAME", options.name}, {"--reason", options.reason}}) {
        if (auto fine = check_text(option, text, 1000); !fine) {
            return report(options.globals, fine.error());
        }
    }
    json::object data;
    if (options.kind == "signal") {
        auto given = read_json(options.data);
        if (!given) return report(options.globals, given.error());
        data["name"] = options.name;
        data["data"] = std::move(*given);
    }
    if (options.kind == "pause") {
        data["reason"] = options.reason.empty() ? "paused on the command line" : options.reason;
    }
    return with_store(options.globals, [&](store::PgStore& store) {
        return send(store, options, *id, data);
    });
}

}  // namespace pawl::cli
