#pragma once

#include "cli/parse/globals.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pawl::cli {

struct VersionsOptions {
    enum class Action {
        list,
        history,
        diff,
        activate,
        canary,
        retire,
        unretire,
        switch_off,
        switch_on,
        impact,
        migrate,
        rollback
    };
    Globals globals;
    Action action = Action::list;
    std::string name;
    std::string version;  // a number or a label
    std::string other;
    std::vector<std::string> from;
    std::vector<std::string> map;     // OLD=NEW
    std::vector<std::string> shares;  // VERSION=PERCENT
    std::string subject;
    std::string reason;
    std::string by;
    bool clear = false;
    bool drain = false;
    bool repin = false;
    bool dry_run = false;
    bool yes = false;
    bool no_wait = false;
};

}  // namespace pawl::cli
