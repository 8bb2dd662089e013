#include "base/log_names.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/explain.hpp"
#include "cli/commands/hide_secrets.hpp"
#include "cli/parse/args.hpp"
#include "cli/terminal/console.hpp"
#include "jq/jq_child.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <variant>
#include <vector>

namespace pawl::cli {

namespace {

// One overload a command; a new command that is missing here does not compile.
struct Dispatch {
    int operator()(const MigrateOptions& options) const { return run_migrate(options); }
    int operator()(const WorkerOptions& options) const { return run_worker(options); }
    int operator()(const ServeOptions& options) const { return run_serve(options); }
    int operator()(const DevOptions& options) const { return run_dev(options); }
    int operator()(const RunOptions& options) const { return run_run(options); }
    int operator()(const RunsListOptions& options) const { return run_runs_list(options); }
    int operator()(const RunsShowOptions& options) const { return run_runs_show(options); }
    int operator()(const RunsWhyOptions& options) const { return run_runs_why(options); }
    int operator()(const RunsWatchOptions& options) const { return run_runs_watch(options); }
    int operator()(const DeadLettersOptions& options) const { return run_dead_letters(options); }
    int operator()(const SchedulesOptions& options) const { return run_schedules(options); }
    int operator()(const JobsOptions& options) const { return run_jobs(options); }
    int operator()(const LimitsOptions& options) const { return run_limits(options); }
    int operator()(const VersionsOptions& options) const { return run_versions(options); }
    int operator()(const RunsAgainOptions& options) const { return run_runs_again(options); }
    int operator()(const RunsCancelOptions& options) const { return run_runs_cancel(options); }
    int operator()(const RunsSignalOptions& options) const { return run_runs_signal(options); }
    int operator()(const RunsSkipOptions& options) const { return run_runs_skip(options); }
    int operator()(const RunsSettleOptions& options) const { return run_runs_settle(options); }
    int operator()(const RunsBulkOptions& options) const { return run_runs_bulk(options); }
    int operator()(const EventsSendOptions& options) const { return run_events_send(options); }
    int operator()(const EventsListOptions& options) const { return run_events_list(options); }
    int operator()(const TasksListOptions& options) const { return run_tasks_list(options); }
    int operator()(const TasksShowOptions& options) const { return run_tasks_show(options); }
    int operator()(const TasksActOptions& options) const { return run_tasks_act(options); }
    int operator()(const WorkflowsApplyOptions& options) const {
        return run_workflows_apply(options);
    }
    int operator()(const WorkflowsListOptions& options) const {
        return run_workflows_list(options);
    }
    int operator()(const WorkflowsShowOptions& options) const {
        return run_workflows_show(options);
    }
    int operator()(const WorkflowsValidateOptions& options) const {
        return run_workflows_validate(options);
    }
    int operator()(const WorkflowsDiffOptions& options) const {
        return run_workflows_diff(options);
    }
    int operator()(const WorkflowsDeleteOptions& options) const {
        return run_workflows_delete(options);
    }
    int operator()(const TestOptions& options) const { return run_test(options); }
    int operator()(const SimulateOptions& options) const { return run_simulate(options); }
    int operator()(const NewWorkflowOptions& options) const { return run_new_workflow(options); }
    int operator()(const NewProcessOptions& options) const { return run_new_process(options); }
    int operator()(const KeysCreateOptions& options) const { return run_keys_create(options); }
    int operator()(const KeysListOptions& options) const { return run_keys_list(options); }
    int operator()(const KeysRevokeOptions& options) const { return run_keys_revoke(options); }
    int operator()(const TenantsOptions& options) const { return run_tenants(options); }
    int operator()(const WebhooksOptions& options) const { return run_webhooks(options); }
    int operator()(const CredentialsOptions& options) const { return run_credentials(options); }
    int operator()(const BenchOptions& options) const { return run_bench(options); }
    int operator()(const BenchChildOptions& options) const { return run_bench_child(options); }
    int operator()(const DoctorOptions& options) const { return run_doctor(options); }
    int operator()(const SchemaOptions& options) const { return run_schema(options); }
    int operator()(const ManOptions& options) const { return run_man(options); }
    int operator()(const CompletionOptions& options) const { return run_completion(options); }
    int operator()(const CompleteOptions& options) const { return run_complete(options); }
    int operator()(const VersionOptions& options) const { return run_version(options); }
};

const Globals& globals_of(const Command& command) {
    return std::visit(
        [](const auto& options) -> const Globals& { return options.globals; }, command
    );
}

int run(const Command& command) {
    const Globals& globals = globals_of(command);
    const bool hush = globals.quiet && globals.log_level == Globals().log_level;
    log::configure(hush ? log::Level::error : globals.log_level, globals.log_format);
    log::use_document_names(globals.document_names);
    try {
        return std::visit(Dispatch{}, command);
    } catch (const pg::PgError& error) {
        return report_pg_error(globals, error);
    } catch (const Failure& failure) {
        return report(globals, failure.error());
    } catch (const std::exception& error) {
        return report(globals, {Errc::internal, error.what(), {}});
    }
}

}  // namespace

}  // namespace pawl::cli

int main(int argc, char** argv) {
    if (pawl::jq::is_child(argc, argv)) pawl::jq::run_child();
    // From here on a list of processes shows the arguments without their secrets.
    std::vector<std::string> words(argv, argv + argc);
    std::vector<char*> copies;
    for (std::string& word : words) copies.push_back(word.data());
    pawl::cli::hide_secrets(argc, argv);
    const auto parsed = pawl::cli::parse_args(argc, copies.data());
    int code = parsed.exit_code;
    if (parsed.command) code = pawl::cli::run(*parsed.command);
    // A full disk or a closed pipe must not look like success.
    if (std::fflush(stdout) != 0 && code == 0) return pawl::cli::exit_error;
    return code;
}
