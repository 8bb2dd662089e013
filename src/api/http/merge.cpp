#include "api/http/merge.hpp"

namespace pawl::api {

void merge(json::object& into, const json::object& from) {
    for (const auto& [key, value] : from) {
        json::value& place = into[key];
        if (place.is_object() && value.is_object()) {
            merge(place.get_object(), value.get_object());
        } else if (place.is_array() && value.is_array()) {
            json::array& list = place.get_array();
            list.insert(list.end(), value.get_array().begin(), value.get_array().end());
        } else {
            place = value;
        }
    }
}

}  // namespace pawl::api
