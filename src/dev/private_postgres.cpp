#include "dev/private_postgres.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "dev/postmaster_pid.hpp"
#include "dev/server_binaries.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

namespace pawl::dev {

namespace {

constexpr const char* superuser = "pawl";
constexpr const char* database = "pawl";
constexpr std::uintmax_t log_bytes_max = 8 << 20;
constexpr Duration initdb_max = std::chrono::minutes(3);
// Recovery after a crash reads the log since the last checkpoint: seconds, but not always.
constexpr Duration start_max = std::chrono::minutes(2);

// Nothing of the caller's PG* settings may reach the server or its tools.
std::vector<std::string> server_env(const std::string& password) {
    std::vector<std::string> env{"LC_ALL=C", "TZ=UTC", "PGPASSWORD=" + password};
    env.push_back("PATH=/usr/local/bin:/usr/bin:/bin");
    return env;
}

std::string last_lines(const fs::path& log) {
    const std::string text = read_file(log).value_or("");
    return text.substr(text.size() > 1500 ? text.find('\n', text.size() - 1500) + 1 : 0);
}

[[noreturn]] void explain(std::string what, const ClusterHome& home) {
    throw Failure(
        {Errc::unavailable,
         fmt::format("{}; the end of {}:\n{}", what, home.log().string(), last_lines(home.log())),
         {}}
    );
}

std::unique_ptr<FileLock> lock(const fs::path& dir) {
    try {
        return std::make_unique<FileLock>(dir / "lock");
    } catch (const Failure& failure) {
        if (failure.error().code != Errc::conflict) throw;
        throw Failure(
            {Errc::conflict,
             fmt::format(
                 "another pawl already runs on {}; stop it first, or name another --data-dir",
                 dir.string()
             ),
             {{"data_dir", dir.string()}}}
        );
    }
}

}  // namespace

PrivatePostgres::PrivatePostgres(const fs::path& dir) {
    std::error_code ignored;
    fs::create_directories(dir, ignored);  // ClusterHome explains when this failed
    if (fs::is_directory(dir)) lock_ = lock(fs::canonical(dir));
    home_ = std::make_unique<ClusterHome>(dir, server_user());
}

void PrivatePostgres::start() {
    bin_ = find_server_binaries(home_->data_version());
    if (fs::exists(home_->log()) && fs::file_size(home_->log()) > log_bytes_max) {
        fs::rename(home_->log(), fs::path(home_->log()) += ".old");
    }
    if (home_->has_data()) {
        refuse_other_version();
        stop_leftover(home_->data());
    } else {
        make_data();
    }
    start_server();
    make_database();
}

PrivatePostgres::~PrivatePostgres() {
    try {
        stop();
    } catch (const std::exception& error) {
        log::error("cannot stop PostgreSQL", {log::field("error", error.what())});
    }
}

Command PrivatePostgres::command(std::string program, std::vector<std::string> arguments) const {
    Command command;
    command.argv.push_back((bin_ / program).string());
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.env = server_env(home_->password());
    command.log = home_->log();
    command.user = home_->user();
    return command;
}

void PrivatePostgres::refuse_other_version() const {
    const auto made_by = home_->data_version();
    const auto installed = version_of_bin(bin_);
    // Somewhere else than in Debian's folders the version is not known; the server will say.
    if (!made_by || !installed || *made_by == *installed) return;
    throw Failure(
        {Errc::conflict,
         fmt::format(
             "the database in {} was made by PostgreSQL {}, and only {} is installed; install "
             "postgresql-{} or name its folder in PAWL_PG_BIN, or begin anew with another "
             "--data-dir",
             home_->dir().string(),
             *made_by,
             *installed,
             *made_by
         ),
         {}}
    );
}

void PrivatePostgres::make_data() {
    // Made beside and renamed when complete: an interrupted initdb leaves nothing half-made.
    const fs::path fresh = home_->server_dir() / "data.new";
    const fs::path password = home_->server_dir() / "password.new";
    fs::remove_all(fresh);
    fs::remove_all(home_->data());
    fs::remove(home_->dir() / "ready");
    write_private_file(password, home_->password() + "\n");
    home_->give_to_server(password);
    const int code = run_program(
        command(
            "initdb",
            {"--pgdata=" + fresh.string(),
             "--username=" + std::string(superuser),
             "--pwfile=" + password.string(),
             "--auth=scram-sha-256",
             "--encoding=UTF8",
             "--locale=C.UTF-8",
             "--data-checksums"}
        ),
        initdb_max
    );
    fs::remove(password);
    if (code != 0) explain("cannot make a database (initdb failed)", *home_);
    fs::rename(fresh, home_->data());
}

void PrivatePostgres::start_server() {
    if (const fs::path run = home_->socket_dir(); !run.empty()) {
        fs::remove_all(run);
        fs::create_directory(run);
        fs::permissions(run, fs::perms(0700));
        home_->give_to_server(run);
    }
    // Another process may take the port before the server binds it, and processes of a killed
    // server need a moment to end.
    for (int tries = 1; tries <= 3; ++tries) {
        port_ = home_->take_port();
        if (try_start()) return;
        home_->forget_port();
        pause(std::chrono::milliseconds(500));
    }
    explain("PostgreSQL does not start", *home_);
}

// False when the server has ended early.
bool PrivatePostgres::try_start() {
    std::vector<std::string> arguments{"-D", home_->data().string()};
    const std::array settings{
        std::string("listen_addresses=127.0.0.1"),
        fmt::format("port={}", port_),
        "unix_socket_directories=" + home_->socket_dir().string(),
        std::string("unix_socket_permissions=0700"),
        std::string("fsync=on"),
        std::string("synchronous_commit=on"),
        std::string("full_page_writes=on"),
        // The login is called pawl: by the default, tables of users would go into the schema pawl.
        std::string("search_path=public"),
        std::string("timezone=UTC"),
        std::string("log_timezone=UTC"),
        std::string("logging_collector=off"),
        std::string("log_destination=stderr"),
        std::string("log_line_prefix=%m [%p] "),
    };
    for (const std::string& setting : settings) {
        arguments.emplace_back("-c");
        arguments.push_back(setting);
    }
    Command server = command("postgres", std::move(arguments));
    server.death_signal = SIGINT;  // fast shutdown
    server_ = spawn(server);
    const auto deadline = Steady::now() + start_max;
    while (Steady::now() < deadline) {
        const auto text = read_file(home_->data() / "postmaster.pid");
        const auto found = text ? parse_postmaster_pid(*text) : std::nullopt;
        if (found && found->ready && found->pid == server_) {
            version_ = home_->data_version().value_or(0);
            return true;
        }
        if (wait_child(server_, std::chrono::milliseconds(10))) {
            server_ = 0;
            return false;
        }
    }
    stop();
    explain("PostgreSQL was not ready in time", *home_);
}

void PrivatePostgres::make_database() {
    const fs::path stamp = home_->dir() / "ready";
    if (read_file(stamp)) return;
    const auto log_before = read_file(home_->log()).value_or("").size();
    const int code = run_program(
        command(
            "createdb",
            {"--host=127.0.0.1",
             fmt::format("--port={}", port_),
             fmt::format("--username={}", superuser),
             "--no-password",
             "--maintenance-db=postgres",
             database}
        ),
        std::chrono::minutes(1)
    );
    // We may have died last time between making the database and noting it.
    const std::string said = read_file(home_->log()).value_or("").substr(log_before);
    if (code != 0 && said.find("already exists") == std::string::npos) {
        explain("cannot make the database", *home_);
    }
    write_private_file(stamp, fmt::format("postgres {}\n", version_));
}

std::string PrivatePostgres::url() const {
    return url_as(superuser);
}

std::string PrivatePostgres::url_as(std::string_view login) const {
    return fmt::format(
        "postgresql://{}:{}@127.0.0.1:{}/{}", login, home_->password(), port_, database
    );
}

std::string PrivatePostgres::local_url() const {
    if (home_->socket_dir().empty()) return url();
    return fmt::format(
        "host='{}' port={} user={} password={} dbname={}",
        home_->socket_dir().string(),
        port_,
        superuser,
        home_->password(),
        database
    );
}

void PrivatePostgres::stop() {
    stop(Steady::now() + std::chrono::seconds(20));
}

void PrivatePostgres::stop(Steady::time_point until) {
    if (server_ == 0) return;
    // Fast, then without a checkpoint, then by force: a share of the time for each.
    const auto left = std::max<Steady::duration>(until - Steady::now(), std::chrono::seconds(1));
    bool ended = false;
    for (const auto& [signal, limit] :
         {std::pair(SIGINT, left * 3 / 5), std::pair(SIGQUIT, left / 5)}) {
        ::kill(server_, signal);
        ended = wait_child(server_, std::chrono::duration_cast<Duration>(limit)).has_value();
        if (ended) break;
        log::warn("PostgreSQL does not stop; trying harder");
    }
    if (!ended) {
        // Its processes end by themselves, but not those that are stopped (SIGSTOP).
        const auto stopped = stopped_children(server_);
        ::kill(server_, SIGKILL);
        wait_child(server_, std::chrono::seconds(1));
        for (const pid_t child : stopped) ::kill(child, SIGKILL);
    }
    server_ = 0;
}

void PrivatePostgres::remove() {
    stop();
    home_->remove_all();
}

}  // namespace pawl::dev
