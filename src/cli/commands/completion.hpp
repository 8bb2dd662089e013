#pragma once

#include "cli/parse/command_line.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::cli {

struct Suggestion {
    std::string word;
    std::string what;  // for shells that show it

    bool operator==(const Suggestion&) const = default;
};

// What may stand for the last of some words.
struct Completion {
    enum class Names {
        none,
        files,  // which the shell knows
        workflows,
        runs,
        tasks,
        schedules,
        jobs,
        tenants,
    };
    std::vector<Suggestion> words;
    Names names = Names::none;  // what the database has to be asked for
    std::string prefix;         // of all of them
    std::string tenant;         // what the words before say; empty: nothing
    std::string database_url;
};

Completion complete(const std::vector<CommandPage>& pages, const std::vector<std::string>& words);

// What a shell reads to have `pawl complete` asked; nothing for one that is not known.
std::optional<std::string_view> completion_script(std::string_view shell);

}  // namespace pawl::cli
