#pragma once

#include <string_view>

namespace pawl::api {

// The packed web UI that this program carries (scripts/pack_ui.mjs); empty when it was built
// without.
std::string_view ui_bytes();

}  // namespace pawl::api
