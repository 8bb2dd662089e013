#include "dev/cluster_home.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "dev/port.hpp"
#include "dev/server_binaries.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace pawl::dev {

namespace {

// sun_path holds 108 bytes with the final NUL; the server adds "/.s.PGSQL.65535.lock".
constexpr std::size_t socket_dir_bytes_max = 107 - 20;

fs::path make_dir(const fs::path& dir) {
    std::error_code failed;
    fs::create_directories(dir, failed);
    if (failed || !fs::is_directory(dir)) {
        throw Failure(
            {Errc::invalid,
             fmt::format(
                 "cannot make the data directory {}: {}",
                 dir.string(),
                 failed ? failed.message() : "something else is there"
             ),
             {}}
        );
    }
    return fs::canonical(dir);
}

fs::path make_outside_dir() {
    const fs::path parent = "/var/lib/pawl";
    fs::create_directories(parent);
    std::string name = (parent / "dev-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw Failure(
            {Errc::internal, fmt::format("cannot make {}: {}", name, std::strerror(errno)), {}}
        );
    }
    return name;
}

}  // namespace

ClusterHome::ClusterHome(fs::path dir, std::optional<User> user)
    : dir_(make_dir(dir)), user_(std::move(user)), server_dir_(make_server_dir()) {
    if (!has_data() && !read_file(dir_ / "password")) {
        write_private_file(dir_ / "password", random_hex(24) + "\n");
    }
}

fs::path ClusterHome::make_server_dir() const {
    fs::path inside = dir_ / "postgres";
    // Others may pass through, and find nothing they may read.
    fs::permissions(dir_, user_ ? fs::perms(0711) : fs::perms(0700));
    std::error_code dangling;
    if (fs::is_symlink(inside)) {
        fs::path target = fs::canonical(inside, dangling);
        if (!dangling) return target;
        fs::remove(inside);
    }
    fs::create_directory(inside);
    fs::permissions(inside, fs::perms(0700));
    give_to_server(inside);
    if (!user_ || can_enter(*user_, inside)) return inside;
    if (!fs::is_empty(inside)) {
        throw Failure(
            {Errc::invalid,
             fmt::format(
                 "user '{}', who runs PostgreSQL, can no longer reach {}: open its parent "
                 "directories (chmod o+x), or name another --data-dir",
                 user_->name,
                 inside.string()
             ),
             {}}
        );
    }
    fs::path outside = make_outside_dir();
    give_to_server(outside);
    fs::remove(inside);
    fs::create_directory_symlink(outside, inside);
    log::info(
        "the database is kept elsewhere: its user cannot get through the parent directories",
        {log::field("user", user_->name), log::field("kept_in", outside.string())}
    );
    return outside;
}

void ClusterHome::give_to_server(const fs::path& path) const {
    if (!user_) return;
    if (::lchown(path.c_str(), user_->uid, user_->gid) != 0) {
        throw Failure(
            {Errc::internal,
             fmt::format(
                 "cannot give {} to user {}: {}", path.string(), user_->name, std::strerror(errno)
             ),
             {}}
        );
    }
}

fs::path ClusterHome::socket_dir() const {
    const std::string run = (server_dir_ / "run").string();
    // It goes into a list of the server and into connection strings: no quoting rules, please.
    const bool plain = run.find_first_of(" ,'\"\\") == std::string::npos;
    return plain && run.size() <= socket_dir_bytes_max ? fs::path(run) : fs::path();
}

std::string ClusterHome::password() const {
    const auto text = read_file(dir_ / "password");
    if (!text || text->find_first_not_of("\r\n ") == std::string::npos) {
        throw Failure(
            {Errc::invalid,
             fmt::format(
                 "{} is gone, and without it the database in {} cannot be opened; put it back, or "
                 "remove the directory to begin anew",
                 (dir_ / "password").string(),
                 dir_.string()
             ),
             {}}
        );
    }
    return text->substr(0, text->find_first_of("\r\n "));
}

bool ClusterHome::has_data() const {
    return fs::exists(data() / "PG_VERSION");
}

std::optional<int> ClusterHome::data_version() const {
    const auto text = read_file(data() / "PG_VERSION");
    return text ? major_version(*text) : std::nullopt;
}

std::uint16_t ClusterHome::take_port() const {
    const auto text = read_file(dir_ / "port");
    const int last = text ? std::atoi(text->c_str()) : 0;
    if (last >= 1024 && last <= 65535 && is_free_port(static_cast<std::uint16_t>(last))) {
        return static_cast<std::uint16_t>(last);
    }
    const std::uint16_t port = any_free_port();
    write_private_file(dir_ / "port", fmt::format("{}\n", port));
    return port;
}

void ClusterHome::forget_port() const {
    std::error_code ignored;
    fs::remove(dir_ / "port", ignored);
}

void ClusterHome::remove_all() const {
    std::error_code ignored;
    fs::remove_all(server_dir_, ignored);
    fs::remove_all(dir_, ignored);
}

}  // namespace pawl::dev
