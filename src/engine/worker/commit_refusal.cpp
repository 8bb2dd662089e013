#include "engine/worker/commit_refusal.hpp"

#include <algorithm>
#include <string_view>

namespace pawl::engine {

namespace {

std::string_view context_of(const Error& error, std::string_view key) {
    for (const auto& [name, value] : error.context) {
        if (name == key) return value;
    }
    return {};
}

// The server is starting, stopping, full or a standby.
bool is_outage(std::string_view sqlstate) {
    const std::string_view group = sqlstate.substr(0, 2);
    return sqlstate == "53100" || sqlstate == "53300" || sqlstate == "25006" || group == "58" ||
           group == "28" || group == "3D" || group == "42";
}

// The session ended with the statement: the commit may have been through by then.
bool is_end_of_session(std::string_view sqlstate) {
    return sqlstate.empty() || sqlstate.starts_with("08") || sqlstate.starts_with("57P");
}

}  // namespace

Refusal refusal_of(const Error& error) {
    if (error.code == Errc::fenced) return Refusal::fenced;
    if (error.code == Errc::not_held) return Refusal::not_held;
    const std::string_view sqlstate = context_of(error, "sqlstate");
    if (info(error.code).retryable) {
        if (is_end_of_session(sqlstate)) return Refusal::unknown;
        return is_outage(sqlstate) ? Refusal::outage : Refusal::passing;
    }
    const bool unique = sqlstate.empty() || sqlstate == "23505";
    if (error.code == Errc::conflict && unique) return Refusal::taken;
    return is_outage(sqlstate) ? Refusal::outage : Refusal::row;
}

bool may_be_of_one_row(const Error& error) {
    const std::string_view group = context_of(error, "sqlstate").substr(0, 2);
    return group == "42" || group == "58";
}

std::vector<RunId> named_runs(const Error& error) {
    std::vector<RunId> runs;
    std::string_view left = context_of(error, "runs");
    while (!left.empty()) {
        const std::size_t end = std::min(left.find(','), left.size());
        if (const auto id = parse_uuid(left.substr(0, end))) runs.push_back(RunId{*id});
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    return runs;
}

}  // namespace pawl::engine
