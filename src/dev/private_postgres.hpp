#pragma once

#include "dev/cluster_home.hpp"

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace pawl::dev {

// A PostgreSQL server of our own, in a data directory, with durable settings: it listens on
// 127.0.0.1 and on a Unix socket, both with a password. Whatever happened to an earlier one in the
// same directory (kill -9, power cut, a server that still runs), the next start copes with it.
//
// Everything here blocks. Start it on a thread that lives as long as the server: the kernel stops
// the server when that thread dies.
class PrivatePostgres {
public:
    // Takes hold of the directory, or throws Failure with Errc::conflict when another process has
    // it.
    explicit PrivatePostgres(const fs::path& dir);
    ~PrivatePostgres();
    PrivatePostgres(const PrivatePostgres&) = delete;
    PrivatePostgres& operator=(const PrivatePostgres&) = delete;

    // Throws Failure: no server installed, data of another version, or the server does not start
    // (with the last lines of its log).
    void start();

    // For every program on this machine.
    std::string url() const;
    // The same for another login, which must have the same password.
    std::string url_as(std::string_view login) const;
    std::string password() const { return home_->password(); }
    // Faster, and only for us: over the Unix socket when there is one.
    std::string local_url() const;
    const fs::path& dir() const { return home_->dir(); }
    // Major version of the server.
    int version() const { return version_; }

    // Lets transactions under way roll back and writes everything down; harder after 10 s. May be
    // called twice.
    void stop();
    // At that time it is over, by force if need be.
    void stop(Steady::time_point until);
    // Removes the directory, once it is stopped.
    void remove();

private:
    void refuse_other_version() const;
    void make_data();
    void make_database();
    void start_server();
    bool try_start();
    Command command(std::string program, std::vector<std::string> arguments) const;

    std::unique_ptr<FileLock> lock_;
    std::unique_ptr<ClusterHome> home_;
    fs::path bin_;
    int version_ = 0;
    std::uint16_t port_ = 0;
    pid_t server_ = 0;
};

// Ends a server that was left behind in a data directory, and its traces. Does nothing when there
// is none.
void stop_leftover(const fs::path& data);

}  // namespace pawl::dev
