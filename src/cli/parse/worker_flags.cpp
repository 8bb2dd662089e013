#include "cli/parse/worker_flags.hpp"

#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"

namespace pawl::cli {

namespace {

void add_target_flags(App& app, WorkerFlags& flags) {
    add_number(
        app,
        "--outbox-workers",
        flags.outbox_workers,
        1,
        64,
        "Loops that take messages for webhooks [2]"
    );
    app.add_option(
           "--target-limit",
           flags.target_limits,
           "How much steps of a thread may call one origin, or each [any]"
    )
        ->type_name("[ORIGIN=]N|R/s|N,R/s")
        ->delimiter(';')
        ->envname("PAWL_TARGET_LIMIT");
}

// What steps reach the world by.
void add_step_flags(App& app, WorkerFlags& flags) {
    add_setting(
        app,
        "--functions-url",
        flags.functions_url,
        "URL",
        "Where 'function' steps are called; the key comes from PAWL_FUNCTIONS_KEY"
    );
    add_setting(
        app,
        "--functions",
        flags.functions_file,
        "FILE",
        "Functions hosts by name and by tenant (YAML)"
    );
    add_setting(
        app,
        "--messages",
        flags.messages_file,
        "FILE",
        "Providers of emails and text messages (YAML)"
    );
    add_setting(
        app,
        "--model",
        flags.model_file,
        "FILE",
        "Serve csr, bdr, sdr and va too, with the model that this file describes (YAML)"
    );
    auto* url = add_setting(
        app,
        "--sql-url",
        flags.sql_url,
        "URL",
        "The login of 'sql' steps; {tenant} stands for the tenant; without it they fail"
    );
    app.add_flag(
           "--unsafe-sql-as-engine",
           flags.sql_as_engine,
           "Run 'sql' steps as the engine: they can read and change everything"
    )
        ->envname("PAWL_UNSAFE_SQL_AS_ENGINE")
        ->excludes(url);
    add_setting(app, "--sql-role", flags.sql_role, "ROLE", "The role that 'sql' steps run as");
}

}  // namespace

void add_worker_flags(App& app, WorkerFlags& flags) {
    add_number(app, "--threads", flags.threads, 1, 64, "Worker threads [1]");
    add_number(app, "--runs-max", flags.runs_max, 1, 1'000'000, "Runs held at a time [2000]");
    add_number(
        app, "--runs-mib", flags.runs_mib, 1, 65'536, "MiB that their data may take together [16]"
    );
    add_step_flags(app, flags);
    add_parsed(
        app,
        "--drain-timeout",
        flags.drain_timeout,
        parse_duration,
        "How long a stop may wait for steps under way"
    )
        ->type_name("TIME")
        ->default_str("8s");
    app.add_option(
           "--link-secret",
           flags.link_secret_file,
           "A file with the secret that signs links and callbacks (or: PAWL_LINK_SECRET)"
    )
        ->type_name("FILE")
        ->envname("PAWL_LINK_SECRET_FILE");
    add_secret_key(
        app,
        flags.secret_key_file,
        "A file with the keys that credentials are encrypted with (or: PAWL_SECRET_KEY)"
    );
    add_trace_flags(app, flags.traces);
    add_door_flags(app, flags.door);
    add_setting(app, "--public-url", flags.public_url, "URL", "How people and steps reach the API");
    add_parsed(
        app,
        "--event-retention",
        flags.event_retention,
        parse_duration,
        "How long events are kept for runs that wait for them later"
    )
        ->type_name("TIME")
        ->default_str("7d");
    const char* retention = "Drop weeks of closed runs older than this (90d); default: keep all";
    add_parsed(app, "--retention", flags.retention, some_duration, retention)
        ->type_name("TIME")
        ->envname("PAWL_RETENTION");
    const char* audit =
        "Delete entries of the audit list after this time (400d); default: keep all";
    add_parsed(app, "--audit-retention", flags.audit_retention, some_duration, audit)
        ->type_name("TIME")
        ->envname("PAWL_AUDIT_RETENTION");
    add_outbound_flag(
        app,
        flags.allow_outbound,
        "Where steps may call beside the public internet; may be repeated [nowhere]"
    );
    add_target_flags(app, flags);
}

void add_outbound_flag(App& app, std::vector<std::string>& allow, const char* what) {
    app.add_option("--allow-outbound", allow, what)
        ->type_name("ADDRESS|CIDR|HOST[:PORT]|any")
        ->delimiter(',')
        ->envname("PAWL_ALLOW_OUTBOUND");
}

}  // namespace pawl::cli
