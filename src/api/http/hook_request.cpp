#include "api/http/hook_request.hpp"

#include "base/clock.hpp"

namespace pawl::api {

connect::HookRequest hook_request(const std::string& public_url, Call& call) {
    connect::HookRequest hook;
    hook.method = call.request.method;
    hook.url = public_url + call.request.target;
    hook.headers = std::move(call.request.headers);
    hook.body = std::move(call.request.body);
    hook.now = wall_now();
    return hook;
}

}  // namespace pawl::api
