#pragma once

#include <string>

namespace pawl::app {

enum class Verdict { ok, warn, fail };

// One line of `pawl doctor`, and of GET /v1/doctor.
struct Finding {
    std::string check;
    Verdict verdict = Verdict::ok;
    std::string detail;
    std::string next;  // what to do about it; empty when there is nothing to do
};

inline const char* name(Verdict verdict) {
    return verdict == Verdict::ok ? "ok" : verdict == Verdict::warn ? "warn" : "fail";
}

}  // namespace pawl::app
