#pragma once

#include "cli/parse/globals.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pawl::cli {

struct WorkflowsApplyOptions {
    Globals globals;
    std::vector<std::string> files;  // - is stdin; a folder stands for the definitions in it
    bool draft = false;
};

struct WorkflowsListOptions {
    Globals globals;
};

struct WorkflowsDeleteOptions {
    Globals globals;
    std::string name;
    bool force = false;        // open runs go to their end
    bool cancel_runs = false;  // or are cancelled
    bool no_wait = false;
};

struct WorkflowsShowOptions {
    enum class Format { text, mermaid, svg };
    Globals globals;
    std::string name;  // empty: `file` is shown
    std::string file;
    bool graph = false;
    Format format = Format::text;
};

struct WorkflowsValidateOptions {
    Globals globals;
    std::vector<std::string> files;
};

struct WorkflowsDiffOptions {
    Globals globals;
    std::vector<std::string> files;
};

struct TestOptions {
    Globals globals;
    std::vector<std::string> files;
    std::string only;  // part of a name; empty: all cases
    bool trace = false;
};

struct SimulateOptions {
    Globals globals;
    std::string file;
    std::size_t subjects = 0;
    std::string inputs;  // one run for each line instead
    std::string mocks;   // empty: the tests beside the definition, if there are any
    std::uint64_t seed = 1;
    bool graph = false;
};

struct NewWorkflowOptions {
    Globals globals;
    std::string name;
    std::string kind = "steps";  // the template
    std::string dir = ".";
};

}  // namespace pawl::cli
