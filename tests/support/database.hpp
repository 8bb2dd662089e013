#pragma once

#include "pg/connection.hpp"
#include "pg/pg_error.hpp"
#include "support/loop.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pawl::test {

// A connection for plain test code: SQL as text, answers as text (cast columns with ::text). No
// prepared statements, so any text goes.
class Session {
public:
    explicit Session(const std::string& url);

    void script(const std::string& sql);
    // First column of all rows, or of the first.
    std::vector<std::string> column(const std::string& sql);
    std::string value(const std::string& sql);
    // What the database says against it; a failure of the test when it says nothing.
    pg::PgError::Detail refusal(const std::string& sql);

    pg::Connection& connection() { return *connection_; }
    Loop& loop() { return loop_; }

private:
    Loop loop_;
    std::unique_ptr<pg::Connection> connection_;
};

// A database of one test's own, copied from a migrated template (which the first test of a cluster
// makes) and dropped at the end. The cluster is the one PGHOST leads to: scripts/with-postgres.
// Throws when there is none, because a test that skips itself proves nothing.
class TestDatabase {
public:
    enum class Content { migrated, empty };
    explicit TestDatabase(Content content = Content::migrated);
    ~TestDatabase();
    TestDatabase(const TestDatabase&) = delete;
    TestDatabase& operator=(const TestDatabase&) = delete;

    const std::string& name() const { return name_; }
    const std::string& url() const { return url_; }
    // Connected when first used.
    Session& session();

    // DATABASE_URL of any database of the cluster.
    static std::string url_of(const std::string& name);

private:
    std::string name_;
    std::string url_;
    std::unique_ptr<Session> session_;
};

// What a command wrote on stdout and stderr; throws when it fails.
std::string output_of(const std::string& command);

}  // namespace pawl::test
