#include "steps/storable_text.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace pawl::steps {

bool is_storable(std::string_view text) {
    return is_utf8(text);
}

bool is_storable(const boost::json::value& value) {
    switch (value.kind()) {
        case boost::json::kind::string: return is_storable(std::string_view(value.get_string()));
        case boost::json::kind::array:
            return std::all_of(
                value.get_array().begin(),
                value.get_array().end(),
                [](const boost::json::value& item) { return is_storable(item); }
            );
        case boost::json::kind::object:
            return std::all_of(
                value.get_object().begin(),
                value.get_object().end(),
                [](const boost::json::key_value_pair& member) {
                    return is_storable(std::string_view(member.key())) &&
                           is_storable(member.value());
                }
            );
        default: return true;
    }
}

std::string storable(std::string_view text, std::size_t bytes_max) {
    return as_utf8(text, bytes_max);
}

}  // namespace pawl::steps
