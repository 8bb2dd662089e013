#include "support/database.hpp"

#include "base/rng.hpp"
#include "store/pg/migrate.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace pawl::test {

namespace {

// Of one statement; PAWL_TEST_PATIENCE=600 for tests that are told to do very much.
Duration statement_limit() {
    const char* given = std::getenv("PAWL_TEST_PATIENCE");
    return std::chrono::seconds(given == nullptr ? 30 : std::max(1, std::atoi(given)));
}
const Duration limit = statement_limit();

std::string variable(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr || *value == '\0' ? otherwise : value;
}

std::string host() {
    std::string given = variable("PGHOST", "");
    if (given.empty()) {
        throw std::runtime_error(
            "these tests need a Postgres cluster and PGHOST is not set; run them with: "
            "scripts/with-postgres ctest --test-dir build/dev"
        );
    }
    return given;
}

std::string maintenance_url() {
    return TestDatabase::url_of(variable("PGDATABASE", "postgres"));
}

// FNV-1a: a template is as good as the migrations it was made from.
std::string migrations_hash() {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : store::migration_sql()) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return fmt::format("{:016x}", hash);
}

bool exists(Session& admin, const std::string& database) {
    return !admin.column("select 'x' from pg_database where datname = '" + database + "'").empty();
}

// Other test processes want the same template at the same time: the first one makes it under
// another name, so what has the final name is complete.
std::string template_database(Session& admin) {
    std::string name = "pawl_template_" + migrations_hash();
    if (exists(admin, name)) return name;
    admin.script("select pg_advisory_lock(7236871915)");
    if (!exists(admin, name)) {
        const std::string draft = name + "_draft";
        admin.script("drop database if exists " + draft + " with (force)");
        admin.script("create database " + draft);
        {
            Session session(TestDatabase::url_of(draft));
            session.loop().run(store::migrate_up(session.connection()));
        }
        admin.script("alter database " + draft + " rename to " + name);
    }
    admin.script("select pg_advisory_unlock(7236871915)");
    return name;
}

std::string fresh_name() {
    Rng rng;
    return fmt::format("pawl_test_{}_{:08x}", getpid(), rng.next() & 0xffffffff);
}

}  // namespace

Session::Session(const std::string& url) {
    pg::ConnectOptions options;
    options.conninfo = url;
    options.application_name = "pawl_test";
    options.statement_timeout = limit;
    options.prepare = false;
    connection_ = loop_.run(pg::Connection::connect(options));
}

void Session::script(const std::string& sql) {
    loop_.run(connection_->script(sql, limit), limit + std::chrono::seconds(30));
}

std::vector<std::string> Session::column(const std::string& sql) {
    const pg::Query query{"test", sql.c_str(), 0};
    const auto rows =
        loop_.run(connection_->run(query, {}, limit), limit + std::chrono::seconds(30));
    std::vector<std::string> values;
    values.reserve(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) values.push_back(rows.text(row, 0));
    return values;
}

pg::PgError::Detail Session::refusal(const std::string& sql) {
    try {
        script(sql);
    } catch (const pg::PgError& error) {
        return error.detail();
    }
    ADD_FAILURE() << "was accepted: " << sql;
    return {};
}

std::string Session::value(const std::string& sql) {
    const auto values = column(sql);
    if (values.empty()) throw std::runtime_error("no row: " + sql);
    return values.front();
}

TestDatabase::TestDatabase(Content content) : name_(fresh_name()), url_(url_of(name_)) {
    Session admin(maintenance_url());
    const std::string from = content == Content::empty ? "template0" : template_database(admin);
    // To copy files is half the work of writing their pages to the log.
    admin.script("create database " + name_ + " template " + from + " strategy file_copy");
}

TestDatabase::~TestDatabase() {
    session_.reset();
    try {
        Session(maintenance_url()).script("drop database if exists " + name_ + " with (force)");
    } catch (const std::exception& failed) {
        std::fprintf(stderr, "%s was not dropped: %s\n", name_.c_str(), failed.what());
    }
}

Session& TestDatabase::session() {
    if (!session_) session_ = std::make_unique<Session>(url_);
    return *session_;
}

std::string TestDatabase::url_of(const std::string& name) {
    return "postgresql:///" + name + "?host=" + host() + "&port=" + variable("PGPORT", "5432") +
           "&user=" + variable("PGUSER", "postgres");
}

std::string output_of(const std::string& command) {
    std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
    std::string output;
    std::array<char, 4096> buffer{};
    for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
        output.append(buffer.data(), got);
    }
    const int status = pclose(pipe);
    if (status != 0) throw std::runtime_error(command + " failed: " + output);
    return output;
}

}  // namespace pawl::test
