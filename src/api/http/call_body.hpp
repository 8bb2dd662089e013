#pragma once

#include "api/http/body.hpp"
#include "api/http/query_params.hpp"

#include <utility>

namespace pawl::api {

// What a body is read from; it must be there before the Body that refers to it.
struct GivenBody {
    json::object given;
    std::vector<ProblemPlace> wrong_places;
};

// The body of a call that has no parameters in its query. Refuses the call when there are some, or
// when the body is no object; `may_be_empty` takes no body for an empty one.
class CallBody : private GivenBody, public Body {
public:
    explicit CallBody(const Call& call, bool may_be_empty = false)
        : GivenBody{(only_params(call, {}), call.object(may_be_empty)), {}},
          Body(given, wrong_places) {}
    CallBody(const CallBody&) = delete;
    CallBody& operator=(const CallBody&) = delete;

    const json::object& members() const { return given; }
    // Call last: refuses the call if something is wrong or not known.
    void finish() {
        refuse_unknown();
        refuse_if_wrong(std::move(wrong_places));
    }
};

}  // namespace pawl::api
