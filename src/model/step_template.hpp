#pragma once

#include "model/definition.hpp"
#include "model/template.hpp"

namespace pawl {

// Renders the templates of a config. Data in the url of a http or function step stays the piece of
// it that it stands for (model/url_template.hpp).
Result<boost::json::object> render_step(
    NodeType type, const boost::json::object& written, const PathLookup& lookup
);

}  // namespace pawl
