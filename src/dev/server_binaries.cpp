#include "dev/server_binaries.hpp"

#include "base/error.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>

namespace pawl::dev {

namespace fs = std::filesystem;

namespace {

bool has_server(const fs::path& bin) {
    std::error_code ignored;
    return fs::exists(bin / "initdb", ignored) && fs::exists(bin / "postgres", ignored);
}

std::vector<fs::path> debian_bins() {
    std::vector<fs::path> bins;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
        if (has_server(entry.path() / "bin")) bins.push_back(entry.path() / "bin");
    }
    return bins;
}

// What pg_config says; it is a fixed command, nothing of it comes from outside.
fs::path pg_config_bin() {
    struct Close {
        void operator()(std::FILE* pipe) const { ::pclose(pipe); }
    };
    const std::unique_ptr<std::FILE, Close> pipe(::popen("pg_config --bindir 2>/dev/null", "re"));
    std::string text(4096, '\0');
    if (!pipe || std::fgets(text.data(), static_cast<int>(text.size()), pipe.get()) == nullptr) {
        return {};
    }
    return text.substr(0, text.find_first_of(std::string_view("\n\0", 2)));
}

fs::path path_bin() {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (has_server(folder)) return folder;
    }
    return {};
}

}  // namespace

fs::path find_server_binaries(std::optional<int> wanted) {
    if (const char* given = std::getenv("PAWL_PG_BIN"); given != nullptr && *given != '\0') {
        if (has_server(given)) return given;
        throw Failure(
            {Errc::invalid,
             std::string("PAWL_PG_BIN=") + given + " has no initdb and postgres in it",
             {}}
        );
    }
    const auto bins = debian_bins();
    if (const auto bin = choose_bin(bins, wanted)) return *bin;
    for (const fs::path& bin : {pg_config_bin(), path_bin()}) {
        if (!bin.empty() && has_server(bin)) return bin;
    }
    if (const auto bin = choose_bin(bins, std::nullopt)) return *bin;
    throw Failure(
        {Errc::unavailable,
         "no PostgreSQL server is installed here; install it (apt-get install postgresql), or name "
         "its folder in PAWL_PG_BIN",
         {}}
    );
}

}  // namespace pawl::dev
