#pragma once

#include <boost/system/result.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl {

// Closed list of what can go wrong from a caller's point of view. The CLI exit code and the HTTP
// status derive from it, so a new reason to fail is a new row here and in errc_table().
enum class Errc {
    invalid,  // the input is wrong; nothing was changed
    not_found,
    unauthenticated,  // the caller is unknown: no key, or none that is valid
    forbidden,        // the caller is known and may not
    conflict,         // another caller was first
    too_large,        // a limit was hit
    unavailable,      // the database or a peer cannot be reached right now
    timeout,
    fenced,      // this worker was declared dead; it must drop everything it holds
    not_held,    // the database does not have some runs of a commit with this worker
    run_failed,  // a run that was waited for did not complete
    internal,
};

struct ErrcInfo {
    std::string_view name;
    int exit_code;
    int http_status;
    bool retryable;
};

ErrcInfo info(Errc code);

// An expected failure as a value: what happened, in one sentence for a person, without secrets.
struct Error {
    Errc code = Errc::internal;
    std::string message;
    std::vector<std::pair<std::string, std::string>> context;

    // Each layer adds what it was doing.
    Error with(std::string key, std::string value) &&;
};

// "message (key=value, ...)" for logs and terminals.
std::string to_string(const Error& error);

// The world failed: connection lost, disk, protocol. Thrown; caught by the loop that owns the
// retry.
class Failure : public std::runtime_error {
public:
    explicit Failure(Error error);
    const Error& error() const noexcept { return error_; }

private:
    Error error_;
};

template <class T>
using Result = boost::system::result<T, Error>;

// Lets Result<T>::value() throw our exception.
[[noreturn]] void throw_exception_from_error(
    const Error& error, const boost::source_location& where
);

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace pawl

// A bug, not bad input: always on, logs and aborts.
#define PAWL_ASSERT(expression)          \
    ((expression) ? static_cast<void>(0) \
                  : ::pawl::assertion_failed(#expression, __FILE__, __LINE__))
