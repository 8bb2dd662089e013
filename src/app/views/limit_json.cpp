#include "app/views/limit_json.hpp"

#include "app/views/json_parts.hpp"

namespace pawl::app {

json::object to_json(const store::FlowLimit& limit) {
    json::object out;
    out["scope"] = limit.scope;
    out["workflow"] = text_or_null(limit.workflow);
    out["name"] = limit.name;
    out["key"] = text_or_null(limit.key);
    out["limit"] = limit.limit;
    out["defined"] = number_or_null(limit.defined);
    out["set"] = number_or_null(limit.set);
    out["running"] = limit.running;
    out["waiting"] = limit.waiting;
    return out;
}

json::object to_json(const store::FlowLimitName& name, std::optional<std::int32_t> number) {
    json::object out;
    out["workflow"] = text_or_null(name.workflow);
    out["name"] = name.name;
    out["key"] = text_or_null(name.key);
    out["limit"] = number_or_null(number);
    return out;
}

}  // namespace pawl::app
