#pragma once

#include "base/error.hpp"
#include "base/json.hpp"

#include <string>

namespace pawl::cli {

// A YAML or JSON file, or stdin for "-", that holds an object. The error names the file.
Result<json::object> read_object_file(const std::string& file);

}  // namespace pawl::cli
