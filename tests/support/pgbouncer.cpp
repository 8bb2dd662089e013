#include "support/pgbouncer.hpp"

#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace pawl::test {

namespace {

std::string variable(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr || *value == '\0' ? otherwise : value;
}

// Like the server itself, pgbouncer refuses to run as root.
std::string as_postgres(const std::string& folder) {
    if (geteuid() != 0) return "";
    const passwd* user = getpwnam("postgres");
    if (user == nullptr) throw std::runtime_error("there is no user postgres");
    if (chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0) {
        throw std::runtime_error("cannot give " + folder + " to postgres");
    }
    return "setpriv --pdeathsig TERM --reuid=postgres --regid=postgres --init-groups ";
}

}  // namespace

PgBouncer::PgBouncer() {
    std::string folder = "/tmp/pawl-bouncer.XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = folder;
    const std::string settings = folder_ + "/pgbouncer.ini";
    std::ofstream(settings) << "[databases]\n* = host=" << variable("PGHOST", "")
                            << " port=" << variable("PGPORT", "5432")
                            << " user=" << variable("PGUSER", "postgres")
                            << "\n[pgbouncer]\npool_mode = transaction\nauth_type = any\n"
                            << "listen_port = 6432\nunix_socket_dir = " << folder_
                            << "\npidfile = " << folder_ << "/pid\ndefault_pool_size = 2\n"
                            << "server_reset_query_always = 0\nserver_round_robin = 1\n";
    std::filesystem::permissions(settings, std::filesystem::perms(0644));
    const std::string command = "exec " + as_postgres(folder_) + "pgbouncer " + settings + " 2>&1";
    log_ = popen(command.c_str(), "r");
    std::string said;
    std::array<char, 1024> line{};
    while (log_ != nullptr && said.find("process up") == std::string::npos) {
        if (std::fgets(line.data(), line.size(), log_) == nullptr) {
            throw std::runtime_error("pgbouncer did not start: " + said);
        }
        said += line.data();
    }
}

void PgBouncer::signal(int number) const {
    int pid = 0;
    std::ifstream(folder_ + "/pid") >> pid;
    if (pid > 0) kill(pid, number);
}

PgBouncer::~PgBouncer() {
    signal(SIGTERM);
    signal(SIGCONT);
    if (log_ != nullptr) pclose(log_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::string PgBouncer::url_of(const std::string& database) const {
    return "postgresql:///" + database + "?host=" + folder_ + "&port=6432&user=postgres";
}

}  // namespace pawl::test
