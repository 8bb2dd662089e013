#pragma once

#include "cli/door/door.hpp"
#include "cli/parse/options.hpp"

namespace pawl::cli {

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

}  // namespace pawl::cli
