#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "http/server.hpp"

#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pawl::api {

// An answer tells of so many places, each in so many bytes: it does not grow with the request.
inline constexpr std::size_t places_shown_max = 50;
inline constexpr std::size_t place_bytes_max = 500;
inline constexpr std::size_t detail_bytes_max = 8 << 10;

// One place of a request that is wrong.
struct ProblemPlace {
    std::string pointer;    // JSON pointer into the body; empty: see parameter
    std::string parameter;  // query parameter or header
    std::string detail;
};

// What a caller did wrong or could not get (RFC 9457).
struct Problem {
    int status = 500;
    std::string code = "internal";  // stable, for programs
    std::string detail;             // for people
    std::vector<ProblemPlace> places;
    http::Headers headers;
    json::object more = {};  // members of their own, for programs
};

// Thrown by handlers; answered as application/problem+json.
class Refused : public std::exception {
public:
    explicit Refused(Problem problem) : problem_(std::move(problem)) {}
    const Problem& problem() const noexcept { return problem_; }
    const char* what() const noexcept override { return problem_.detail.c_str(); }

private:
    Problem problem_;
};

[[noreturn]] void refuse(int status, std::string_view code, std::string detail);
// The first of them and how many more there are.
std::string summary_of(const std::vector<ProblemPlace>& places);
// 422: the request could be read and is wrong at these places; `detail` tells of all of them.
[[noreturn]] void refuse_places(std::string detail, std::vector<ProblemPlace> places);
[[noreturn]] void refuse_parameter(std::string_view name, std::string detail);
[[noreturn]] void refuse_not_found(std::string detail);

// How every error is answered: its code and its reason (app/refusal.hpp) say with which status.
Problem to_problem(const Error& error);
// The same for what a handler did not expect. What libpq says names hosts and addresses inside,
// which are for the log.
Problem to_problem(const Failure& failure);

// The value, or Refused with the problem that the error means.
template <class T>
T or_refuse(Result<T> result) {
    if (!result) throw Refused(to_problem(result.error()));
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

http::ServerResponse to_response(const Problem& problem, std::string_view request_id);

}  // namespace pawl::api
