#pragma once

#include <string>
#include <vector>

namespace pawl::cli {

// What `pawl new workflow` can begin with: the files of src/cli/templates.
std::vector<std::string> workflow_templates();
// The text of one, with the name in its place.
std::string workflow_text(const std::string& kind, const std::string& name);

}  // namespace pawl::cli
