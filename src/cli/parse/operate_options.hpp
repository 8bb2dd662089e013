#pragma once

#include "cli/parse/globals.hpp"

#include <cstdint>
#include <string>
#include <vector>

// What the commands of whoever operates it were asked to do.
namespace pawl::cli {

struct DeadLettersOptions {
    Globals globals;
    bool replay = false;            // else list
    bool all = false;               // replay all that match
    std::vector<std::string> runs;  // to replay; empty: all that match
    std::string workflow;
    std::string fingerprint;
    int limit = 50;
};

struct SchedulesOptions {
    enum class Action { list, show, pause, resume, trigger, backfill };
    Globals globals;
    Action action = Action::list;
    std::string workflow;  // of a list
    std::string which;     // its id, or the workflow that has it
    std::string reason;
    std::string data;  // of a trigger: JSON, @file, or - for stdin; empty: what the schedule has
    std::string from;
    std::string to;       // empty: now
    bool cancel = false;  // the backfill that is under way
    bool wait = false;    // until workers came to all slots of a backfill
};

struct LimitsOptions {
    enum class Action { list, set, clear };
    Globals globals;
    Action action = Action::list;
    std::string workflow;  // empty: shared
    std::string name;
    std::string key;  // empty: every key
    std::int32_t limit = 0;
};

struct JobsOptions {
    enum class Action { list, show, watch, cancel };
    Globals globals;
    Action action = Action::list;
    std::string id;
    std::string status;  // empty: all
    std::string by;
    int limit = 50;
};

}  // namespace pawl::cli
