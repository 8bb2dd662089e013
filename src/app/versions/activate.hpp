#pragma once

#include "app/versions/version_uses.hpp"

namespace pawl::app {

// What decides which version starts use. Each answers with the head, or the version, as it is then.

// Makes this version the head; empty: switches the head on again.
asio::awaitable<Result<store::WorkflowVersion>> activate(
    VersionUses& uses, Caller caller, std::string name, std::string version
);
asio::awaitable<Result<store::WorkflowVersion>> deactivate(
    VersionUses& uses, Caller caller, std::string name
);

// Which versions get starts beside the head.
struct WrittenShare {
    std::string version;  // a number or a label
    double percent = 0;
};
asio::awaitable<Result<store::WorkflowVersion>> set_canary(
    VersionUses& uses, Caller caller, std::string name, std::vector<WrittenShare> shares
);

// With a reason: nothing starts until it is switched on again, and callers get the reason.
asio::awaitable<Result<store::WorkflowVersion>> switch_workflow(
    VersionUses& uses, Caller caller, std::string name, std::optional<std::string> reason
);

struct RetireParams {
    std::string workflow;
    std::string version;  // a number or a label
    bool retired = true;  // false: brings it back
    bool drain = false;   // its open runs may go to their end with it
};
asio::awaitable<Result<store::WorkflowVersion>> retire_version(
    VersionUses& uses, Caller caller, RetireParams params
);

}  // namespace pawl::app
