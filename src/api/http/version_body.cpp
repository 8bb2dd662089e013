#include "api/http/version_body.hpp"

namespace pawl::api {

std::string read_version(Body& body, const json::object& object, std::string_view key) {
    const json::value* given = object.if_contains(key);
    if (given == nullptr || !given->is_number()) return body.text(key, 100).value_or("");
    const auto number = body.whole(key, 1, 2147483647);
    return number ? std::to_string(*number) : "";
}

}  // namespace pawl::api
