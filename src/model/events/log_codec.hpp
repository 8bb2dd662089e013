#pragma once

#include "model/event.hpp"
#include "model/events/log_values.hpp"
#include "model/events/logged.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

// Between the structs of the log and its JSON. A struct lists its members with their keys, in the
// order in which they are written: the same list reads it, writes it, and says what the log holds.
//
// Reading is total and takes what it knows: a member of a later release is not looked at, one that
// is not what it should be counts as absent. Nothing is copied but numbers and short lists.
namespace pawl::events {

// One member: under which key, and whether it is written when it says nothing.
template <class Of, class Type>
struct Member {
    std::string_view key;
    Type Of::*place;
    bool always = false;
    bool strict = false;  // of a bool: only `true` counts; else that it is there at all
};

template <class Of, class Type>
constexpr Member<Of, Type> always(std::string_view key, Type Of::*place) {
    return {key, place, true};
}
template <class Of, class Type>
constexpr Member<Of, Type> when_set(std::string_view key, Type Of::*place) {
    return {key, place};
}
// A bool that holds only where the log says `true`.
template <class Of>
constexpr Member<Of, bool> truth(std::string_view key, bool Of::*place, bool written = false) {
    return {key, place, written, true};
}

// A member that says which struct it is.
struct Constant {
    std::string_view key;
    std::string_view text;
};
constexpr Constant constant(std::string_view key, std::string_view text) {
    return {key, text};
}

// Members that several structs have; they stand among the others.
template <class Of, class Part>
struct Members {
    Part Of::*place;
};
template <class Of, class Part>
constexpr Members<Of, Part> all_of(Part Of::*place) {
    return {place};
}

template <class T>
concept Logged = requires { T::members(); };

// The text of a payload; empty when it is none.
inline std::string_view text(const Payload& payload) {
    std::string_view found;
    if (payload) decode(*payload, found);
    return found;
}

template <Logged T>
T read(const json::value& data);
template <Logged T>
T read(const json::object& data);
template <Logged T>
json::object write(T written, json::object onto = {});

// --- Values that have members themselves ---

template <Logged T>
void decode(const json::value& value, T& part) {
    part = read<T>(value);
}
template <Logged T>
void decode(const json::value& value, std::optional<T>& part) {
    part = read<T>(value);
}
template <Logged T>
void decode(const json::value& value, std::vector<T>& list) {
    const json::array* found = value.if_array();
    if (found == nullptr) return;
    list.reserve(found->size());
    for (const json::value& one : *found) list.push_back(read<T>(one));
}
template <Logged T>
json::value encode(std::optional<T> part) {
    return write(std::move(*part));
}
template <Logged T>
json::value encode(std::vector<T> list) {
    json::array all;
    all.reserve(list.size());
    for (T& one : list) all.push_back(write(std::move(one)));
    return all;
}

// --- The walk over the members ---

template <class T, class Visit>
constexpr void for_each_member(Visit visit) {
    std::apply([&visit](const auto&... member) { (visit(member), ...); }, T::members());
}

// Until one of them is the one.
template <class T, class Visit>
constexpr bool any_member(Visit visit) {
    return std::apply(
        [&visit](const auto&... member) { return (visit(member) || ...); }, T::members()
    );
}

namespace detail {

template <class Of, class Type>
void take_value(const json::value& value, Type& into, const Member<Of, Type>& member) {
    if constexpr (std::is_same_v<Type, bool>) {
        into = !member.strict || (value.is_bool() && value.get_bool());
    } else {
        decode(value, into);
    }
}
template <class Of, class Type>
void take_member(const json::value& value, Of& into, const Member<Of, Type>& member) {
    take_value(value, into.*member.place, member);
}

// Looks a member up.
template <class Of, class Type>
void read_member(const json::object& data, Of& into, const Member<Of, Type>& member) {
    if (const json::value* value = data.if_contains(member.key)) take_member(*value, into, member);
}
template <class Of>
void read_member(const json::object&, Of&, const Constant&) {}
template <class Of, class Part>
void read_member(const json::object& data, Of& into, const Members<Of, Part>& part) {
    for_each_member<Part>([&](const auto& member) { read_member(data, into.*part.place, member); });
}

// Something that the log has, and by which key.
struct Found {
    std::string_view key;
    const json::value& value;
};

// Takes it, if it is this member; false: it may be another one.
template <class Of, class Type>
bool offer_member(const Found& one, Of& into, const Member<Of, Type>& member) {
    if (one.key != member.key) return false;
    take_member(one.value, into, member);
    // Where it is no list it may be a mark under the same key (StepFailed).
    return !std::is_same_v<Type, Numbers> || one.value.is_array();
}
template <class Of>
bool offer_member(const Found&, Of&, const Constant&) {
    return false;
}
template <class Of, class Part>
bool offer_member(const Found& one, Of& into, const Members<Of, Part>& part) {
    return any_member<Part>([&](const auto& member) {
        return offer_member(one, into.*part.place, member);
    });
}

template <class Of, class Type>
std::size_t count_member(const Of& from, const Member<Of, Type>& member) {
    return member.always || is_set(from.*member.place) ? 1 : 0;
}
template <class Of>
std::size_t count_member(const Of&, const Constant&) {
    return 1;
}
template <class Of, class Part>
std::size_t count_member(const Of& from, const Members<Of, Part>& part) {
    std::size_t count = 0;
    for_each_member<Part>([&](const auto& member) {
        count += count_member(from.*part.place, member);
    });
    return count;
}

template <class Of, class Type>
void write_member(json::object& data, Of& from, const Member<Of, Type>& member) {
    if (!member.always && !is_set(from.*member.place)) return;
    data.insert_or_assign(member.key, encode(std::move(from.*member.place)));
}
template <class Of>
void write_member(json::object& data, Of&, const Constant& member) {
    data.insert_or_assign(member.key, member.text);
}
template <class Of, class Part>
void write_member(json::object& data, Of& from, const Members<Of, Part>& part) {
    for_each_member<Part>([&](const auto& member) { write_member(data, from.*part.place, member); }
    );
}

}  // namespace detail

// What the data of an event, a message or a wait says. It sees texts and payloads where they stand.
template <Logged T>
T read(const json::object& data) {
    // Events have few members, structs many: to go through the former is quicker than to look up
    // the latter. A user's object may have any number.
    constexpr std::size_t few = 16;
    T found;
    if (data.size() > few) {
        for_each_member<T>([&](const auto& member) { detail::read_member(data, found, member); });
        return found;
    }
    for (const json::key_value_pair& has : data) {
        const detail::Found one{has.key(), has.value()};
        any_member<T>([&](const auto& member) { return detail::offer_member(one, found, member); });
    }
    return found;
}
template <Logged T>
T read(const json::value& data) {
    const json::object* object = data.if_object();
    return object == nullptr ? T() : read<T>(*object);
}
template <Logged T>
T read(const Event& event) {
    return read<T>(event.data);
}
// One member alone, in one look-up: a start has many, and most readers want one of them.
template <class Of, class Type>
Type read_one(const json::value& data, Type Of::*place) {
    static const Of absent;
    Type found = absent.*place;
    const json::object* object = data.if_object();
    if (object == nullptr) return found;
    any_member<Of>([&](const auto& member) {
        if constexpr (std::is_same_v<std::decay_t<decltype(member)>, Member<Of, Type>>) {
            if (member.place != place) return false;
            const json::value* value = object->if_contains(member.key);
            if (value != nullptr) detail::take_value(*value, found, member);
            return true;
        } else {
            return false;
        }
    });
    return found;
}
// It would see what is gone.
template <class Of, class Type>
Type read_one(const json::value&& data, Type Of::*place) = delete;
template <Logged T>
T read(const json::value&& data) = delete;
template <Logged T>
T read(const json::object&& data) = delete;

// The members that say something, after those of `onto`, which stay as they are.
template <Logged T>
json::object write(T written, json::object onto) {
    std::size_t count = onto.size();
    for_each_member<T>([&](const auto& member) { count += detail::count_member(written, member); });
    onto.reserve(count);
    for_each_member<T>([&](const auto& member) { detail::write_member(onto, written, member); });
    return onto;
}

}  // namespace pawl::events
