#pragma once

#include "base/error.hpp"
#include "base/json.hpp"

#include <boost/json/array.hpp>

#include <string_view>

namespace pawl::cli {

// The people of a CSV file as the API takes them. The first line names the columns: key (or id),
// locale and timezone; email, sms, phone, line, push and address.CHANNEL are addresses; the rest
// are attributes. Empty cells are not known. The error names the line.
Result<json::array> people_from_csv(std::string_view text);

}  // namespace pawl::cli
