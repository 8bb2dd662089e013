#pragma once

#include "http/client.hpp"

#include <optional>

namespace pawl::http {

// What follows from an answer to a request that may be redirected. Neither: the answer is the end.
struct Redirect {
    std::optional<Request> next;
    std::optional<Fault> fault;
    bool crosses = false;  // to another origin
};

// Pure. A request that changes its method loses its body, as browsers do it (303, and 301 and 302
// after a POST). Across origins everything that may be a credential stays behind: all headers but
// those that describe the body or what is wanted, and the trust in the URL. Nothing leads from
// https to http.
Redirect follow(const Request& request, const Response& response);

}  // namespace pawl::http
