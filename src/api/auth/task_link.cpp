#include "api/auth/task_link.hpp"

#include "base/sealed_list.hpp"

namespace pawl::api {

std::string seal_link(const Seal& seal, const TaskLink& link) {
    json::array parts;
    parts.push_back(json::string(to_string(link.task)));
    parts.push_back(link.tenant.id);
    parts.push_back(link.tenant.bucket);
    parts.push_back(json::string(link.by));
    parts.push_back(link.expires.time_since_epoch().count());
    return close_list(seal, task_seal, parts);
}

std::optional<TaskLink> open_link(const Seal& seal, std::string_view text) {
    const auto parts = open_list(seal, task_seal, text, 5);
    if (!parts) return std::nullopt;
    TaskLink link;
    link.task = parse_uuid(parts->at(0).as_string()).value_or(Uuid{});
    link.tenant.id = static_cast<std::int32_t>(parts->at(1).as_int64());
    link.tenant.bucket = static_cast<store::Bucket>(parts->at(2).as_int64());
    link.by = parts->at(3).as_string();
    link.expires = Instant(Duration(parts->at(4).as_int64()));
    return link;
}

}  // namespace pawl::api
