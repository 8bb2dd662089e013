#pragma once

#include "cli/parse/command_line.hpp"
#include "cli/parse/listen_address.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::cli {

// By which names a server may be called, and how its metrics are read, as it was written.
struct DoorFlags {
    std::vector<std::string> allowed_hosts;
    std::optional<ListenAddress> metrics_listen;
    std::string metrics_key_file;
};

// Only by which names it may be called.
void add_host_flag(App& app, DoorFlags& flags);
void add_door_flags(App& app, DoorFlags& flags);

}  // namespace pawl::cli
