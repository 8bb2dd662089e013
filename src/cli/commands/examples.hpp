#pragma once

#include <span>
#include <string>
#include <string_view>

// What --help shows beside the options. All examples are in one table, and a test parses each.
namespace pawl::cli {

struct Example {
    std::string_view command;  // "runs list"; the group of commands has the first of each of them
    std::string_view line;
    std::string_view remark = {};
};

std::span<const Example> examples();

// The end of the page of a command, or of a group of them.
std::string footer_of(std::string_view command);
// The end of the first page.
std::string footer_of_all();

}  // namespace pawl::cli
