#pragma once

#include "base/vault.hpp"

#include <string>

namespace pawl::cli {

// The keys that credentials are encrypted with: of the file, else of PAWL_SECRET_KEY, else those
// that a `pawl dev` in this folder has made. Without any, a vault that cannot be used. Throws
// Failure when they cannot be read.
Vault read_vault(const std::string& file);

// The key of a `pawl dev`, made when there is none yet.
Vault dev_vault(const std::string& data_dir);

}  // namespace pawl::cli
