#pragma once

#include "base/json.hpp"

#include <string>

namespace pawl::app {

enum class Verdict { ok, warn, fail };

// One line of `pawl doctor`, and of GET /v1/doctor.
struct Finding {
    std::string check;
    Verdict verdict = Verdict::ok;
    std::string detail;
    std::string next;  // what to do about it; empty when there is nothing to do
    // Which finding it is and what its sentences name, for other languages; empty: what only the
    // command line finds out.
    std::string code = {};
    json::object values = {};
};

inline const char* name(Verdict verdict) {
    return verdict == Verdict::ok ? "ok" : verdict == Verdict::warn ? "warn" : "fail";
}

inline json::object to_json(const Finding& finding) {
    json::object written{
        {"check", finding.check},
        {"verdict", name(finding.verdict)},
        {"detail", finding.detail},
        {"next", finding.next.empty() ? json::value() : json::value(finding.next)}};
    if (!finding.code.empty()) {
        written["code"] = finding.code;
        written["values"] = finding.values;
    }
    return written;
}

}  // namespace pawl::app
