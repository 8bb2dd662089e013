#pragma once

#include <string>
#include <string_view>

namespace pawl {

// What is wrong with the query of an audience, as far as its text tells: it is one SELECT (or WITH,
// VALUES, TABLE) without parameters and templates. Empty: nothing. Whether it has a column
// `subject`, only the database knows.
std::string audience_problem(std::string_view query);

// The text without the semicolon and the blanks at its end.
std::string_view trimmed_query(std::string_view query);

// What is wrong with the time of a day, such as 09:00; empty: nothing.
std::string local_time_problem(std::string_view text);

}  // namespace pawl
