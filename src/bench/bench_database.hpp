#pragma once

#include "dev/private_postgres.hpp"
#include "pg/connection.hpp"

#include <memory>
#include <string>

namespace pawl::bench {

// The database a workload runs on: given, or a throw-away cluster with durable settings that goes
// with this object.
class BenchDatabase {
public:
    explicit BenchDatabase(const std::string& database_url);
    ~BenchDatabase();
    BenchDatabase(const BenchDatabase&) = delete;
    BenchDatabase& operator=(const BenchDatabase&) = delete;

    const pg::ConnectOptions& connect() const { return connect_; }
    const std::string& url() const { return connect_.conninfo; }

private:
    std::unique_ptr<dev::PrivatePostgres> own_;
    pg::ConnectOptions connect_;
};

}  // namespace pawl::bench
