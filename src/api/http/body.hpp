#pragma once

#include "api/http/problem.hpp"
#include "base/json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::api {

// Reads the members of an object of a request and collects everything that is wrong with it, so
// that one answer names it all.
class Body {
public:
    Body(const json::object& object, std::vector<ProblemPlace>& places, std::string pointer = "")
        : object_(object), places_(places), pointer_(std::move(pointer)) {}

    // Absent and null are the same: nothing.
    std::optional<std::string> text(std::string_view key, std::size_t length_max);
    // What stands in an index: its length is in bytes.
    std::optional<std::string> name(std::string_view key, std::size_t bytes_max);
    // The name of a person, without the blanks around it.
    std::optional<std::string> person(std::string_view key, std::size_t bytes_max);
    std::optional<std::int64_t> whole(std::string_view key, std::int64_t min, std::int64_t max);
    std::optional<bool> flag(std::string_view key);
    const json::object* object(std::string_view key);
    const json::array* array(std::string_view key);
    const json::value* any(std::string_view key);

    void wrong(std::string_view key, std::string detail);
    // Where what is wrong is remembered, for a part of the object that is read by itself.
    std::vector<ProblemPlace>& places() { return places_; }
    // Call last: refuses members that no reader asked for, and suggests the likely name.
    void refuse_unknown();
    std::string pointer_to(std::string_view key) const;

private:
    const json::value* look(std::string_view key);

    const json::object& object_;
    std::vector<ProblemPlace>& places_;
    std::string pointer_;
    std::vector<std::string_view> known_;
};

// 422 with all places, unless there are none.
void refuse_if_wrong(std::vector<ProblemPlace> places);

}  // namespace pawl::api
