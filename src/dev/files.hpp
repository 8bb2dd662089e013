#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::dev {

namespace fs = std::filesystem;

// The whole file, or nothing when there is none.
std::optional<std::string> read_file(const fs::path& path);

// Only the owner may read it, and a reader sees the old text or the new one, never a part.
void write_private_file(const fs::path& path, std::string_view text);

// From the operating system's generator, as hexadecimal digits.
std::string random_hex(std::size_t bytes);

// Holds a file lock for as long as it lives; the kernel drops it when the process dies, however it
// dies.
class FileLock {
public:
    // Throws Failure with Errc::conflict when another process holds it.
    explicit FileLock(const fs::path& path);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int fd_;
};

}  // namespace pawl::dev
