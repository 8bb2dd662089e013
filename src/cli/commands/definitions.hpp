#pragma once

#include "base/error.hpp"
#include "cli/parse/command_line.hpp"
#include "cli/terminal/globals.hpp"
#include "model/definition.hpp"

#include <string>
#include <vector>

namespace pawl::cli {

struct DefinitionFile {
    std::string file;
    Definition definition;
    boost::json::value layout;  // where an editor draws the nodes; null: not said
};

// The files that a source stands for: itself, or the definitions in a folder (*.yaml, *.yml,
// *.json, but not *.test.*, which hold test cases).
Result<std::vector<std::string>> definition_files(const std::string& source);

// The folders below a folder; without hidden ones and links.
std::vector<std::string> folders_below(const std::string& folder);
// The definitions in a folder and below it.
Result<std::vector<std::string>> definition_files_below(const std::string& folder);

// Reads and checks definitions from files, folders (*.yaml, *.yml, *.json in them) and stdin (-).
// One that is wrong fails all of them: "hello.yaml: line 4, steps[1].retry.attempts: must be ...".
Result<std::vector<DefinitionFile>> read_definitions(const std::vector<std::string>& sources);
// The same, and an error when there is none.
Result<std::vector<DefinitionFile>> read_some_definitions(const std::vector<std::string>& sources);
Error no_definitions();

// The options of a command that takes definitions and nothing else.
struct DefinitionsOptions {
    Globals globals;
    std::vector<std::string> files;
};
void add_definitions(App& app, DefinitionsOptions& options);

}  // namespace pawl::cli
