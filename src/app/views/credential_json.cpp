#include "app/views/credential_json.hpp"

namespace pawl::app {

json::object to_json(const store::Credential& credential) {
    json::object out;
    out["name"] = credential.name;
    out["key_id"] = credential.key_id;
    out["created_at"] = to_rfc3339(credential.created_at);
    out["updated_at"] = to_rfc3339(credential.updated_at);
    return out;
}

}  // namespace pawl::app
