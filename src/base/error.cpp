#include "base/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace pawl {

ErrcInfo info(Errc code) {
    switch (code) {
        case Errc::invalid: return {"invalid", 2, 400, false};
        case Errc::not_found: return {"not_found", 6, 404, false};
        case Errc::unauthenticated: return {"unauthenticated", 4, 401, false};
        case Errc::forbidden: return {"forbidden", 4, 403, false};
        case Errc::conflict: return {"conflict", 8, 409, false};
        case Errc::too_large: return {"too_large", 2, 413, false};
        case Errc::unavailable: return {"unavailable", 1, 503, true};
        case Errc::timeout: return {"timeout", 7, 504, true};
        case Errc::fenced: return {"fenced", 1, 503, true};
        case Errc::not_held: return {"not_held", 1, 503, false};
        case Errc::run_failed: return {"run_failed", 5, 500, false};
        case Errc::internal: return {"internal", 1, 500, false};
    }
    return {"internal", 1, 500, false};
}

Error Error::with(std::string key, std::string value) && {
    context.emplace_back(std::move(key), std::move(value));
    return std::move(*this);
}

std::string to_string(const Error& error) {
    std::string text = error.message;
    if (error.context.empty()) return text;
    text += " (";
    bool first = true;
    for (const auto& [key, value] : error.context) {
        if (!first) text += ", ";
        first = false;
        text += key;
        text += '=';
        text += value;
    }
    text += ')';
    return text;
}

Failure::Failure(Error error) : std::runtime_error(to_string(error)), error_(std::move(error)) {}

void throw_exception_from_error(const Error& error, const boost::source_location&) {
    throw Failure(error);
}

void assertion_failed(const char* expression, const char* file, int line) {
    std::fprintf(stderr, "pawl: bug: assertion failed: %s at %s:%d\n", expression, file, line);
    std::abort();
}

}  // namespace pawl
