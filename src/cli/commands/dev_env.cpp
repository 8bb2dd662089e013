#include "cli/commands/dev_env.hpp"

#include "app/tenants/auth_key.hpp"
#include "base/seal.hpp"
#include "dev/files.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace fs = std::filesystem;

fs::path dev_env_path(const fs::path& data_dir) {
    return data_dir / "dev.env";
}

void write_dev_env(const fs::path& data_dir, const DevEnv& env) {
    dev::write_private_file(
        dev_env_path(data_dir),
        fmt::format(
            "# Written by `pawl dev` once it is ready. In a shell: set -a; . {}; set +a\n"
            "DATABASE_URL={}\nPAWL_URL={}\nPAWL_API_KEY={}\nPAWL_SECRET_KEY_FILE={}\n",
            dev_env_path(data_dir).string(),
            env.database_url,
            env.url,
            env.api_key,
            fs::absolute(data_dir / "secret_key").string()
        )
    );
}

void remove_dev_env(const fs::path& data_dir) {
    std::error_code ignored;
    fs::remove(dev_env_path(data_dir), ignored);
}

std::string api_key(const fs::path& data_dir) {
    if (const auto kept = dev::read_file(data_dir / "api_key")) {
        std::string key = kept->substr(0, kept->find_first_of("\r\n "));
        if (app::looks_like_api_key(key)) return key;
    }
    return new_api_key(data_dir);
}

std::string link_secret(const fs::path& data_dir) {
    const fs::path file = data_dir / "link_secret";
    if (const auto kept = dev::read_file(file)) {
        std::string secret = kept->substr(0, kept->find_first_of("\r\n "));
        if (Seal(secret).usable()) return secret;
    }
    // As hard to guess as a key.
    std::string secret = app::make_api_key().text;
    dev::write_private_file(file, secret + "\n");
    return secret;
}

std::string new_api_key(const fs::path& data_dir) {
    std::string key = app::make_api_key().text;
    dev::write_private_file(data_dir / "api_key", key + "\n");
    return key;
}

}  // namespace pawl::cli
