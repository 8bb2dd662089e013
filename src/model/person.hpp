#pragma once

#include <string>
#include <string_view>

namespace pawl {

// The name of a person without the blanks around it, and with one blank where several were. All of
// Unicode's space separators are blanks: names are pasted from documents and web pages, where
// no-break spaces look the same. The database has the same rule: pawl.person_name.
std::string person_name(std::string_view written);
// Whether two names are of one person: such blanks and upper case (A to Z) do not count. The
// database has the same rule: pawl.is_same_person.
bool is_same_person(std::string_view a, std::string_view b);

}  // namespace pawl
