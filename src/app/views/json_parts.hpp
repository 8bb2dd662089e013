#pragma once

#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/json.hpp"

#include <boost/json/value_from.hpp>
#include <boost/preprocessor/punctuation/comma_if.hpp>
#include <boost/preprocessor/seq/enum.hpp>
#include <boost/preprocessor/seq/for_each_i.hpp>
#include <boost/preprocessor/seq/seq.hpp>
#include <boost/preprocessor/seq/transform.hpp>
#include <boost/preprocessor/stringize.hpp>
#include <boost/preprocessor/tuple/elem.hpp>
#include <boost/preprocessor/tuple/to_seq.hpp>
#include <boost/preprocessor/variadic/to_seq.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pawl::app {

// How a member is shown.

inline json::value shown(Instant at) {
    return json::value(to_rfc3339(at));
}
template <class Tag>
json::value shown(const Id<Tag>& id) {
    return json::value(to_string(id));
}
inline json::value shown(const Uuid& id) {
    return json::value(to_string(id));
}
template <class T>
    requires std::constructible_from<json::value, const T&>
json::value shown(const T& value) {
    return json::value(value);
}
inline json::value shown(const std::vector<std::string>& texts) {
    return json::value_from(texts);
}
// What is not there is null.
template <class T>
json::value shown(const std::optional<T>& value) {
    return value ? shown(*value) : json::value();
}
inline json::value or_null(const std::string& text) {
    return text.empty() ? json::value() : json::value(text);
}

// Sees the value that it is made of: it lives within one expression.
using ShownMember = std::pair<json::string_view, json::value_ref>;

}  // namespace pawl::app

// Puts members of `of` into the object `out` under their own names, each with the function that its
// group begins with:
//     PAWL_SHOW(out, task, (shown, state, title), (or_null, assignee, group));
#define PAWL_SHOW(out, of, ...)                                                               \
    out.insert(                                                                               \
        {BOOST_PP_SEQ_FOR_EACH_I(PAWL_SHOW_GROUP, of, BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__))} \
    )
#define PAWL_SHOW_GROUP(r, of, i, group)                \
    BOOST_PP_COMMA_IF(i)                                \
    BOOST_PP_SEQ_ENUM(BOOST_PP_SEQ_TRANSFORM(           \
        PAWL_SHOW_ONE,                                  \
        (of, BOOST_PP_TUPLE_ELEM(0, group)),            \
        BOOST_PP_SEQ_TAIL(BOOST_PP_TUPLE_TO_SEQ(group)) \
    ))
#define PAWL_SHOW_ONE(s, of_and_how, member) \
    ::pawl::app::ShownMember(                                          \
        BOOST_PP_STRINGIZE(member),                                    \
        BOOST_PP_TUPLE_ELEM(1, of_and_how)                             \
        (BOOST_PP_TUPLE_ELEM(0, of_and_how).member)                    \
    )
