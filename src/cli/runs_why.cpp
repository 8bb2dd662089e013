#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "plan/planner.hpp"
#include "plan/why.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

asio::awaitable<int> tell(store::PgStore& store, const Globals& globals, RunId id) {
    const auto run = co_await store.find_run({}, id);
    if (!run) {
        Error missing{Errc::not_found, fmt::format("there is no run {}", to_string(id)), {}};
        missing.context.emplace_back("next", "pawl runs list");
        co_return report(globals, missing);
    }
    const auto version = co_await store.find_version(run->workflow_id, run->version);
    if (!version) {
        co_return report(
            globals, {Errc::not_found, "the run's workflow is not there any more", {}}
        );
    }
    const auto definition = definition_from_json(version->definition);
    if (!definition) co_return report(globals, definition.error());
    const auto log = co_await store.load_log(0, id);
    const auto health = co_await store.health(0);
    const plan::Surroundings around{run->status == "running", health.workers, to_string(id)};
    const plan::Why answer =
        plan::why(*definition, plan::fold(*definition, log), around, wall_now());
    if (globals.machine()) {
        print_json(
            globals,
            json::object{
                {"sentence", answer.sentence},
                {"what_helps", answer.what_helps},
                {"places", json::value_from(answer.places)}}
        );
        co_return exit_ok;
    }
    print_line(answer.sentence);
    for (const std::string& place : answer.places) print_line("  " + place);
    if (!answer.what_helps.empty()) print_line("To move it, " + answer.what_helps);
    co_return exit_ok;
}

}  // namespace

int run_runs_why(const RunsWhyOptions& options) {
    const auto id = read_run_id(options.id);
    if (!id) return report(options.globals, id.error());
    return with_store(options.globals, [&](store::PgStore& store) {
        return tell(store, options.globals, *id);
    });
}

}  // namespace pawl::cli
