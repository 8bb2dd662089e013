#include "base/fresh_id.hpp"
#include "base/terminal.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/json_option.hpp"
#include "cli/start.hpp"
#include "model/definition.hpp"
#include "plan/released.hpp"
#include "plan/repin.hpp"
#include "store/retries.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace pawl::cli {

namespace {

Error no_run(RunId id) {
    return {
        Errc::not_found,
        fmt::format("there is no run {}", to_string(id)),
        {{"next", "pawl runs list"}}};
}

// Asks whoever sits at the terminal; where there is none, nobody has agreed.
bool agreed(const std::string& question) {
    if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDERR_FILENO) != 1) return false;
    std::cerr << for_terminal(question) << " [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

int announce(const Globals& globals, RunId old, RunId fresh, const std::string& what) {
    const std::string id = to_string(fresh);
    if (globals.machine()) {
        print_json(globals, json::object{{"id", id}, {"parent", to_string(old)}});
        return exit_ok;
    }
    print_line(id);
    say(globals, fmt::format("{}; see how it goes: pawl runs show {}", what, id));
    return exit_ok;
}

asio::awaitable<int> retry(pg::Pool& pool, store::Tenant tenant, const Globals& globals, RunId id) {
    store::Retries retries(pool);
    const auto outcome = co_await retries.retry(tenant, {store::Retry{id, RunId{fresh_id()}}});
    const store::Retried& retried = outcome.at(0);
    if (retried.status.empty()) co_return report(globals, no_run(id));
    if (!retried.retried_as) {
        const Error error{
            Errc::conflict,
            "only a failed or cancelled run can be retried; this one is " + retried.status,
            {{"next", "pawl runs why " + to_string(id)}}};
        co_return report(globals, error);
    }
    co_return announce(
        globals,
        id,
        *retried.retried_as,
        retried.created ? "it goes on as a new run" : "it was retried before, as this run"
    );
}

// Where the step was come to first; what happened before stays as it was.
asio::awaitable<int> rerun_from(
    pg::Pool& pool,
    store::Tenant tenant,
    const RunsAgainOptions& options,
    store::RunDetails old,
    json::value input
) {
    store::PgStore store(pool);
    const auto version = co_await store.find_version(old.workflow_id, old.version);
    if (!version) co_return report(options.globals, no_run(old.id));
    const auto definition = definition_from_json(version->definition);
    if (!definition) co_return report(options.globals, definition.error());
    if (!definition->find(options.from)) {
        const std::string why = fmt::format("{} has no step {}", old.workflow, options.from);
        co_return report(options.globals, {Errc::invalid, why, {}});
    }
    const auto log = co_await store.load_log(tenant.bucket, old.id);
    const auto first = std::find_if(log.begin(), log.end(), [&](const Event& event) {
        return event.node == options.from;
    });
    if (first == log.end()) {
        const std::string why = "the run never came to the step " + options.from;
        co_return report(options.globals, {Errc::conflict, why, {}});
    }
    const std::vector<Event> before(log.begin(), std::max(first, log.begin() + 1));
    const std::int32_t number = plan::pinned_version(before);
    const auto pinned = co_await store.find_version(old.workflow_id, number);
    if (pinned && pinned->retired_at && !options.yes) {
        const std::string why =
            fmt::format("version {} of workflow '{}' is retired", number, old.workflow);
        if (!agreed(why + "; begin a run in it all the same?")) {
            const Error error{Errc::conflict, why, {{"next", "say --yes to begin a run in it"}}};
            co_return report(options.globals, error);
        }
    }
    store::Retries retries(pool);
    const auto released = plan::released_before(*definition, log, first->seq);
    const auto made = co_await retries.rerun_from(
        tenant, {old.id, RunId{fresh_id()}, first->seq, std::move(input), released.records}
    );
    if (!made) co_return report(options.globals, no_run(old.id));
    std::string what = "it begins at that step, as a new run";
    if (!released.steps.empty()) {
        what +=
            fmt::format("; undone since, and not done again: {}", fmt::join(released.steps, ", "));
    }
    co_return announce(options.globals, old.id, *made, what);
}

asio::awaitable<int> rerun(
    pg::Pool& pool,
    store::Tenant tenant,
    const RunsAgainOptions& options,
    RunId id,
    json::value input
) {
    store::PgStore store(pool);
    auto old = co_await store.find_run(tenant, id);
    if (!old) co_return report(options.globals, no_run(id));
    if (!options.from.empty()) {
        co_return co_await rerun_from(pool, tenant, options, std::move(*old), std::move(input));
    }
    StartAsk ask;
    ask.workflow = old->workflow;
    ask.input = input.is_null() ? old->input : std::move(input);
    ask.subject = old->subject;
    ask.priority = old->priority;
    ask.parent = to_string(id);
    const auto answer = co_await start_run(pool, tenant, std::move(ask));
    if (!answer) co_return report(options.globals, answer.error());
    const char* what = answer->started.existing ? answer->why.c_str() : "it is done again";
    co_return announce(options.globals, id, answer->started.run, what);
}

}  // namespace

int run_runs_again(const RunsAgainOptions& options) {
    const auto id = read_run_id(options.id);
    if (!id) return report(options.globals, id.error());
    if (auto fine = check_text("--from", options.from, 100); !fine) {
        return report(options.globals, fine.error());
    }
    const auto input = read_json(options.data);
    if (!input) return report(options.globals, input.error());
    if (!input->is_null() && !input->is_object()) {
        const char* why = "--data: the input must be a JSON object, like {\"a\": 1}";
        return report(options.globals, {Errc::invalid, why, {}});
    }
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return options.rerun ? rerun(pool, tenant, options, *id, *input)
                             : retry(pool, tenant, options.globals, *id);
    });
}

}  // namespace pawl::cli
