#pragma once

#include "cli/parse/globals.hpp"

#include <string>
#include <vector>

// Commands for editors, shells and manuals.
namespace pawl::cli {

struct SchemaOptions {
    Globals globals;
};

struct ManOptions {
    Globals globals;
};

struct CompletionOptions {
    Globals globals;
    std::string shell;
};

struct CompleteOptions {
    Globals globals;
    std::vector<std::string> words;  // behind `pawl`; the last one is not complete
};

}  // namespace pawl::cli
