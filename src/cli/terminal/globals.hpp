#pragma once

#include "base/log.hpp"

#include <string>

namespace pawl::cli {

enum class OutputFormat { table, json, jsonl, yaml };

// Options every command has.
struct Globals {
    std::string database_url;  // empty: the environment decides
    std::string url;           // of a server; empty: likewise
    std::string api_key;       // for it; empty: likewise
    std::string tenant = "default";
    OutputFormat output = OutputFormat::table;
    bool prepare = true;
    log::Format log_format = log::Format::human;
    log::Level log_level = log::Level::info;
    bool document_names = false;  // of fields of the log
    bool no_color = false;
    bool quiet = false;

    bool machine() const { return output != OutputFormat::table; }
};

// What the shell sees. Everything else follows from Errc (base/error.hpp).
enum ExitCode : int {
    exit_ok = 0,
    exit_error = 1,
    exit_usage = 2,
    exit_declined = 3,
    exit_auth = 4,
    exit_run_failed = 5,
    exit_not_found = 6,
    exit_timeout = 7,
    exit_conflict = 8,
    exit_interrupted = 130,
};

}  // namespace pawl::cli
