#pragma once

#include "store/repos/funnels.hpp"

#include <optional>
#include <string>

namespace pawl::api {

// Where a page of people begins, as callers get it. Reading throws Refused (400) for anything else.
std::string write_place_cursor(const store::PlaceCursor& cursor);
store::PlaceCursor read_place_cursor(const std::string& cursor);

// The same without the wrapping of a cursor.
std::string place_of(const store::PlaceCursor& cursor);
store::PlaceCursor cursor_at(const std::string& place);

}  // namespace pawl::api
