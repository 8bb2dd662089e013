#include "pg/pg_error.hpp"

namespace pawl::pg {

Reaction classify(std::string_view sqlstate) {
    if (sqlstate.empty()) return Reaction::reconnect;
    const std::string_view group = sqlstate.substr(0, 2);
    if (sqlstate == "40001" || sqlstate == "40P01" || sqlstate == "55P03") {
        return Reaction::retry_transaction;
    }
    if (sqlstate == "PW001") return Reaction::fenced;
    if (sqlstate == "PW002") return Reaction::not_held;
    if (sqlstate == "26000" || sqlstate == "0A000" || sqlstate == "42P05")
        return Reaction::prepare_again;
    // 57014 is statement_timeout: the server is slow, not gone, but a fresh connection is the safe
    // way on.
    if (group == "08" || group == "57" || group == "53" || group == "58" || sqlstate == "25006") {
        return Reaction::reconnect;
    }
    if (sqlstate == "XX000" || group == "25") return Reaction::reconnect;
    if (group == "23") return Reaction::conflict;
    return Reaction::bug;
}

namespace {

Errc errc_of(Reaction reaction) {
    switch (reaction) {
        case Reaction::retry_transaction:
        case Reaction::reconnect:
        case Reaction::prepare_again: return Errc::unavailable;
        case Reaction::conflict: return Errc::conflict;
        case Reaction::fenced: return Errc::fenced;
        case Reaction::not_held: return Errc::not_held;
        case Reaction::bug: return Errc::internal;
    }
    return Errc::internal;
}

Error to_error(const PgError::Detail& detail) {
    Error error{errc_of(classify(detail.sqlstate)), detail.message, {}};
    if (!detail.sqlstate.empty()) error.context.emplace_back("sqlstate", detail.sqlstate);
    if (!detail.query.empty()) error.context.emplace_back("query", detail.query);
    if (!detail.constraint.empty()) error.context.emplace_back("constraint", detail.constraint);
    if (error.code == Errc::not_held) error.context.emplace_back("runs", detail.detail);
    if (!detail.hint.empty()) error.context.emplace_back("hint", detail.hint);
    return error;
}

}  // namespace

PgError::PgError(Detail detail) : Failure(to_error(detail)), detail_(std::move(detail)) {}

}  // namespace pawl::pg
