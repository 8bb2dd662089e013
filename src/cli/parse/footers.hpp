#pragma once

#include <string>
#include <string_view>

// What --help shows below the options.
namespace pawl::cli {

// The end of the page of a command, or of a group of them: "runs list", "runs".
std::string footer_of(std::string_view words);
// The end of the first page.
std::string footer_of_all();

}  // namespace pawl::cli
