#include "store/pg/run_filter_params.hpp"

#include "base/json.hpp"
#include "model/data_condition.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/run_pages.hpp"

#include <boost/json/value_from.hpp>

namespace pawl::store {

namespace {

// {path, op, value} of pawl.search_runs.
json::object as_asked(const std::string& text) {
    auto condition = read_data_condition(text);
    if (!condition) throw Failure(condition.error());
    json::array path;
    for (std::size_t i = 1; i < condition->path.size(); ++i) {
        const PathSegment& part = condition->path[i];
        path.push_back(json::value(part.is_index ? std::to_string(part.index) : part.key));
    }
    return {{"path", path}, {"op", name(condition->op)}, {"value", condition->value}};
}

std::vector<std::string> texts_in(const json::value& object, std::string_view key) {
    std::vector<std::string> texts;
    const json::value* list = find(object, key);
    if (list == nullptr || !list->is_array()) return texts;
    for (const json::value& one : list->get_array()) {
        if (one.is_string()) texts.emplace_back(one.get_string());
    }
    return texts;
}

}  // namespace

pg::Params filter_params(const Tenant& tenant, const RunFilter& filter, std::optional<RunId> from) {
    IdRange range = range_of(filter);
    if (from) range.from = from->uuid;
    pg::Params params;
    params.add(tenant.bucket).add(tenant.id).add(some(filter.workflow));
    if (filter.status.empty()) {
        params.add_null();
    } else {
        pg::Array statuses(pg::Type::text);
        for (const std::string& status : filter.status) statuses.add(std::string_view(status));
        params.add(std::move(statuses));
    }
    params.add(some(filter.subject)).add(some(filter.correlation_id));
    params.add(range.from).add(range.before);
    return params;
}

bool is_search(const RunFilter& filter) {
    return !filter.error.empty() || !filter.where.empty();
}

void add_search(pg::Params& params, const RunFilter& filter) {
    params.add(some(filter.error));
    if (filter.where.empty()) {
        params.add_null();
    } else {
        json::array where;
        for (const std::string& text : filter.where) where.push_back(as_asked(text));
        params.add_json(where);
    }
    params.add(std::int32_t{filter.look_max});
}

json::object to_json(const RunFilter& filter) {
    json::object object;
    if (!filter.workflow.empty()) object["workflow"] = filter.workflow;
    if (!filter.status.empty()) object["status"] = json::value_from(filter.status);
    if (!filter.subject.empty()) object["subject"] = filter.subject;
    if (!filter.correlation_id.empty()) object["correlation_id"] = filter.correlation_id;
    if (filter.created_after) object["created_after"] = to_rfc3339(*filter.created_after);
    if (filter.created_before) object["created_before"] = to_rfc3339(*filter.created_before);
    if (!filter.error.empty()) object["error"] = filter.error;
    if (!filter.where.empty()) object["where"] = json::value_from(filter.where);
    return object;
}

RunFilter run_filter_of(const json::value& object) {
    RunFilter filter;
    filter.workflow = text_in(object, "workflow");
    filter.subject = text_in(object, "subject");
    filter.correlation_id = text_in(object, "correlation_id");
    filter.created_after = parse_rfc3339(std::string(text_in(object, "created_after")));
    filter.created_before = parse_rfc3339(std::string(text_in(object, "created_before")));
    filter.error = text_in(object, "error");
    filter.status = texts_in(object, "status");
    filter.where = texts_in(object, "where");
    return filter;
}

}  // namespace pawl::store
