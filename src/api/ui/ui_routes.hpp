#pragma once

#include "api/http/router.hpp"
#include "api/ui/ui_pack.hpp"

#include <string>
#include <string_view>

namespace pawl::api {

// The web UI: its files under their names, and its page at / and at every address that is none of
// the API's. Without files, a page there says how to get them. `base_path` is the part of the
// address that a proxy puts before all of ours: "" or "/pawl". The bytes of the files outlive the
// router.
void add_ui_routes(Router& router, std::vector<UiFile> files, const std::string& base_path);

}  // namespace pawl::api
