#pragma once

#include <string>

namespace pawl::cli {

enum class Verdict { ok, warn, fail };

// One line of `pawl doctor`.
struct Finding {
    std::string check;
    Verdict verdict = Verdict::ok;
    std::string detail;
    std::string next;  // what to do about it; empty when there is nothing to do
};

inline const char* name(Verdict verdict) {
    return verdict == Verdict::ok ? "ok" : verdict == Verdict::warn ? "warn" : "fail";
}

}  // namespace pawl::cli
