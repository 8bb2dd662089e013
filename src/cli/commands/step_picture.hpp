#pragma once

#include "base/json.hpp"
#include "cli/terminal/globals.hpp"

#include <boost/json/array.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace pawl::cli {

// The steps of a run as they go. On a terminal it draws over what it drew before; else it writes
// the lines that changed. The globals outlive it.
class StepPicture {
public:
    // On stdout or stderr.
    StepPicture(const Globals& globals, std::FILE* stream);

    // The steps as the API has them (runs/ID/steps).
    void draw(const json::array& steps);

private:
    void write(std::string_view line);

    const Globals& globals_;
    std::FILE* stream_;
    bool terminal_;
    std::vector<std::string> drawn_;
};

}  // namespace pawl::cli
