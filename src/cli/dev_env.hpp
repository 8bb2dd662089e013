#pragma once

#include <filesystem>
#include <string>

namespace pawl::cli {

// What scripts need to reach a `pawl dev`.
struct DevEnv {
    std::string database_url;
    std::string url;
    std::string api_key;
};

std::filesystem::path dev_env_path(const std::filesystem::path& data_dir);
// Written at the very end of a start: whoever sees the file may go ahead.
void write_dev_env(const std::filesystem::path& data_dir, const DevEnv& env);
void remove_dev_env(const std::filesystem::path& data_dir);

// The same one for the life of the data directory.
std::string api_key(const std::filesystem::path& data_dir);

}  // namespace pawl::cli
