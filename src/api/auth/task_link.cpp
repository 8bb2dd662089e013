#include "api/auth/task_link.hpp"

#include "base/json.hpp"

#include <boost/json/serialize.hpp>

namespace pawl::api {

namespace {

constexpr std::string_view purpose = "task";

}  // namespace

std::string seal_link(const Seal& seal, const TaskLink& link) {
    json::array parts;
    parts.push_back(json::string(to_string(link.task)));
    parts.push_back(link.tenant.id);
    parts.push_back(link.tenant.bucket);
    parts.push_back(json::string(link.by));
    parts.push_back(link.expires.time_since_epoch().count());
    return seal.close(purpose, json::serialize(parts));
}

std::optional<TaskLink> open_link(const Seal& seal, std::string_view text) {
    const auto payload = seal.open(purpose, text);
    if (!payload) return std::nullopt;
    const auto parsed = parse_json(*payload);
    if (!parsed || !parsed->is_array() || parsed->get_array().size() != 5) return std::nullopt;
    // Only we can have written the rest.
    const json::array& parts = parsed->get_array();
    TaskLink link;
    link.task = parse_uuid(parts[0].as_string()).value_or(Uuid{});
    link.tenant.id = static_cast<std::int32_t>(parts[1].as_int64());
    link.tenant.bucket = static_cast<store::Bucket>(parts[2].as_int64());
    link.by = parts[3].as_string();
    link.expires = Instant(Duration(parts[4].as_int64()));
    return link;
}

}  // namespace pawl::api
