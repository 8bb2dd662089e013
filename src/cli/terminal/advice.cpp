#include "cli/terminal/advice.hpp"

#include "pg/pg_error.hpp"

#include <string_view>

namespace pawl::cli {

std::string advice(const Failure& failure, const std::string& usual) {
    const auto* said = dynamic_cast<const pg::PgError*>(&failure);
    if (said == nullptr) return usual;
    const std::string_view state = said->detail().sqlstate;
    if (state == "53100") return "the server's disk is full: free space there, then look again";
    if (state == "53200") return "the server is out of memory: see its log";
    if (state == "53300") return "raise max_connections or the role's limit, or end some sessions";
    if (state == "25006") {
        return "this database takes no writes: connect to the primary "
               "(target_session_attrs=read-write finds it among several hosts)";
    }
    if (state == "55P03" || state == "57014") {
        return "another session holds a lock, or the server is slow: see pg_stat_activity and "
               "pg_locks, "
               "then look again";
    }
    if (state == "26000" || state == "42P05") {
        return "behind a pooler in transaction mode: --prepare off";
    }
    if (state.empty() || state.starts_with("57P") || state.starts_with("08")) {
        return "the connection was lost: is the server up, and the pooler? See their logs";
    }
    return usual;
}

}  // namespace pawl::cli
