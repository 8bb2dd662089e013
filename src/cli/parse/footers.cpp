#include "cli/parse/footers.hpp"

#include "cli/parse/registry.hpp"

#include <fmt/format.h>

#include <vector>

namespace pawl::cli {

namespace {

constexpr std::size_t page_width = 80;
// A group of commands shows so many; each command shows all of its own.
constexpr std::size_t group_max = 6;

void append(std::string& page, const Example& example) {
    if (example.remark.empty()) {
        page += fmt::format("\n  {}", example.line);
    } else if (example.line.size() + example.remark.size() + 6 <= page_width) {
        page += fmt::format("\n  {}  # {}", example.line, example.remark);
    } else {
        page += fmt::format("\n  # {}\n  {}", example.remark, example.line);
    }
}

bool is_below(std::string_view command, std::string_view group) {
    return command.size() > group.size() && command.starts_with(group) &&
           command[group.size()] == ' ';
}

std::vector<Example> shown_for(std::string_view words) {
    std::vector<Example> below;  // the first of each
    for (const Command& command : commands()) {
        if (command.words == words && !command.examples.empty()) return command.examples;
        if (!is_below(command.words, words) || below.size() == group_max) continue;
        if (!command.examples.empty()) below.push_back(command.examples.front());
    }
    return below;
}

}  // namespace

std::string footer_of(std::string_view words) {
    std::string page = "Examples:";
    for (const Example& example : shown_for(words)) append(page, example);
    page +=
        "\n\nOptions of every command (--database-url, --tenant, -o ...) and exit codes:\n"
        "pawl --help";
    return page;
}

std::string footer_of_all() {
    return "Examples:\n"
           "  pawl dev                                      # everything, to try it out\n"
           "  pawl workflows apply -f workflows/hello.yaml  # publish a workflow\n"
           "  pawl run hello --data '{\"name\": \"Ada\"}' --wait\n"
           "  pawl runs list --status failed -o json\n\n"
           "Database: --database-url, else DATABASE_URL, else PGHOST and the other PG*\n"
           "variables, else the one of a `pawl dev` in this folder (.pawl/dev.env).\n\n"
           "Exit codes: 0 ok, 1 error, 2 wrong input, 4 not authorised, 5 the run did not\n"
           "complete, 6 not found, 7 timeout of --wait, 8 conflict, 130 Ctrl-C.";
}

}  // namespace pawl::cli
