#pragma once

#include "base/clock.hpp"
#include "cli/parse/api_flags.hpp"
#include "cli/parse/door_flags.hpp"
#include "cli/parse/globals.hpp"
#include "cli/parse/listen_address.hpp"
#include "cli/parse/operate_options.hpp"
#include "cli/parse/shell_options.hpp"
#include "cli/parse/versions_options.hpp"
#include "cli/parse/webhook_options.hpp"
#include "cli/parse/worker_flags.hpp"
#include "cli/parse/workflow_options.hpp"
#include "store/repos/bulk.hpp"
#include "store/repos/human_tasks.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// What each command was asked to do: plain values, checked as far as that goes without a database.
namespace pawl::cli {

struct MigrateOptions {
    enum class Action { up, status, sql };
    Globals globals;
    Action action = Action::status;
};

struct WorkerOptions {
    Globals globals;
    ListenAddress listen{"127.0.0.1", 8080};
    bool serve_http = false;  // only when --listen was given
    WorkerFlags worker;
};

struct ServeOptions {
    Globals globals;
    ListenAddress listen{"127.0.0.1", 8080};
    WorkerFlags worker;
    ApiFlags api;
    std::string tls_cert;
    std::string tls_key;
    bool no_worker = false;
    bool no_api = false;
};

struct DevOptions {
    Globals globals;
    std::string data_dir = ".pawl";
    ListenAddress listen{"127.0.0.1", 8080};
    std::string workflows;  // empty: ./workflows when there is one
    std::string watch;      // a folder whose definitions are published as they change
    std::string functions_url;
    std::vector<std::string> allow_outbound;
    std::vector<std::string> cors_origins;
    DoorFlags door;
    bool ephemeral = false;
};

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

struct RunsListOptions {
    Globals globals;
    std::string workflow;
    std::string status;
    std::string subject;
    int limit = 50;
    std::string before;
};

struct RunsAgainOptions {
    Globals globals;
    bool rerun = false;  // else retry
    std::string id;
    std::string from;  // of a rerun: the step to begin with; empty: the first
    std::string data;  // of a rerun: JSON, @file, or - for stdin; empty: what it had
    bool yes = false;  // of a rerun: also in a version that is retired
};

struct RunsWhyOptions {
    Globals globals;
    std::string id;
};
struct RunsShowOptions {
    Globals globals;
    std::string id;
};

struct RunsWatchOptions {
    Globals globals;
    std::string id;
};

struct RunsCancelOptions {
    Globals globals;
    std::string id;
    std::string reason;
    bool force = false;
};

struct RunsSignalOptions {
    Globals globals;
    std::string kind;  // signal, pause, resume
    std::string id;
    std::string name;    // of a signal
    std::string data;    // JSON, @file, or - for stdin; empty: none
    std::string reason;  // of a pause
    bool early = false;  // a signal that the run does not wait for yet
};

struct RunsSkipOptions {
    Globals globals;
    std::string id;
    std::string node;
    std::string by;
    std::string reason;
    std::string value;  // JSON, @file, or - for stdin; empty: none
};

struct RunsSettleOptions {
    Globals globals;
    std::string id;
    std::string node;
    std::string as;
    std::string by;
    std::string reason;
    std::string data;  // JSON, @file, or - for stdin; empty: none
};

struct RunsBulkOptions {
    Globals globals;
    store::BulkAction action;
    std::string workflow;
    std::vector<std::string> status;
    std::string subject;
    std::string correlation;
    std::string created_after;
    std::string created_before;
    std::string data;   // of a signal: JSON, @file, or - for stdin; empty: none
    std::string value;  // of a skip, likewise
    bool all = false;
    bool dry_run = false;
    bool yes = false;
    bool no_wait = false;
};

struct EventsSendOptions {
    Globals globals;
    std::string name;
    std::string key;
    std::string subject;
    std::string data;  // JSON, @file, or - for stdin; empty: none
    std::string id;    // empty: a new one
};

struct EventsListOptions {
    Globals globals;
    std::string name;
    std::string key;
    int limit = 50;
};

struct TasksListOptions {
    Globals globals;
    std::string state = "open";  // or any
    std::string assignee;
    std::string group;
    std::string workflow;
    std::string run;
    int limit = 50;
};

struct TasksShowOptions {
    Globals globals;
    std::string id;
};

struct TasksActOptions {
    Globals globals;
    store::TaskActionKind kind = store::TaskActionKind::approve;
    std::string id;
    std::string by;
    std::string reason;
    std::string data;  // of an approval: as edited
    std::string to;    // of a delegation
};

struct NewProcessOptions {
    Globals globals;
    std::string name;
    std::string schema = "app";
    std::string channel = "email";  // or sms: what its attempts are
    std::string dir = ".";
};

struct KeysCreateOptions {
    Globals globals;
    std::string name;
    std::vector<std::string> scopes;
    std::optional<Duration> expires;
};

struct KeysListOptions {
    Globals globals;
};

struct KeysRevokeOptions {
    Globals globals;
    std::string prefix;
};

struct TenantsOptions {
    enum class Action { create, list, show, limit };
    Globals globals;
    Action action = Action::list;
    std::string name;
    // 0: no limit.
    std::int32_t open_runs = 0;
    std::int32_t starts_per_second = 0;
    std::int32_t payload_bytes = 0;
};

struct CredentialsOptions {
    enum class Action { set, list, remove, rotate };
    Globals globals;
    Action action = Action::list;
    std::string name;
    std::string file;  // with the secret; empty: stdin
    std::string key_file;
};

struct BenchOptions {
    Globals globals;
    std::vector<std::string> workloads;  // empty: all
    bool json = false;
    bool yes = false;  // fills the database that --database-url names
    int seconds = 6;
    long parked_runs = 1'000'000;
    long migrate_runs = 100'000;
    long history_events = 10'000'000;
};

struct BenchChildOptions {
    Globals globals;
    bool hang = false;
};

struct DoctorOptions {
    Globals globals;
    Duration patience = std::chrono::minutes(5);
    std::vector<std::string> skip;
    bool strict = false;  // warnings count as errors
    bool repair = false;
};

struct VersionOptions {
    Globals globals;
};

using Command = std::variant<
    MigrateOptions,
    WorkerOptions,
    ServeOptions,
    DevOptions,
    RunOptions,
    RunsListOptions,
    RunsShowOptions,
    RunsAgainOptions,
    RunsWhyOptions,
    RunsWatchOptions,
    RunsCancelOptions,
    RunsSignalOptions,
    RunsSkipOptions,
    RunsSettleOptions,
    RunsBulkOptions,
    EventsSendOptions,
    EventsListOptions,
    TasksListOptions,
    TasksShowOptions,
    TasksActOptions,
    DeadLettersOptions,
    SchedulesOptions,
    LimitsOptions,
    JobsOptions,
    VersionsOptions,
    WorkflowsApplyOptions,
    WorkflowsListOptions,
    WorkflowsShowOptions,
    WorkflowsValidateOptions,
    WorkflowsDiffOptions,
    WorkflowsDeleteOptions,
    TestOptions,
    SimulateOptions,
    NewWorkflowOptions,
    NewProcessOptions,
    KeysCreateOptions,
    KeysListOptions,
    KeysRevokeOptions,
    TenantsOptions,
    CredentialsOptions,
    WebhooksOptions,
    BenchOptions,
    BenchChildOptions,
    DoctorOptions,
    SchemaOptions,
    ManOptions,
    CompletionOptions,
    CompleteOptions,
    VersionOptions>;

}  // namespace pawl::cli
