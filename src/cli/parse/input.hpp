#pragma once

#include "base/error.hpp"
#include "base/ids.hpp"

#include <cstddef>
#include <string>

namespace pawl::cli {

// All of a file, or of stdin for "-". More than `bytes_max` is refused without reading on.
Result<std::string> read_source(const std::string& source, std::size_t bytes_max);

// What --data stands for: the text itself, @file, or - for stdin.
Result<std::string> read_data(const std::string& data, std::size_t bytes_max);

Result<RunId> read_run_id(const std::string& text);

// Free text for the database: UTF-8 and not longer than `length_max` characters.
Result<void> check_text(const std::string& option, const std::string& text, std::size_t length_max);

}  // namespace pawl::cli
