#pragma once

#include <string_view>

namespace pawl {

// The name of a person without the blanks around it.
std::string_view person_name(std::string_view written);
// Whether two names are of one person: blanks around them and upper case do not count. The database
// has the same rule: pawl.is_same_person.
bool is_same_person(std::string_view a, std::string_view b);

}  // namespace pawl
