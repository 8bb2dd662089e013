#pragma once

#include <string_view>

namespace pawl::pg {

// A named statement (sql/queries/*.sql). The name labels errors and metrics and is the prepared
// statement's name.
struct Query {
    std::string_view name;
    const char* text;
    int param_count;
};

}  // namespace pawl::pg
