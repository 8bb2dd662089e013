#pragma once

#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace pawl::cli {

// The value of NAME in lines of NAME=value, as a shell would read them: comments, an optional
// "export", values bare or in single or double quotes. The last one wins.
inline std::optional<std::string> env_file_value(const std::string& text, std::string_view name) {
    std::optional<std::string> found;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::string_view rest = line;
        while (!rest.empty() && (rest.back() == '\r' || rest.back() == ' ')) rest.remove_suffix(1);
        if (rest.starts_with("export ")) rest.remove_prefix(7);
        if (!rest.starts_with(name) || rest.size() <= name.size() || rest[name.size()] != '=') {
            continue;
        }
        rest.remove_prefix(name.size() + 1);
        const bool quoted = rest.size() >= 2 && rest.front() == rest.back() &&
                            (rest.front() == '\'' || rest.front() == '"');
        if (quoted) rest = rest.substr(1, rest.size() - 2);
        found = std::string(rest);
    }
    return found;
}

}  // namespace pawl::cli
