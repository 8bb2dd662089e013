#pragma once

#include <boost/preprocessor/cat.hpp>
#include <boost/preprocessor/punctuation/comma_if.hpp>
#include <boost/preprocessor/seq/enum.hpp>
#include <boost/preprocessor/seq/for_each_i.hpp>
#include <boost/preprocessor/seq/seq.hpp>
#include <boost/preprocessor/seq/transform.hpp>
#include <boost/preprocessor/stringize.hpp>
#include <boost/preprocessor/tuple/elem.hpp>
#include <boost/preprocessor/tuple/to_seq.hpp>
#include <boost/preprocessor/variadic/to_seq.hpp>

// In a struct of the log: its members in the order in which they are written, grouped by what
// log_codec.hpp says of them, each under its own name. `also` takes a member whose key is no name
// of C++, or a constant.
//
//     PAWL_LOGGED(Caller, (always, token, visit), (when_set, gates), (also, constant("for", "x")));
#define PAWL_LOGGED(Of, ...)                                                                      \
    bool operator==(const Of&) const = default;                                                   \
    static constexpr auto members() {                                                             \
        return std::tuple(                                                                        \
            BOOST_PP_SEQ_FOR_EACH_I(PAWL_LOGGED_GROUP, Of, BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__)) \
        );                                                                                        \
    }                                                                                             \
    static_assert(true)

#define PAWL_LOGGED_GROUP(r, Of, i, group)              \
    BOOST_PP_COMMA_IF(i)                                \
    BOOST_PP_SEQ_ENUM(BOOST_PP_SEQ_TRANSFORM(           \
        PAWL_LOGGED_ONE,                                \
        (Of, BOOST_PP_TUPLE_ELEM(0, group)),            \
        BOOST_PP_SEQ_TAIL(BOOST_PP_TUPLE_TO_SEQ(group)) \
    ))
#define PAWL_LOGGED_ONE(s, of_and_kind, member)                     \
    BOOST_PP_CAT(PAWL_LOGGED_, BOOST_PP_TUPLE_ELEM(1, of_and_kind)) \
    (BOOST_PP_TUPLE_ELEM(0, of_and_kind), member)

#define PAWL_LOGGED_always(Of, member) always(BOOST_PP_STRINGIZE(member), &Of::member)
#define PAWL_LOGGED_when_set(Of, member) when_set(BOOST_PP_STRINGIZE(member), &Of::member)
#define PAWL_LOGGED_truth(Of, member) truth(BOOST_PP_STRINGIZE(member), &Of::member)
#define PAWL_LOGGED_always_truth(Of, member) truth(BOOST_PP_STRINGIZE(member), &Of::member, true)
#define PAWL_LOGGED_all_of(Of, member) all_of(&Of::member)
#define PAWL_LOGGED_also(Of, member) member
