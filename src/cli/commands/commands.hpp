#pragma once

#include "cli/parse/options.hpp"

namespace pawl::cli {

// Each command is a file of its own. They return the exit code, and throw Failure for main to
// report.
int run_migrate(const MigrateOptions& options);
int run_worker(const WorkerOptions& options);
int run_serve(const ServeOptions& options);
int run_dev(const DevOptions& options);
int run_run(const RunOptions& options);
int run_runs_list(const RunsListOptions& options);
int run_runs_show(const RunsShowOptions& options);
int run_runs_again(const RunsAgainOptions& options);
int run_runs_why(const RunsWhyOptions& options);
int run_runs_watch(const RunsWatchOptions& options);
int run_dead_letters(const DeadLettersOptions& options);
int run_schedules(const SchedulesOptions& options);
int run_jobs(const JobsOptions& options);
int run_limits(const LimitsOptions& options);
int run_versions(const VersionsOptions& options);
int run_runs_cancel(const RunsCancelOptions& options);
int run_runs_signal(const RunsSignalOptions& options);
int run_runs_skip(const RunsSkipOptions& options);
int run_runs_settle(const RunsSettleOptions& options);
int run_runs_bulk(const RunsBulkOptions& options);
int run_events_send(const EventsSendOptions& options);
int run_events_list(const EventsListOptions& options);
int run_tasks_list(const TasksListOptions& options);
int run_tasks_show(const TasksShowOptions& options);
int run_tasks_act(const TasksActOptions& options);
int run_workflows_apply(const WorkflowsApplyOptions& options);
int run_workflows_list(const WorkflowsListOptions& options);
int run_workflows_show(const WorkflowsShowOptions& options);
int run_workflows_validate(const WorkflowsValidateOptions& options);
int run_workflows_delete(const WorkflowsDeleteOptions& options);
int run_workflows_diff(const WorkflowsDiffOptions& options);
int run_test(const TestOptions& options);
int run_simulate(const SimulateOptions& options);
int run_new_workflow(const NewWorkflowOptions& options);
int run_new_process(const NewProcessOptions& options);
int run_keys_create(const KeysCreateOptions& options);
int run_keys_list(const KeysListOptions& options);
int run_keys_revoke(const KeysRevokeOptions& options);
int run_tenants(const TenantsOptions& options);
int run_credentials(const CredentialsOptions& options);
int run_webhooks(const WebhooksOptions& options);
int run_bench(const BenchOptions& options);
int run_bench_child(const BenchChildOptions& options);
int run_doctor(const DoctorOptions& options);
int run_schema(const SchemaOptions& options);
int run_man(const ManOptions& options);
int run_completion(const CompletionOptions& options);
int run_complete(const CompleteOptions& options);
int run_version(const VersionOptions& options);

}  // namespace pawl::cli
