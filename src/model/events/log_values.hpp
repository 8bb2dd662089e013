#pragma once

#include "base/clock.hpp"
#include "model/event.hpp"
#include "model/events/log_payload.hpp"

#include <boost/json/array.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// How single values stand in the log. A value that is not what it should be is left out.
namespace pawl::events {

// Tokens, edges, records or items, by number.
using Numbers = std::vector<std::uint32_t>;

inline Instant instant_of(std::int64_t micros) {
    return Instant(Duration(micros));
}
inline std::int64_t micros_of(Instant at) {
    return at.time_since_epoch().count();
}

void decode(const json::value& value, std::string_view& text);
void decode(const json::value& value, std::optional<std::string_view>& text);
void decode(const json::value& value, std::string& text);
void decode(const json::value& value, std::int32_t& number);
void decode(const json::value& value, std::uint32_t& number);
void decode(const json::value& value, std::optional<std::int64_t>& number);
void decode(const json::value& value, std::optional<Instant>& at);  // microseconds since 1970
void decode(const json::value& value, Numbers& list);
void decode(const json::value& value, std::optional<Numbers>& list);
void decode(const json::value& value, std::vector<std::int64_t>& list);
void decode(const json::value& value, std::vector<std::string>& list);
void decode(const json::value& value, json::array& list);
void decode(const json::value& value, json::value& any);
void decode(const json::value& value, RunStatus& status);
inline void decode(const json::value& value, Payload& payload) {
    payload = Payload(&value);
}

json::value encode(std::string_view text);
json::value encode(std::optional<std::string_view> text);
json::value encode(const std::string& text);
json::value encode(std::int32_t number);
json::value encode(std::uint32_t number);
json::value encode(bool flag);
json::value encode(std::optional<std::int64_t> number);
json::value encode(std::optional<Instant> at);
json::value encode(const Numbers& list);
json::value encode(const std::optional<Numbers>& list);
json::value encode(const std::vector<std::int64_t>& list);
json::value encode(const std::vector<std::string>& list);
json::value encode(RunStatus status);
inline json::value encode(json::array&& list) {
    return json::value(std::move(list));
}
inline json::value encode(json::value&& any) {
    return std::move(any);
}
inline json::value encode(Payload&& payload) {
    return std::move(payload).take();
}

// Whether there is something to write.
inline bool is_set(std::string_view text) {
    return !text.empty();
}
inline bool is_set(const std::string& text) {
    return !text.empty();
}
inline bool is_set(const json::value& any) {
    return !any.is_null();
}
inline bool is_set(const Payload& payload) {
    return static_cast<bool>(payload);
}
inline bool is_set(bool flag) {
    return flag;
}
inline bool is_set(std::int32_t number) {
    return number != 0;
}
inline bool is_set(std::uint32_t number) {
    return number != 0;
}
inline bool is_set(RunStatus) {
    return true;
}
template <class T>
bool is_set(const std::optional<T>& value) {
    return value.has_value();
}
template <class T>
bool is_set(const std::vector<T>& list) {
    return !list.empty();
}
inline bool is_set(const json::array& list) {
    return !list.empty();
}

}  // namespace pawl::events
