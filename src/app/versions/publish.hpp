#pragma once

#include "app/versions/version_uses.hpp"

namespace pawl::app {

// What is wrong with a definition that can be read: a program that does not compile, or a call of
// a version that cannot be started. As the reader of definitions would tell it.
asio::awaitable<std::optional<Error>> check_definition(
    VersionUses& uses, store::TenantId tenant, Definition definition
);

// Makes it the version that starts use, or keeps it as a draft that nothing starts.
asio::awaitable<Result<store::Applied>> publish(
    VersionUses& uses, Caller caller, Definition definition, bool draft
);

// For what the reader of definitions said ("line 4, steps[1].retry: must be ..."), with the place.
Error wrong_definition(const std::string& message);

}  // namespace pawl::app
