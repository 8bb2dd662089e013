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
// Written at the very end of a start: a process that sees the file may go ahead.
void write_dev_env(const std::filesystem::path& data_dir, const DevEnv& env);
void remove_dev_env(const std::filesystem::path& data_dir);

// The API key of the data directory: the same one for its life. What is not written like a key is
// replaced.
std::string api_key(const std::filesystem::path& data_dir);
std::string new_api_key(const std::filesystem::path& data_dir);
// Signs links and callback tokens; the same one for the life of the data directory.
std::string link_secret(const std::filesystem::path& data_dir);

}  // namespace pawl::cli
