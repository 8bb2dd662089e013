#pragma once

#include "cli/door/door.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/globals.hpp"

#include <string>
#include <vector>

namespace pawl::cli {

struct VersionsOptions {
    enum class Action {
        list,
        history,
        diff,
        activate,
        canary,
        retire,
        unretire,
        switch_off,
        switch_on,
        impact,
        migrate,
        rollback
    };
    Globals globals;
    Action action = Action::list;
    std::string name;
    std::string version;  // a number or a label
    std::string other;
    std::vector<std::string> from;
    std::vector<std::string> map;     // OLD=NEW
    std::vector<std::string> exit;    // steps whose runs end
    std::vector<std::string> shares;  // VERSION=PERCENT
    std::string subject;
    std::string reason;
    std::string by;
    bool clear = false;
    bool drain = false;
    bool repin = false;
    bool dry_run = false;
    bool yes = false;
    bool no_wait = false;
};

// What the commands about versions work with.
struct VersionsDesk {
    Door& door;
    const VersionsOptions& options;

    // About the workflow: workflows/NAME and what follows.
    Ask ask(std::string method, std::vector<std::string> rest) const;
    // What the call was refused for, as the command says it; returns the exit code.
    int refused(Error error) const;
};

// Makes the call, then shows the versions as they are now. The desk outlives this and all below.
asio::awaitable<int> call_and_list(VersionsDesk& desk, Ask ask);

asio::awaitable<int> list_versions(VersionsDesk& desk);
asio::awaitable<int> list_history(VersionsDesk& desk);
asio::awaitable<int> diff_versions(VersionsDesk& desk);
asio::awaitable<int> change_versions(VersionsDesk& desk);
asio::awaitable<int> migrate_versions(VersionsDesk& desk);
asio::awaitable<int> rollback_version(VersionsDesk& desk);

// What each of the commands begins with: the workflow, and what is done to it.
template <VersionsOptions::Action action>
void add_versions(App& app, VersionsOptions& options) {
    options.action = action;
    options.by = user_name();
    add_workflow_name(app, options.name);
}
void add_version(App& app, std::string& version, const char* what = "Which");
int run_versions(const VersionsOptions& options);

}  // namespace pawl::cli
