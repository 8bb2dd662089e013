#pragma once

#include "app/versions/version_uses.hpp"

#include <optional>
#include <string>

namespace pawl::app {

inline constexpr std::size_t cases_max = 500;  // of one text

struct TestsParams {
    std::string workflow;
    std::string version;                   // a number or a label; empty: the head
    std::optional<Definition> definition;  // instead of both
    std::optional<std::string> text;       // the cases; none: those that are kept
    std::string only;                      // cases with this in their name; empty: all
};

// What came of the cases, and what of the definition they reach.
struct TestedWorkflow {
    std::string workflow;
    std::optional<std::int32_t> version;  // none: a definition that was given
    std::size_t passed = 0;
    std::size_t failed = 0;
    json::array tests;
    json::object coverage;
};

// Runs the test cases of a workflow in virtual time, on a thread of their own. Nothing is sent or
// called. An error when the cases cannot be read.
asio::awaitable<Result<TestedWorkflow>> run_tests(
    VersionUses& uses, store::TenantId tenant, TestsParams params
);

// Keeps them when they fit the head. None: there are others now than the writer saw.
asio::awaitable<Result<std::optional<store::WorkflowDraft>>> keep_tests(
    VersionUses& uses, store::TenantId tenant, store::NewDraft tests
);

json::object to_json(TestedWorkflow tested);

}  // namespace pawl::app
