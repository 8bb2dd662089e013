#pragma once

#include "dev/files.hpp"
#include "dev/process.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace pawl::dev {

// Where a private Postgres keeps its things:
//   DIR/password      of its superuser, made once, readable by us alone
//   DIR/port          the TCP port it had last time
//   DIR/postgres/     belongs to the user that runs the server: data/ and run/ (the Unix socket)
//   DIR/postgres.log  what the server says
class ClusterHome {
public:
    // Makes what is missing. `dir` becomes absolute. When its parents are closed to the server's
    // user (root's home, say), DIR/postgres is a link to a folder under /var/lib/pawl.
    ClusterHome(fs::path dir, std::optional<User> user);

    const fs::path& dir() const { return dir_; }
    const std::optional<User>& user() const { return user_; }
    fs::path data() const { return server_dir_ / "data"; }
    fs::path log() const { return dir_ / "postgres.log"; }
    // Empty when the system or the server could not take its path: too long, or with odd
    // characters.
    fs::path socket_dir() const;
    std::string password() const;

    bool has_data() const;
    // The major version of Postgres that made the data.
    std::optional<int> data_version() const;

    // The port of last time when it is still free, else another one, which is then kept.
    std::uint16_t take_port() const;
    void forget_port() const;

    void give_to_server(const fs::path& path) const;
    fs::path server_dir() const { return server_dir_; }
    // Removes also what a link leads to. Only for throw-away clusters.
    void remove_all() const;

private:
    fs::path make_server_dir() const;
    fs::path dir_;
    std::optional<User> user_;
    fs::path server_dir_;
};

}  // namespace pawl::dev
