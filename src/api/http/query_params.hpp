#pragma once

#include "api/http/api_call.hpp"
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/number_text.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pawl::api {

// Query parameters, checked; each throws Refused (400) with the parameter's name.

inline constexpr int limit_default = 50;
inline constexpr int limit_max = 1000;

int limit_of(const Call& call);
std::string text_param(const Call& call, std::string_view name);  // empty: not given
std::optional<Instant> time_param(const Call& call, std::string_view name);
std::optional<bool> flag_param(const Call& call, std::string_view name);
// Refuses parameters that are not among `known`: a misspelt filter must not match everything.
void only_params(const Call& call, const std::vector<std::string_view>& known);

// The run of a path; 404 when the text cannot be an id.
RunId run_param(const Call& call);
// The task of a path; likewise.
Uuid task_param(const Call& call);

// Cursors are opaque to callers: base64url of what the next page begins after.
std::string make_cursor(std::string_view place);
// Empty when there is none.
std::string cursor_of(const Call& call);
[[noreturn]] void refuse_cursor();
// A cursor that counts; 400 when it does not.
template <class Number = std::int32_t>
Number number_cursor(const std::string& place) {
    const auto number = read_number<Number>(place);
    if (!number) refuse_cursor();
    return *number;
}
// A cursor that is a time and the id of what happened then.
struct TimeCursor {
    Instant at{};
    Uuid id;
};
std::string time_cursor(Instant at, const Uuid& id);
std::optional<TimeCursor> time_cursor_of(const Call& call);

// Whose rows the caller may see.
store::Tenant tenant_of(const Call& call);

// {"data": ..., "next_cursor": ..., "has_more": ...}
// with the members of `more`.
http::ServerResponse page_response(
    json::array data, const std::optional<std::string>& next, json::object more = {}
);
// The same of items that `view` makes JSON of.
template <class Items, class View>
http::ServerResponse page_response(
    const Items& items, const std::optional<std::string>& next, View view
) {
    json::array data;
    for (const auto& item : items) data.push_back(view(item));
    return page_response(std::move(data), next);
}

// For a list that was asked for one item more than the page has: takes that off. False: there was
// none, and this is the last page.
template <class Items>
bool cut_to(Items& items, int limit) {
    if (items.size() <= static_cast<std::size_t>(limit)) return false;
    items.resize(static_cast<std::size_t>(limit));
    return true;
}

}  // namespace pawl::api
