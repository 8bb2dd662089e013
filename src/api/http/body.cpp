#include "api/http/body.hpp"

#include "model/json_pointer.hpp"
#include "model/person.hpp"
#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::api {

namespace {

// Of UTF-8 that was checked when it was parsed.
std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    }));
}

}  // namespace

const json::value* Body::look(std::string_view key) {
    known_.push_back(key);
    const json::value* value = object_.if_contains(key);
    return value == nullptr || value->is_null() ? nullptr : value;
}

std::optional<std::string> Body::text(std::string_view key, std::size_t length_max) {
    const json::value* value = look(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) {
        wrong(key, "must be text");
        return std::nullopt;
    }
    const std::string_view text = value->get_string();
    if (text.empty() || characters(text) > length_max) {
        wrong(key, fmt::format("must have 1 to {} characters", length_max));
        return std::nullopt;
    }
    return std::string(text);
}

std::optional<std::string> Body::name(std::string_view key, std::size_t bytes_max) {
    auto found = text(key, bytes_max);
    if (!found || found->size() <= bytes_max) return found;
    wrong(key, fmt::format("must have at most {} bytes", bytes_max));
    return std::nullopt;
}

std::optional<std::string> Body::person(std::string_view key, std::size_t bytes_max) {
    auto found = name(key, bytes_max);
    if (!found) return found;
    std::string bare = person_name(*found);
    if (!bare.empty()) return bare;
    wrong(key, "must name a person");
    return std::nullopt;
}

std::optional<std::int64_t> Body::whole(std::string_view key, std::int64_t min, std::int64_t max) {
    const json::value* value = look(key);
    if (value == nullptr) return std::nullopt;
    const std::int64_t* number = value->if_int64();
    if (number == nullptr || *number < min || *number > max) {
        wrong(key, fmt::format("must be a whole number from {} to {}", min, max));
        return std::nullopt;
    }
    return *number;
}

std::optional<bool> Body::flag(std::string_view key) {
    const json::value* value = look(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_bool()) {
        wrong(key, "must be true or false");
        return std::nullopt;
    }
    return value->get_bool();
}

const json::object* Body::object(std::string_view key) {
    const json::value* value = look(key);
    if (value == nullptr) return nullptr;
    if (!value->is_object()) wrong(key, "must be an object");
    return value->if_object();
}

const json::array* Body::array(std::string_view key) {
    const json::value* value = look(key);
    if (value == nullptr) return nullptr;
    if (!value->is_array()) wrong(key, "must be a list");
    return value->if_array();
}

const json::value* Body::any(std::string_view key) {
    return look(key);
}

void Body::wrong(std::string_view key, std::string detail) {
    places_.push_back({pointer_to(key), "", std::move(detail)});
}

void Body::refuse_unknown() {
    for (const auto& [key, value] : object_) {
        if (places_.size() > places_shown_max)
            return;  // one more: the answer says that there are more
        if (std::find(known_.begin(), known_.end(), std::string_view(key)) != known_.end()) {
            continue;
        }
        wrong(key, fmt::format("is not known here{}", suggest(key, known_)));
    }
}

std::string Body::pointer_to(std::string_view key) const {
    return pointer_ + "/" + escaped(key);
}

void refuse_if_wrong(std::vector<ProblemPlace> places) {
    if (places.empty()) return;
    std::string detail = summary_of(places);
    refuse_places(std::move(detail), std::move(places));
}

}  // namespace pawl::api
