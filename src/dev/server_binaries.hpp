#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::dev {

// The major version in ".../postgresql/15/bin", for choosing among what Debian has installed.
inline std::optional<int> version_of_bin(const std::filesystem::path& bin) {
    const std::string name = bin.parent_path().filename().string();
    if (name.empty() || name.size() > 4) return std::nullopt;
    int version = 0;
    for (const char c : name.substr(0, name.find('.'))) {
        if (c < '0' || c > '9') return std::nullopt;
        version = version * 10 + (c - '0');
    }
    return version;
}

// The wanted major version if it is there, else the newest; nothing when the list has neither.
inline std::optional<std::filesystem::path> choose_bin(
    const std::vector<std::filesystem::path>& bins, std::optional<int> wanted
) {
    std::optional<std::filesystem::path> best;
    int best_version = -1;
    for (const auto& bin : bins) {
        const auto version = version_of_bin(bin);
        if (!version || (wanted && *version != *wanted)) continue;
        if (*version > best_version) {
            best = bin;
            best_version = *version;
        }
    }
    return best;
}

// The folder with initdb and postgres: PAWL_PG_BIN, else what is installed under
// /usr/lib/postgresql, else where pg_config points, else PATH. `wanted` is the major version that
// made the data, when there is data. Throws Failure that says what to do when there is no server.
std::filesystem::path find_server_binaries(std::optional<int> wanted);

// "postgres (PostgreSQL) 15.8 (Debian ...)" is 15.
inline std::optional<int> major_version(std::string_view text) {
    const auto at = text.find_first_of("0123456789");
    if (at == std::string_view::npos) return std::nullopt;
    int version = 0;
    for (const char c : text.substr(at, 4)) {
        if (c < '0' || c > '9') break;
        version = version * 10 + (c - '0');
    }
    return version;
}

}  // namespace pawl::dev
