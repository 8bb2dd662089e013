#pragma once

#include "base/error.hpp"
#include "steps/function_hosts.hpp"

#include <map>
#include <string>
#include <string_view>

namespace pawl::cli {

// Functions hosts as written, tenants by name.
struct FunctionsFile {
    steps::FunctionHosts all;
    std::map<std::string, steps::FunctionHosts> tenants;
};

// Reads YAML or JSON:
//
//     url: https://example.com/functions/v1     # the usual host
//     key_env: FUNCTIONS_KEY                    # its key is in this variable; or key: ...
//     hosts:
//       crm: {url: https://crm.example.com, key_env: CRM_KEY}
//     tenants:
//       acme: {url: https://acme.example.com/functions}
Result<FunctionsFile> parse_functions(std::string_view text);

}  // namespace pawl::cli
