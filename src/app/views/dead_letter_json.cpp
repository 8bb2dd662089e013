#include "app/views/dead_letter_json.hpp"

#include "app/views/json_parts.hpp"

namespace pawl::app {

json::object to_json(const store::DeadLetter& letter) {
    json::object out;
    out["run_id"] = to_string(letter.run);
    PAWL_SHOW(
        out,
        letter,
        (shown, workflow, version),
        (or_null, step),
        (shown, error, fingerprint, at, replayed_as, replayed_at)
    );
    return out;
}

json::object to_json(const store::DeadLetterGroup& group) {
    json::object out;
    PAWL_SHOW(
        out,
        group,
        (shown, fingerprint, workflow),
        (or_null, step),
        (shown, message, count, first_at, last_at)
    );
    out["sample_run_id"] = to_string(group.sample_run);
    out["pulse"] = group.pulse;
    json::value& muted = out["muted"];
    if (group.muted_at) {
        muted = json::object{
            {"at", to_rfc3339(*group.muted_at)},
            {"by", group.muted_by},
            {"by_name", or_null(group.muted_by_name)},
            {"reason", group.mute_reason}};
    }
    return out;
}

json::object to_json(const store::Retried& retried) {
    return {{"run_id", to_string(retried.run)}, {"replayed_as", shown(retried.retried_as)}};
}

}  // namespace pawl::app
