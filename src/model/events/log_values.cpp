#include "model/events/log_values.hpp"

#include "base/json.hpp"

#include <limits>

namespace pawl::events {

namespace {

std::string_view text_of(const json::value& value) {
    const json::string* text = value.if_string();
    return text == nullptr ? std::string_view() : std::string_view(*text);
}

// A number that counts or names something.
std::optional<std::int32_t> small(const json::value& value) {
    const auto number = whole_number(&value);
    const bool fits = number && *number >= 0 && *number <= std::numeric_limits<std::int32_t>::max();
    return fits ? std::optional(static_cast<std::int32_t>(*number)) : std::nullopt;
}

}  // namespace

void decode(const json::value& value, std::string_view& text) {
    text = text_of(value);
}

void decode(const json::value& value, std::optional<std::string_view>& text) {
    if (value.is_string()) text = text_of(value);
}

void decode(const json::value& value, std::string& text) {
    text = text_of(value);
}

void decode(const json::value& value, std::int32_t& number) {
    number = small(value).value_or(0);
}

void decode(const json::value& value, std::uint32_t& number) {
    number = static_cast<std::uint32_t>(small(value).value_or(0));
}

void decode(const json::value& value, std::optional<std::int64_t>& number) {
    number = whole_number(&value);
}

void decode(const json::value& value, std::optional<Instant>& at) {
    if (const auto micros = whole_number(&value)) at = instant_of(*micros);
}

void decode(const json::value& value, Numbers& list) {
    const json::array* found = value.if_array();
    if (found == nullptr) return;
    list.reserve(found->size());
    for (const json::value& one : *found) {
        if (const auto number = small(one)) list.push_back(static_cast<std::uint32_t>(*number));
    }
}

void decode(const json::value& value, std::optional<Numbers>& list) {
    if (value.is_array()) decode(value, list.emplace());
}

void decode(const json::value& value, std::vector<std::int64_t>& list) {
    const json::array* found = value.if_array();
    if (found == nullptr) return;
    list.reserve(found->size());
    for (const json::value& one : *found) {
        if (const auto number = whole_number(&one)) list.push_back(*number);
    }
}

void decode(const json::value& value, std::vector<std::string>& list) {
    const json::array* found = value.if_array();
    if (found == nullptr) return;
    list.reserve(found->size());
    for (const json::value& one : *found) {
        if (one.is_string()) list.emplace_back(text_of(one));
    }
}

void decode(const json::value& value, json::array& list) {
    if (const json::array* found = value.if_array()) list = *found;
}

void decode(const json::value& value, json::value& any) {
    any = value;
}

void decode(const json::value& value, RunStatus& status) {
    const std::string_view text = text_of(value);
    status = text == name(RunStatus::cancelled)   ? RunStatus::cancelled
             : text == name(RunStatus::completed) ? RunStatus::completed
                                                  : RunStatus::failed;
}

json::value encode(std::string_view text) {
    return json::value(text);
}

json::value encode(std::optional<std::string_view> text) {
    return json::value(text.value_or(std::string_view()));
}

json::value encode(const std::string& text) {
    return json::value(text);
}

json::value encode(std::int32_t number) {
    return json::value(number);
}

json::value encode(std::uint32_t number) {
    return json::value(number);
}

json::value encode(bool flag) {
    return json::value(flag);
}

json::value encode(std::optional<std::int64_t> number) {
    return json::value(number.value_or(0));
}

json::value encode(std::optional<Instant> at) {
    return json::value(micros_of(at.value_or(Instant{})));
}

json::value encode(const Numbers& list) {
    return json::array(list.begin(), list.end());
}

json::value encode(const std::optional<Numbers>& list) {
    return list ? encode(*list) : json::value(json::array());
}

json::value encode(const std::vector<std::int64_t>& list) {
    return json::array(list.begin(), list.end());
}

json::value encode(const std::vector<std::string>& list) {
    return json::array(list.begin(), list.end());
}

json::value encode(RunStatus status) {
    return json::value(name(status));
}

}  // namespace pawl::events
