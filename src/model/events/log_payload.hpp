#pragma once

#include "base/json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <utility>
#include <variant>

namespace pawl::events {

// A value of a user in the log: an input, a result, the data of an event. Read, it is seen where it
// stands, so the event must outlive it; given to be written, it is held and moved into the event.
class Payload {
public:
    Payload() = default;
    Payload(const json::value* seen) : value_(seen) {}
    Payload(json::value given) : value_(std::move(given)) {}
    Payload(json::object given) : value_(json::value(std::move(given))) {}
    Payload(json::array given) : value_(json::value(std::move(given))) {}

    // Null: there is none.
    const json::value* get() const {
        const auto* seen = std::get_if<const json::value*>(&value_);
        return seen != nullptr ? *seen : &std::get<json::value>(value_);
    }
    explicit operator bool() const { return get() != nullptr; }
    const json::value& operator*() const { return *get(); }
    const json::value* operator->() const { return get(); }

    // What is there, null when nothing is: moved if it was given, copied if it was seen.
    json::value take() && {
        if (auto* given = std::get_if<json::value>(&value_)) return std::move(*given);
        const json::value* seen = get();
        return seen == nullptr ? json::value() : *seen;
    }

    bool operator==(const Payload& other) const {
        const json::value* own = get();
        const json::value* theirs = other.get();
        return own == theirs || (own != nullptr && theirs != nullptr && *own == *theirs);
    }

private:
    std::variant<const json::value*, json::value> value_{nullptr};
};

}  // namespace pawl::events
