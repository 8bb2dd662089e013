#include "cli/dev_env.hpp"

#include "base/error.hpp"
#include "dev/files.hpp"

#include <fmt/core.h>
#include <openssl/rand.h>

#include <array>

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
            "DATABASE_URL={}\nPAWL_URL={}\nPAWL_API_KEY={}\n",
            dev_env_path(data_dir).string(),
            env.database_url,
            env.url,
            env.api_key
        )
    );
}

void remove_dev_env(const fs::path& data_dir) {
    std::error_code ignored;
    fs::remove(dev_env_path(data_dir), ignored);
}

std::string api_key(const fs::path& data_dir) {
    const fs::path path = data_dir / "api_key";
    if (const auto kept = dev::read_file(path); kept && kept->starts_with("pawl_")) {
        return kept->substr(0, kept->find_first_of("\r\n "));
    }
    std::array<unsigned char, 32> bytes{};
    if (RAND_bytes(bytes.data(), bytes.size()) != 1) {
        throw Failure({Errc::internal, "OpenSSL gave no random bytes", {}});
    }
    std::string key = "pawl_";
    for (const unsigned char byte : bytes) key += fmt::format("{:02x}", byte);
    dev::write_private_file(path, key + "\n");
    return key;
}

}  // namespace pawl::cli
