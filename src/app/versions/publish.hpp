#pragma once

#include "app/versions/version_uses.hpp"

namespace pawl::app {

// What is wrong with a definition that can be read: programs that do not compile; connectors,
// actions, templates and tables that the tenant does not have; a call of a version that cannot be
// started. As the reader of definitions would tell it.
asio::awaitable<std::vector<Error>> check_definition(
    VersionUses& uses, store::TenantId tenant, Definition definition
);

// Makes it the version that starts use, or keeps it as a draft that nothing starts.
asio::awaitable<Result<store::Applied>> publish(
    VersionUses& uses, Caller caller, Definition definition, bool draft
);

// For what the reader of definitions said ("line 4, steps[1].retry: must be ..."), with the place.
Error wrong_definition(const std::string& message);
// For all that check_definition said, at least one: the message is the first of them.
Error wrong_definition(const std::vector<Error>& all);

}  // namespace pawl::app
