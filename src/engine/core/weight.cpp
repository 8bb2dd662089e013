#include "engine/core/weight.hpp"

namespace pawl::engine {

namespace {

// Depth is limited where JSON is read.
std::size_t weight(const boost::json::value& value) {
    std::size_t bytes = sizeof value;
    if (value.is_string()) {
        bytes += value.get_string().size();
    } else if (value.is_array()) {
        for (const auto& one : value.get_array()) bytes += weight(one);
    } else if (value.is_object()) {
        bytes += pawl::engine::weight(value.get_object());
    }
    return bytes;
}

}  // namespace

std::size_t weight(const boost::json::object& object) {
    std::size_t bytes = sizeof object;
    for (const auto& field : object) {
        bytes += sizeof field + field.key().size() + weight(field.value());
    }
    return bytes;
}

std::size_t weight(const std::vector<Event>& events) {
    std::size_t bytes = events.size() * sizeof(Event);
    for (const Event& event : events) bytes += weight(event.data) + weight(event.error);
    return bytes;
}

}  // namespace pawl::engine
