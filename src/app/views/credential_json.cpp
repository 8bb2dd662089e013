#include "app/views/credential_json.hpp"

#include "app/views/json_parts.hpp"

namespace pawl::app {

json::object to_json(const store::Credential& credential) {
    json::object out;
    PAWL_SHOW(out, credential, (shown, name, key_id, created_at, updated_at));
    return out;
}

}  // namespace pawl::app
