#pragma once

#include "dev/private_postgres.hpp"
#include "pg/connection.hpp"

#include <memory>
#include <string>

namespace pawl::bench {

// The database a workload runs on: given, or a throw-away cluster with durable settings that goes
// with this object.
class Target {
public:
    explicit Target(const std::string& database_url);
    ~Target();
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

    const pg::ConnectOptions& connect() const { return connect_; }
    const std::string& url() const { return connect_.conninfo; }

private:
    std::unique_ptr<dev::PrivatePostgres> own_;
    pg::ConnectOptions connect_;
};

}  // namespace pawl::bench
