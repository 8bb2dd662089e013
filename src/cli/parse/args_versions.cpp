#include "cli/parse/args_parser.hpp"

// The commands about versions of a workflow.
namespace pawl::cli {

namespace {

using Action = VersionsOptions::Action;

void add_moves(App& app, VersionsOptions& options) {
    app.add_option("--from", options.from, "Only runs of these versions [all others]")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("VERSION,...");
    app.add_option("--subject", options.subject, "Only runs about this subject")->type_name("TEXT");
}

void add_map(App& app, VersionsOptions& options) {
    app.add_option("--map", options.map, "A step that has another name; may be repeated")
        ->allow_extra_args(false)
        ->type_name("OLD=NEW");
    app.add_flag("--no-wait", options.no_wait, "Do not wait for the end of the job");
}

void add_version(App& app, VersionsOptions& options, const char* what = "Which") {
    app.add_option("VERSION", options.version, what)->required()->type_name("");
}

}  // namespace

App& Parser::add_versions_command(
    App& versions, Action action, const char* name, const char* what
) {
    auto& app = command(versions, name, what);
    VersionsOptions& options = versions_.emplace_back();
    options.action = action;
    options.by = user_name();
    app.add_option("NAME", options.name, "The workflow")->required()->type_name("");
    choose(app, options);
    return app;
}

void Parser::add_versions() {
    auto& app = command(app_, "versions", "Versions of a workflow: try, move to, go back");
    app.require_subcommand(1);
    add_versions_command(
        app, Action::list, "list", "The versions of a workflow, and who runs on them"
    );
    add_versions_command(app, Action::history, "history", "What was done to them, and when");
    auto& diff = add_versions_command(
        app, Action::diff, "diff", "What lies between two; exit code 1 when they differ"
    );
    add_version(diff, versions_.back(), "The first");
    diff.add_option("OTHER", versions_.back().other, "The second")->required()->type_name("");
    add_version_changes(app);
    add_version_moves(app);
}

void Parser::add_version_changes(App& app) {
    auto& activate =
        add_versions_command(app, Action::activate, "activate", "Let starts use a version");
    add_version(activate, versions_.back());
    auto& canary = add_versions_command(
        app,
        Action::canary,
        "canary",
        "Give versions a share of the starts, beside the one that is active"
    );
    auto* shares =
        canary.add_option("SHARE", versions_.back().shares, "VERSION=PERCENT")->type_name("");
    canary.add_flag("--clear", versions_.back().clear, "None")->excludes(shares);
    auto& retire =
        add_versions_command(app, Action::retire, "retire", "Let nothing start a version any more");
    add_version(retire, versions_.back());
    retire.add_flag("--drain", versions_.back().drain, "Its open runs go to their end with it");
    auto& back =
        add_versions_command(app, Action::unretire, "unretire", "Bring a retired version back");
    add_version(back, versions_.back());
    auto& off = add_versions_command(
        app, Action::switch_off, "off", "Let nothing start the workflow, whatever is applied"
    );
    off.add_option("--reason", versions_.back().reason, "Whoever starts it is told")
        ->required()
        ->type_name("TEXT");
    add_versions_command(app, Action::switch_on, "on", "Let it be started again");
}

void Parser::add_version_moves(App& app) {
    auto& impact = add_versions_command(
        app,
        Action::impact,
        "impact",
        "What a version would mean for every open run; changes nothing"
    );
    impact.add_option("--to", versions_.back().version, "Which version")
        ->required()
        ->type_name("VERSION");
    add_moves(impact, versions_.back());
    add_map(impact, versions_.back());
    auto& migrate = add_versions_command(
        app, Action::migrate, "migrate", "Let open runs go on in another version, as a job"
    );
    VersionsOptions& options = versions_.back();
    migrate.add_option("--to", options.version, "Which version")->required()->type_name("VERSION");
    add_moves(migrate, options);
    add_map(migrate, options);
    migrate.add_flag("--drain", options.drain, "Then retire the versions of --from");
    auto* dry = migrate.add_flag("--dry-run", options.dry_run, "Only say what it would do");
    migrate.add_flag("--yes", options.yes, "Really do it")->excludes(dry);
    migrate.callback([this, &options] {
        if (!options.dry_run && !options.yes) {
            throw WrongUse("say --dry-run to see what would be done, or --yes to do it");
        }
        chosen_ = options;
    });
    auto& rollback = add_versions_command(
        app, Action::rollback, "rollback", "Activate the version before the one there is"
    );
    rollback.add_option("--to", versions_.back().version, "Another one instead")
        ->type_name("VERSION");
    rollback.add_flag("--repin", versions_.back().repin, "Its open runs go back too, as a job");
    add_map(rollback, versions_.back());
}

}  // namespace pawl::cli
