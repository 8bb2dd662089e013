#pragma once

#include "base/clock.hpp"

#include <string>
#include <string_view>

namespace pawl {

// What a loop says about a trouble that it meets again and again: once when it begins, again when
// it becomes another one, and once when it is over. The same line every second would hide all
// others.
class Complaint {
public:
    explicit Complaint(std::string what) : what_(std::move(what)) {}

    void failed(std::string_view why);
    void fine();
    bool complains() const { return !why_.empty(); }

private:
    std::string what_;  // "schedules could not be processed"
    std::string why_;   // empty: it works
    Steady::time_point said_{};
};

}  // namespace pawl
