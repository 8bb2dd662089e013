#include "store/repos/bulk.hpp"

#include "model/events/signal_data.hpp"

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

// What the action says to each run.
json::object signal_of(const BulkAction& action) {
    switch (signal_kind(action.action)) {
        case SignalKind::signal:
            return events::write(events::NamedSignal{action.name, &action.data});
        case SignalKind::skip: {
            events::SkipSignal skip{action.node, {}, action.by, action.reason, {}};
            if (!action.value.is_null()) skip.value = &action.value;
            return events::write(std::move(skip));
        }
        case SignalKind::cancel: return events::write(events::CancelSignal{action.reason, false});
        case SignalKind::pause: return events::write(events::PauseSignal{action.reason});
        default: return {};
    }
}

}  // namespace

json::object to_request(const BulkAction& action) {
    json::object request{{"action", action.action}, {"limit", action.limit}, {"by", action.by}};
    if (action.action == "retry" || action.action == "rerun") return request;
    if (action.action == "settle") {
        request["node"] = action.node;
        request["as"] = action.as;
        request["reason"] = action.reason;
        request["data"] = action.data;
        return request;
    }
    request["signal"] = {{"kind", action.action}, {"data", signal_of(action)}};
    return request;
}

json::object to_request(const RunMigration& migration, const Uuid& job) {
    json::object request{
        {"action", "migrate"},
        {"limit", migration.limit},
        {"by", migration.by},
        {"to", migration.to},
        {"dry_run", migration.dry_run},
        {"drain", migration.drain}};
    json::array& from = request["from"].emplace_array();
    for (const std::int32_t version : migration.from) from.emplace_back(version);
    json::array& exit = request["exit"].emplace_array();
    for (const std::string& node : migration.exit) exit.emplace_back(node);
    json::object map;
    for (const auto& [old_id, new_id] : migration.map) map[old_id] = new_id;
    if (!migration.dry_run) {
        events::RepinSignal repin{migration.to, {}, migration.by, json::value(to_string(job))};
        if (!map.empty()) repin.map = map;
        request["signal"] = {
            {"kind", name(SignalKind::repin)}, {"data", events::write(std::move(repin))}};
    }
    request["map"] = std::move(map);
    return request;
}

RunMigration migration_of(const json::value& request) {
    RunMigration migration;
    const auto flag = [&](std::string_view key) {
        const json::value* value = find(request, key);
        return value != nullptr && *value == true;
    };
    migration.to = static_cast<std::int32_t>(whole_number(find(request, "to")).value_or(0));
    migration.dry_run = flag("dry_run");
    migration.drain = flag("drain");
    const json::value* from = find(request, "from");
    if (from != nullptr && from->is_array()) {
        for (const json::value& version : from->get_array()) {
            migration.from.push_back(static_cast<std::int32_t>(whole_number(&version).value_or(0)));
        }
    }
    const json::value* map = find(request, "map");
    if (map != nullptr && map->is_object()) {
        for (const auto& [old_id, new_id] : map->get_object()) {
            if (new_id.is_string()) migration.map[old_id] = new_id.get_string();
        }
    }
    const json::value* exit = find(request, "exit");
    if (exit != nullptr && exit->is_array()) {
        for (const json::value& node : exit->get_array()) {
            if (node.is_string()) migration.exit.emplace_back(node.get_string());
        }
    }
    migration.by = text_in(request, "by");
    migration.limit = whole_number(find(request, "limit")).value_or(bulk_limit_default);
    return migration;
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
           !filter.correlation_id.empty() || filter.created_after || filter.created_before ||
           !filter.error.empty() || !filter.where.empty();
}

}  // namespace pawl::store
