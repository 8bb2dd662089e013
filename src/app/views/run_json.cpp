#include "app/views/run_json.hpp"

#include "app/views/json_parts.hpp"

#include <algorithm>

namespace pawl::app {

Instant created_at(RunId run) {
    return Instant(std::chrono::milliseconds(unix_ms_of(run.uuid)));
}

json::object to_json(const store::RunSummary& run) {
    json::object out;
    PAWL_SHOW(out, run, (shown, id, workflow, version, status), (or_null, subject));
    out["created_at"] = to_rfc3339(created_at(run.id));
    // The clock that dates ids is another one, and may be ahead: no run ends before it began.
    const auto closed_at =
        run.closed_at ? std::optional(std::max(*run.closed_at, created_at(run.id))) : std::nullopt;
    out["closed_at"] = shown(closed_at);
    PAWL_SHOW(out, run, (shown, due_at, output, error));
    return out;
}

json::object to_json(const store::RunDetails& run) {
    json::object out = to_json(static_cast<const store::RunSummary&>(run));
    PAWL_SHOW(
        out,
        run,
        (shown, priority),
        (or_null, correlation_id, triggered_by),
        (shown, parent, retried_as, input)
    );
    return out;
}

json::object to_json(const engine::Program& program, const engine::Started& started) {
    json::object out;
    if (!started.kept_out) out["id"] = to_string(started.run);
    out["workflow"] = program.definition.name;
    out["version"] = program.version;
    out["created"] = started.created;
    if (started.kept_out) out["entered"] = false;
    return out;
}

json::object to_json(const plan::Why& why) {
    const auto said = [](const plan::Clause& clause) -> json::object {
        return {{"code", name(clause.code)}, {"values", clause.names}};
    };
    json::array clauses, places, place_clauses;
    for (const plan::Clause& clause : why.clauses) clauses.push_back(said(clause));
    for (const plan::Clause& clause : why.places) {
        places.emplace_back(clause.sentence);
        place_clauses.push_back(said(clause));
    }
    return {
        {"sentence", sentence_of(why)},
        {"clauses", std::move(clauses)},
        {"what_helps", why.help.sentence},
        {"help", {{"code", name(why.help.code)}, {"values", why.help.names}}},
        {"places", std::move(places)},
        {"place_clauses", std::move(place_clauses)}};
}

json::object to_json(const store::RunCount& count, std::string_view action) {
    json::array sample;
    for (const RunId& run : count.sample) sample.emplace_back(to_string(run));
    return {
        {"dry_run", true},
        {"action", action},
        {"total", count.total},
        {"complete", count.complete},
        {"sample", std::move(sample)}};
}

bool is_closed(const store::RunSummary& run) {
    return run.status == "completed" || run.status == "failed" || run.status == "cancelled";
}

}  // namespace pawl::app
