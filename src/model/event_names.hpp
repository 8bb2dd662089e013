#pragma once

#include "model/template.hpp"

namespace pawl {

// What templates and filters over an event see: all of it as `event`, its members by themselves,
// and those of its data.
inline const boost::json::value* find_in_event(const boost::json::value& event, const Path& path) {
    if (path.empty()) return nullptr;
    if (path[0].key == "event") return walk(&event, path, 1);
    if (const boost::json::value* found = walk(&event, path)) return found;
    const boost::json::object* members = event.if_object();
    const boost::json::value* data = members == nullptr ? nullptr : members->if_contains("data");
    return data == nullptr ? nullptr : walk(data, path);
}

}  // namespace pawl
