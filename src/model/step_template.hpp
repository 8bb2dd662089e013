#pragma once

#include "model/definition.hpp"
#include "model/template.hpp"

#include <string>
#include <vector>

namespace pawl {

// Renders the templates of a config. Data in the url of a http or function step stays the piece of
// it that it stands for (model/url_template.hpp). Programs (programs_of) stay as they are written.
Result<boost::json::object> render_step(
    NodeType type, const boost::json::object& written, const PathLookup& lookup
);

// The statements and jq programs in a config, which data is never pasted into; and a config without
// what they say: braces in them are no templates.
std::vector<std::string> programs_of(NodeType type, const boost::json::object& config);
boost::json::value without_programs(NodeType type, const boost::json::object& config);

}  // namespace pawl
