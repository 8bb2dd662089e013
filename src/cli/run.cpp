#include "base/fresh_id.hpp"
#include "base/json.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/names.hpp"
#include "cli/run_wait.hpp"
#include "engine/start_request.hpp"
#include "model/definition.hpp"
#include "model/duration.hpp"

#include <fmt/core.h>

#include <exception>
#include <memory>

namespace pawl::cli {

namespace {

// The schema's limit of a correlation key; a subject is a short name as well.
constexpr std::size_t name_length_max = 500;

Result<json::value> read_input(const RunOptions& options) {
    if (auto fine = check_text("the workflow's name", options.workflow, 200); !fine) {
        return fine.error();
    }
    if (auto fine = check_text("--correlation", options.correlation, name_length_max); !fine) {
        return fine.error();
    }
    if (auto fine = check_text("--subject", options.subject, name_length_max); !fine) {
        return fine.error();
    }
    const auto text = read_data(options.data, JsonLimits{}.bytes_max);
    if (!text) return text.error();
    auto input = parse_json(*text);
    if (!input) return Error{input.error().code, "--data: " + input.error().message, {}};
    if (!input->is_object()) {
        return Error{Errc::invalid, "--data: the input must be a JSON object, like {\"a\": 1}", {}};
    }
    return input;
}

// Which version it gets where several are active.
std::int32_t choose(const RunOptions& options, const store::WorkflowVersion& head) {
    const std::string& key = options.subject.empty() ? options.correlation : options.subject;
    return choose_version(
        head.version, head.canary, head.id, key.empty() ? to_string(fresh_id()) : key
    );
}

store::NewRun new_run(
    const RunOptions& options,
    const store::WorkflowVersion& workflow,
    const Definition& definition,
    json::value input
) {
    const Instant now = wall_now();
    engine::StartRequest request;
    request.program = std::make_shared<engine::Program>(engine::Program{
        workflow.id, workflow.version, workflow.tenant, workflow.bucket, definition});
    request.input = std::move(input);
    request.subject = options.subject;
    request.correlation = options.correlation;
    request.priority = options.priority;
    request.triggered_by = "cli";
    if (options.delay) request.due_at = saturating_add(now, *options.delay);
    return engine::to_new_run(RunId{fresh_id()}, std::move(request));
}

// When the connection breaks meanwhile, nobody knows whether the run was started: the same batch is
// sent once more, marked as such, and the run exists once either way.
asio::awaitable<std::vector<store::Existing>> start(
    store::PgStore& store, store::StartBatch batch
) {
    std::exception_ptr failed;
    try {
        co_return co_await store.start_runs_and_notify(batch);
    } catch (const Failure& failure) {
        if (!info(failure.error().code).retryable) throw;
        failed = std::current_exception();
    }
    batch.resend = true;
    co_return co_await store.start_runs_and_notify(batch);
}

void announce(const RunOptions& options, const Started& started, const std::string& version) {
    const Globals& globals = options.globals;
    const std::string id = to_string(started.run);
    say(globals,
        started.existing ? fmt::format("there is a run for this correlation key already: {}", id)
                         : fmt::format("started {} of {}", id, version));
    if (options.wait) return;
    if (globals.machine()) {
        json::object document;
        document["id"] = id;
        document["workflow"] = options.workflow;
        document["existing"] = started.existing;
        print_json(globals, document);
        return;
    }
    print_line(id);
    say(globals, "see how it goes: pawl runs show " + id);
}

asio::awaitable<int> run_workflow(
    store::PgStore& store, store::Tenant tenant, const RunOptions& options, json::value input
) {
    auto workflow = co_await store.find_workflow(tenant.id, options.workflow);
    if (!workflow)
        co_return report(
            options.globals, co_await unknown_workflow(store, tenant.id, options.workflow)
        );
    if (!workflow->active) co_return report(options.globals, inactive_workflow(*workflow));
    const std::int32_t chosen = choose(options, *workflow);
    if (chosen != workflow->version) workflow = co_await store.find_version(workflow->id, chosen);
    const auto definition = definition_from_json(workflow->definition);
    if (!definition) co_return report(options.globals, definition.error());
    const auto valid = validate_input(*definition, input);
    if (!valid) co_return report(options.globals, valid.error());

    store::StartBatch batch;
    batch.bucket = workflow->bucket;
    batch.runs.push_back(new_run(options, *workflow, *definition, std::move(input)));
    Started started;
    started.tenant = {workflow->tenant, workflow->bucket};
    started.run = batch.runs.front().id;
    const auto existing = co_await start(store, std::move(batch));
    if (!existing.empty()) {
        started.existing = true;
        started.run = existing.front().existing;
    }
    announce(options, started, fmt::format("{} v{}", workflow->name, workflow->version));
    if (!options.wait) co_return exit_ok;
    co_return co_await wait_for_run(store, options, started);
}

}  // namespace

int run_run(const RunOptions& options) {
    auto input = read_input(options);
    if (!input) return report(options.globals, input.error());
    return with_store(options.globals, [&](store::PgStore& store, store::Tenant tenant) {
        return run_workflow(store, tenant, options, std::move(*input));
    });
}

}  // namespace pawl::cli
