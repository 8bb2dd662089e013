#pragma once

#include "app/numbers/funnel.hpp"

#include <string>

namespace pawl::app {

json::object to_json(const Funnel& funnel);
json::object to_json(const store::PersonPlace& place);
json::object to_json(const store::Projection& projection);

// Lines of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets a ' in front.
std::string csv_line(const std::vector<std::string>& fields);
// One line for each count, with a first line of names.
std::string to_csv(const Funnel& funnel);
// The names, and one line of a person.
std::string place_csv_head();
std::string to_csv(const store::PersonPlace& place);

}  // namespace pawl::app
