#include "cli/commands/explain.hpp"

#include "cli/terminal/console.hpp"

namespace pawl::cli {

namespace {

// libpq has no SQLSTATE for a connection that never came about: there only the words tell.
bool is_auth(const pg::PgError::Detail& detail) {
    if (detail.sqlstate.starts_with("28")) return true;
    if (!detail.sqlstate.empty()) return false;
    for (const char* words :
         {"authentication failed",
          "no password supplied",
          "no pg_hba.conf entry",
          "FATAL:  role "}) {
        if (detail.message.find(words) != std::string::npos) return true;
    }
    return false;
}

bool is_schema_missing(const std::string& sqlstate) {
    // No such schema, table or function.
    return sqlstate == "3F000" || sqlstate == "42P01" || sqlstate == "42883";
}

}  // namespace

int report_pg_error(const Globals& globals, const pg::PgError& failure) {
    const auto& detail = failure.detail();
    Error error = failure.error();
    if (is_auth(detail)) {
        error.context.emplace_back("next", "check user and password in DATABASE_URL");
        return report(globals, error, exit_auth);
    }
    if (detail.sqlstate == "42501") {
        error.context.emplace_back(
            "next", "this database user lacks the privilege; `pawl doctor` says which"
        );
        return report(globals, error, exit_auth);
    }
    if (is_schema_missing(detail.sqlstate)) {
        error.message = "this database has no Pawl tables yet, or older ones: " + detail.message;
        error.context.emplace_back("next", "run: pawl migrate up");
        return report(globals, error, exit_error);
    }
    if (detail.sqlstate.empty()) {
        error.context.emplace_back(
            "next",
            "is the server up, and does DATABASE_URL (or PGHOST) name it? For one of your own: "
            "pawl "
            "dev"
        );
    }
    return report(globals, error);
}

}  // namespace pawl::cli
