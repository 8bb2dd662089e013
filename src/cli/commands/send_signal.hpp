#pragma once

#include "cli/door/door.hpp"

#include <string>

namespace pawl::cli {

// What a person says about a step of a run.
struct StepNote {
    const std::string& node;
    const std::string& by;
    const std::string& reason;
};
// Whether it can be kept.
Result<void> check_note(const StepNote& note);

// A message for a run: where it goes (runs/ID/PATH), with what, and what it is called when it was
// sent.
struct Message {
    std::string path;
    std::string kind;
    json::object body;
};

// Sends it, prints that, and returns the exit code.
int send_message(const Globals& globals, const std::string& run, Message message);

}  // namespace pawl::cli
