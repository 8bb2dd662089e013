#include "app/views/limit_json.hpp"

#include "app/views/json_parts.hpp"

namespace pawl::app {

json::object to_json(const store::FlowLimit& limit) {
    json::object out;
    PAWL_SHOW(
        out,
        limit,
        (shown, scope),
        (or_null, workflow),
        (shown, name),
        (or_null, key),
        (shown, limit, defined, set, running, waiting)
    );
    return out;
}

json::object to_json(const store::FlowLimitName& name, std::optional<std::int32_t> number) {
    json::object out;
    PAWL_SHOW(out, name, (or_null, workflow), (shown, name), (or_null, key));
    out["limit"] = shown(number);
    return out;
}

}  // namespace pawl::app
