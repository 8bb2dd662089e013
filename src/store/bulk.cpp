#include "store/bulk.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::store {

namespace {

using Statuses = std::vector<std::string>;

Statuses statuses_for(std::string_view action) {
    if (action == "retry") return {"failed", "cancelled"};
    if (action == "rerun") return {"completed", "failed", "cancelled"};
    return {"queued", "running", "waiting"};
}

}  // namespace

json::object to_request(const BulkAction& action) {
    json::object request{{"action", action.action}, {"limit", action.limit}, {"by", action.by}};
    if (action.action == "retry" || action.action == "rerun") return request;
    json::object data;
    if (action.action == "signal") {
        data = {{"name", action.name}, {"data", action.data}};
    } else if (action.action == "skip") {
        data = {{"node", action.node}, {"by", action.by}, {"reason", action.reason}};
        if (!action.value.is_null()) data["value"] = action.value;
    } else if (action.action != "resume") {
        data["reason"] = action.reason;
    }
    request["signal"] = {{"kind", action.action}, {"data", std::move(data)}};
    return request;
}

Result<RunFilter> fitting(RunFilter filter, std::string_view action) {
    const Statuses fit = statuses_for(action);
    if (filter.status.empty()) {
        filter.status = fit;
        return filter;
    }
    for (const std::string& status : filter.status) {
        if (std::find(fit.begin(), fit.end(), status) != fit.end()) continue;
        return Error{
            Errc::invalid,
            fmt::format("{} is for runs that are {}, not {}", action, fmt::join(fit, ", "), status),
            {}};
    }
    return filter;
}

bool has_condition(const RunFilter& filter) {
    return !filter.workflow.empty() || !filter.status.empty() || !filter.subject.empty() ||
           !filter.correlation_id.empty() || filter.created_after || filter.created_before;
}

}  // namespace pawl::store
