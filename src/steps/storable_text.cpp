#include "steps/storable_text.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <utility>

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

boost::json::value storable(boost::json::value value) {
    if (is_storable(value)) return value;
    if (auto* text = value.if_string()) *text = as_utf8(*text, text->size());
    if (auto* items = value.if_array()) {
        for (boost::json::value& item : *items) item = storable(std::move(item));
    }
    if (auto* members = value.if_object()) {
        boost::json::object kept;
        for (auto& [key, member] : *members) {
            kept.insert_or_assign(as_utf8(key, key.size()), storable(std::move(member)));
        }
        *members = std::move(kept);
    }
    return value;
}

std::string storable(std::string_view text, std::size_t bytes_max) {
    return as_utf8(text, bytes_max);
}

}  // namespace pawl::steps
