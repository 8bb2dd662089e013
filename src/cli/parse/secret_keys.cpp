#include "cli/parse/secret_keys.hpp"

#include "base/hex.hpp"
#include "cli/parse/input.hpp"
#include "dev/files.hpp"

#include <openssl/rand.h>

#include <array>
#include <cstdlib>
#include <filesystem>

namespace pawl::cli {

namespace {

constexpr std::size_t file_bytes_max = 65536;
constexpr const char* dev_file = ".pawl/secret_key";

std::string new_key() {
    std::array<unsigned char, 32> bytes{};
    if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
        throw Failure({Errc::internal, "no random numbers for a secret key", {}});
    }
    return hex_of(bytes);
}

}  // namespace

Vault read_vault(const std::string& file) {
    std::string text;
    if (!file.empty()) {
        text = read_source(file, file_bytes_max).value();
    } else if (const char* given = std::getenv("PAWL_SECRET_KEY")) {
        text = given;
    } else if (const auto kept = dev::read_file(dev_file)) {
        text = *kept;
    }
    auto vault = Vault::from_keys(text);
    if (!vault) throw Failure(vault.error());
    return std::move(*vault);
}

Vault dev_vault(const std::string& data_dir) {
    const std::filesystem::path file = std::filesystem::path(data_dir) / "secret_key";
    std::string text = dev::read_file(file).value_or("");
    if (text.empty()) {
        text = new_key();
        dev::write_private_file(file, text + "\n");
    }
    return Vault::from_keys(text).value();
}

}  // namespace pawl::cli
