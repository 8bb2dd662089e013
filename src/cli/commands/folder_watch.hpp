#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace pawl::cli {

// A folder and those below it, by inotify. Hidden ones and links to folders are left out. One
// thread.
class FolderWatch {
public:
    // Throws Failure when the folder cannot be watched.
    explicit FolderWatch(const std::string& folder);

    // What inotify writes is read from here; the reader closes it.
    int descriptor() const { return descriptor_; }
    // Adds the files that this tells of. A folder that came is watched from here on, and all that
    // is in it already counts.
    void read(const char* begin, std::size_t size, std::set<std::string>& files);

private:
    bool add(const std::filesystem::path& folder);
    void add_below(const std::filesystem::path& folder, std::set<std::string>& files);

    int descriptor_ = -1;
    std::map<int, std::filesystem::path> folders_;  // by what inotify calls them
};

}  // namespace pawl::cli
