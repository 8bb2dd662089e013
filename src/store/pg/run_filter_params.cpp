#include "store/pg/run_filter_params.hpp"

#include "base/json.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/run_pages.hpp"

#include <boost/json/value_from.hpp>

namespace pawl::store {

pg::Params filter_params(const Tenant& tenant, const RunFilter& filter) {
    const IdRange range = range_of(filter);
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

json::object to_json(const RunFilter& filter) {
    json::object object;
    if (!filter.workflow.empty()) object["workflow"] = filter.workflow;
    if (!filter.status.empty()) object["status"] = json::value_from(filter.status);
    if (!filter.subject.empty()) object["subject"] = filter.subject;
    if (!filter.correlation_id.empty()) object["correlation_id"] = filter.correlation_id;
    if (filter.created_after) object["created_after"] = to_rfc3339(*filter.created_after);
    if (filter.created_before) object["created_before"] = to_rfc3339(*filter.created_before);
    return object;
}

RunFilter run_filter_of(const json::value& object) {
    RunFilter filter;
    filter.workflow = text_in(object, "workflow");
    filter.subject = text_in(object, "subject");
    filter.correlation_id = text_in(object, "correlation_id");
    filter.created_after = parse_rfc3339(std::string(text_in(object, "created_after")));
    filter.created_before = parse_rfc3339(std::string(text_in(object, "created_before")));
    const json::value* status = find(object, "status");
    if (status == nullptr || !status->is_array()) return filter;
    for (const json::value& one : status->get_array()) {
        if (one.is_string()) filter.status.emplace_back(one.get_string());
    }
    return filter;
}

}  // namespace pawl::store
