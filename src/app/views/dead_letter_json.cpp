#include "app/views/dead_letter_json.hpp"

#include "app/views/json_parts.hpp"

namespace pawl::app {

json::object to_json(const store::DeadLetter& letter) {
    json::object out;
    out["run_id"] = to_string(letter.run);
    out["workflow"] = letter.workflow;
    out["version"] = letter.version;
    out["step"] = text_or_null(letter.step);
    out["error"] = letter.error;
    out["fingerprint"] = letter.fingerprint;
    out["at"] = to_rfc3339(letter.at);
    out["replayed_as"] = id_or_null(letter.replayed_as);
    out["replayed_at"] = time_or_null(letter.replayed_at);
    return out;
}

json::object to_json(const store::DeadLetterGroup& group) {
    json::object out;
    out["fingerprint"] = group.fingerprint;
    out["workflow"] = group.workflow;
    out["step"] = text_or_null(group.step);
    out["message"] = group.message;
    out["count"] = group.count;
    out["first_at"] = to_rfc3339(group.first_at);
    out["last_at"] = to_rfc3339(group.last_at);
    out["sample_run_id"] = to_string(group.sample_run);
    return out;
}

json::object to_json(const store::Retried& retried) {
    return {{"run_id", to_string(retried.run)}, {"replayed_as", id_or_null(retried.retried_as)}};
}

}  // namespace pawl::app
