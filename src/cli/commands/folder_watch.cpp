#include "cli/commands/folder_watch.hpp"

#include "base/error.hpp"
#include "cli/commands/definitions.hpp"

#include <fmt/core.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace pawl::cli {

namespace fs = std::filesystem;

FolderWatch::FolderWatch(const std::string& folder)
    : descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    if (descriptor_ >= 0 && add(folder)) {
        std::set<std::string> known;  // published when the program begins
        add_below(folder, known);
        return;
    }
    const std::string why = std::strerror(errno);
    if (descriptor_ >= 0) ::close(descriptor_);
    throw Failure(
        {Errc::invalid,
         fmt::format("cannot watch {}: {}", folder, why),
         {{"next", "--watch takes a folder with definitions"}}}
    );
}

bool FolderWatch::add(const fs::path& folder) {
    constexpr std::uint32_t changes = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ONLYDIR;
    const int watched = ::inotify_add_watch(descriptor_, folder.c_str(), changes);
    if (watched < 0) return false;
    folders_[watched] = folder;
    return true;
}

// A folder that goes away meanwhile is not missed.
void FolderWatch::add_below(const fs::path& folder, std::set<std::string>& files) {
    for (const std::string& below : folders_below(folder.string())) add(below);
    if (const auto found = definition_files_below(folder.string())) {
        files.insert(found->begin(), found->end());
    }
}

void FolderWatch::read(const char* begin, std::size_t size, std::set<std::string>& files) {
    for (std::size_t at = 0; at + sizeof(inotify_event) <= size;) {
        inotify_event event{};
        std::memcpy(&event, begin + at, sizeof(event));
        const char* name = begin + at + sizeof(event);
        at += sizeof(event) + event.len;
        if ((event.mask & IN_IGNORED) != 0) folders_.erase(event.wd);
        const auto folder = folders_.find(event.wd);
        if (event.len == 0 || folder == folders_.end()) continue;
        const fs::path path = folder->second / name;
        if ((event.mask & IN_ISDIR) == 0) {
            // One that was only created is not written yet.
            if ((event.mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) != 0) files.insert(path.string());
        } else if (name[0] != '.' && add(path)) {
            add_below(path, files);
        }
    }
}

}  // namespace pawl::cli
