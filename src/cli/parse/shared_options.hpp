#pragma once

#include "cli/parse/command_line.hpp"

#include <string>
#include <vector>

// Options that several commands have: each is called, and explained, the same everywhere.
namespace pawl::cli {

// An argument that must be there: its name is all that stands in the usage line.
void add_argument(App& app, const std::string& name, std::string& given, const std::string& what);
// An option that the environment may give too: --jwt-roles is PAWL_JWT_ROLES there.
Option* add_setting(
    App& app, const char* name, std::string& given, const char* type, const char* what
);

// The workflow, or ID of a run, that a command is about.
void add_workflow_name(App& app, std::string& name);
void add_run_id(App& app, std::string& id);
// What a run's log keeps.
Option* add_run_reason(App& app, std::string& reason);

// Of a list.
void add_workflow_filter(App& app, std::string& workflow);
// --error and --where: what no index of the database has.
void add_run_search(App& app, std::string& error, std::vector<std::string>& where);
void add_limit(App& app, int& limit);

// JSON, @file, or - for stdin (json_option.hpp reads it).
Option* add_json(App& app, const std::string& name, std::string& given, const std::string& what);

// Definitions: files, folders, or - for stdin.
void add_definition_files(App& app, std::vector<std::string>& files);
// The file, or files, that a command cannot do without.
template <class Files>
void add_file(App& app, Files& files, const std::string& what) {
    app.add_option("-f,--file", files, what)->required()->type_name("FILE");
}

// Who acts, unless the command line says so.
std::string user_name();
void add_by(App& app, std::string& by, const std::string& what = "Who says so [$USER]");

// A file with the key of credentials and of the secrets of webhooks.
void add_secret_key(App& app, std::string& file, const std::string& what);

}  // namespace pawl::cli
