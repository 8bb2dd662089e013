#pragma once

#include "cli/parse/args.hpp"
#include "cli/parse/command_line.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace pawl::cli {

class Parser {
public:
    Parser();
    Parsed parse(int argc, char** argv);
    std::vector<std::string> names() const { return line_.commands(); }
    std::vector<CommandPage> pages() const { return line_.pages(); }

private:
    void add_globals();
    void add_dev();
    void add_worker();
    void add_serve();
    void add_doctor();
    void add_migrate();
    void add_run();
    void add_runs();
    void add_run_signals(App& runs);
    void add_runs_bulk(App& runs);
    void add_events();
    void add_tasks();
    void add_dead_letters();
    void add_schedules();
    void add_limits();
    void add_jobs();
    void add_versions();
    void add_version_changes(App& versions);
    void add_version_moves(App& versions);
    App& add_versions_command(
        App& versions, VersionsOptions::Action action, const char* name, const char* what
    );
    void add_workflows();
    void add_workflows_show(App& workflows);
    void add_test();
    void add_simulate();
    void add_new();
    void add_keys();
    void add_tenants();
    void add_credentials();
    void add_webhooks();
    void add_bench();
    void add_shell();

    App& command(App& parent, const char* name, const char* what) {
        return parent.add_subcommand(name, what);
    }
    // A command that does something, as opposed to one that only groups others.
    template <class Options>
    void choose(App& app, const Options& options) {
        app.callback([this, &options] { chosen_.emplace(std::in_place_type<Options>, options); });
    }

    CommandLine line_;
    App& app_ = line_.app();
    Globals globals_;
    DevOptions dev_;
    WorkerOptions worker_;
    ServeOptions serve_;
    MigrateOptions migrate_up_, migrate_status_, migrate_sql_;
    RunOptions run_;
    RunsListOptions runs_list_;
    RunsShowOptions runs_show_;
    RunsAgainOptions runs_retry_, runs_rerun_;
    RunsWhyOptions runs_why_;
    RunsWatchOptions runs_watch_;
    DeadLettersOptions dead_list_, dead_replay_;
    SchedulesOptions schedules_list_, schedules_show_, schedules_pause_, schedules_resume_,
        schedules_trigger_, schedules_backfill_;
    JobsOptions jobs_list_, jobs_show_, jobs_watch_, jobs_cancel_;
    LimitsOptions limits_list_, limits_set_, limits_clear_;
    std::deque<VersionsOptions> versions_;  // one for each of its commands
    RunsCancelOptions runs_cancel_;
    RunsSignalOptions runs_signal_, runs_pause_, runs_resume_;
    RunsSkipOptions runs_skip_;
    RunsSettleOptions runs_settle_;
    RunsBulkOptions runs_bulk_;
    EventsSendOptions events_send_;
    EventsListOptions events_list_;
    TasksListOptions tasks_list_;
    TasksShowOptions tasks_show_;
    TasksActOptions tasks_claim_, tasks_unclaim_, tasks_approve_, tasks_reject_, tasks_delegate_;
    WorkflowsApplyOptions workflows_apply_;
    WorkflowsListOptions workflows_list_;
    WorkflowsShowOptions workflows_show_;
    WorkflowsValidateOptions workflows_validate_;
    WorkflowsDiffOptions workflows_diff_;
    WorkflowsDeleteOptions workflows_delete_;
    TestOptions test_;
    SimulateOptions simulate_;
    NewWorkflowOptions new_workflow_;
    NewProcessOptions new_process_;
    KeysCreateOptions keys_create_;
    KeysListOptions keys_list_;
    KeysRevokeOptions keys_revoke_;
    TenantsOptions tenants_create_, tenants_list_, tenants_show_, tenants_limit_;
    CredentialsOptions credentials_set_, credentials_list_, credentials_delete_,
        credentials_rotate_;
    WebhooksOptions webhooks_create_, webhooks_list_, webhooks_show_, webhooks_delete_,
        webhooks_test_, webhooks_deliveries_, webhooks_redeliver_, webhooks_rotate_,
        webhooks_enable_;
    BenchOptions bench_;
    BenchChildOptions bench_child_;
    DoctorOptions doctor_;
    VersionOptions version_;
    SchemaOptions schema_;
    ManOptions man_;
    CompletionOptions completion_;
    CompleteOptions complete_;
    std::optional<Command> chosen_;
};

}  // namespace pawl::cli
