#pragma once

#include <optional>
#include <sstream>
#include <string>

namespace pawl::dev {

// What a server writes into its data directory while it runs (postmaster.pid).
struct PostmasterPid {
    int pid = 0;
    bool ready = false;  // it takes connections
};

// Nothing when the text is not one, or was only begun.
inline std::optional<PostmasterPid> parse_postmaster_pid(const std::string& text) {
    std::istringstream in(text);
    PostmasterPid found;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        if (number == 1) {
            if (line.empty() || line.size() > 9) return std::nullopt;
            if (line.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
            found.pid = std::stoi(line);
        }
        // Padded with blanks to a fixed width: "ready   ".
        if (number == 8) found.ready = line.starts_with("ready");
    }
    if (found.pid <= 0) return std::nullopt;
    return found;
}

}  // namespace pawl::dev
