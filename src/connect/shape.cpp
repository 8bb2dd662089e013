#include "connect/shape.hpp"

#include "base/json.hpp"

#include <fmt/core.h>

namespace pawl::connect {

namespace {

bool is_left_out(const json::object& object, const Roots& roots) {
    const auto holds = [&](const json::value* test) {
        auto match = Match::parse(*test);
        return match && match->holds(roots);
    };
    const json::value* when = object.if_contains("$when");
    const json::value* unless = object.if_contains("$unless");
    return (when != nullptr && !holds(when)) || (unless != nullptr && holds(unless));
}

Result<json::value> fill_object(const json::object& object, const Roots& roots) {
    if (is_left_out(object, roots)) return json::value(nullptr);
    if (const json::value* value = object.if_contains("$value")) return fill_shape(*value, roots);
    json::object out;
    for (const auto& [key, item] : object) {
        if (key.starts_with("$")) continue;
        auto value = fill_shape(item, roots);
        if (!value) return value;
        if (!value->is_null()) out[key] = std::move(*value);
    }
    if (out.empty() && !object.empty()) return json::value(nullptr);
    return json::value(std::move(out));
}

Error at(const std::string& place, std::string_view what) {
    return {Errc::invalid, fmt::format("{}: {}", place, what), {}};
}

Result<void> check_object(const json::object& object, const std::string& place) {
    for (const auto& [key, item] : object) {
        const std::string inner = fmt::format("{}.{}", place, std::string_view(key));
        if (key == "$when" || key == "$unless") {
            if (auto match = Match::parse(item); !match) return at(inner, match.error().message);
        } else if (key.starts_with("$") && key != "$value") {
            return at(inner, "is unknown: known are $when, $unless and $value");
        } else if (auto done = check_shape(item, inner); !done) {
            return done;
        }
    }
    return {};
}

void collect(const json::value& shape, std::vector<std::string>& found) {
    if (const auto* text = shape.if_string()) {
        found.emplace_back(*text);
    } else if (const auto* list = shape.if_array()) {
        for (const json::value& item : *list) collect(item, found);
    } else if (const auto* object = shape.if_object()) {
        for (const auto& [key, item] : *object) {
            if (key != "$when" && key != "$unless") {
                collect(item, found);
            } else if (auto match = Match::parse(item)) {
                for (std::string& one : match->templates()) found.push_back(std::move(one));
            }
        }
    }
}

}  // namespace

Result<json::value> fill_shape(const json::value& shape, const Roots& roots) {
    if (shape.is_string()) return render(shape, roots.lookup());
    if (const auto* object = shape.if_object()) return fill_object(*object, roots);
    const auto* list = shape.if_array();
    if (list == nullptr) return shape;
    json::array out;
    for (const json::value& item : *list) {
        auto value = fill_shape(item, roots);
        if (!value) return value;
        if (!value->is_null()) out.push_back(std::move(*value));
    }
    return json::value(std::move(out));
}

Result<void> check_shape(const json::value& shape, const std::string& place) {
    if (const auto* object = shape.if_object()) return check_object(*object, place);
    if (const auto* list = shape.if_array()) {
        for (std::size_t i = 0; i < list->size(); ++i) {
            auto done = check_shape((*list)[i], fmt::format("{}[{}]", place, i));
            if (!done) return done;
        }
    }
    if (!shape.is_string()) return {};
    if (auto found = placeholders(shape); !found) return at(place, found.error().message);
    return {};
}

std::vector<std::string> templates_in(const json::value& shape) {
    std::vector<std::string> found;
    collect(shape, found);
    return found;
}

}  // namespace pawl::connect
