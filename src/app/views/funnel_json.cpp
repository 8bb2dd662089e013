#include "app/views/funnel_json.hpp"

#include "app/views/json_parts.hpp"

namespace pawl::app {

namespace {

constexpr std::string_view run_words[] = {
    "entered", "completed", "exited", "failed", "cancelled", "converted"};
constexpr std::string_view message_words[] = {
    "sent",
    "skipped",
    "delivered",
    "opened",
    "machine_opened",
    "clicked",
    "opens",
    "clicks",
    "bounced",
    "undelivered",
    "complained",
    "unsubscribed",
    "replied"};

json::object detail_counts(const Tally& tally, const std::string& what) {
    json::object out;
    const auto found = tally.details.find(what);
    if (found == tally.details.end()) return out;
    for (const auto& [detail, count] : found->second) out[detail] = count;
    return out;
}

json::object totals(const GroupNumbers& group) {
    json::object out;
    out["people"] = group.people ? json::value(*group.people) : json::value();
    for (const std::string_view word : run_words) out[word] = group.runs.sum(std::string(word));
    for (const std::string_view word : message_words)
        out[word] = group.steps.sum(std::string(word));
    out["skipped_by"] = detail_counts(group.steps, "skipped");
    out["failed_by"] = detail_counts(group.runs, "failed");
    out["exited_by"] = detail_counts(group.runs, "exited");
    out["converted_by"] = detail_counts(group.runs, "converted");
    return out;
}

json::object node_json(const NodeNumbers& node) {
    json::object out;
    out["node"] = node.node;
    out["type"] = or_null(node.type);
    out["entered"] = node.entered;
    out["passed"] = node.tally.sum("passed");
    out["passed_by"] = detail_counts(node.tally, "passed");
    out["waiting"] = node.tally.sum("waiting");
    out["waiting_for"] = detail_counts(node.tally, "waiting");
    out["retried"] = node.tally.sum("retried");
    out["failed"] = node.tally.sum("failed");
    out["failed_by"] = detail_counts(node.tally, "failed");
    out["skipped_by"] = detail_counts(node.tally, "skipped");
    for (const std::string_view word : message_words) {
        out[word] = node.tally.sum(std::string(word));
    }
    return out;
}

json::object group_json(const GroupNumbers& group) {
    json::object out;
    out["key"] = group.key;
    out["totals"] = totals(group);
    json::array nodes, edges;
    for (const NodeNumbers& node : group.nodes) nodes.push_back(node_json(node));
    for (const EdgeNumbers& edge : group.edges) {
        edges.push_back(json::object{
            {"from", edge.from}, {"handle", edge.handle}, {"to", edge.to}, {"count", edge.count}});
    }
    out["nodes"] = std::move(nodes);
    out["edges"] = std::move(edges);
    return out;
}

json::object comparison_json(const Comparison& comparison) {
    json::array variants;
    for (const Arm& arm : comparison.arms) {
        const Share share = wilson(arm.hits, arm.trials);
        variants.push_back(json::object{
            {"variant", arm.name},
            {"trials", arm.trials},
            {"hits", arm.hits},
            {"rate", share.rate},
            {"low", share.low},
            {"high", share.high}});
    }
    json::object out;
    out["split"] = comparison.split;
    out["metric"] = comparison.metric;
    out["variants"] = std::move(variants);
    out["too_early"] = comparison.verdict.early;
    out["leader"] = or_null(comparison.verdict.leader);
    out["verdict"] = comparison.verdict.text;
    const auto& needed = comparison.verdict.trials_needed;
    out["trials_needed"] = needed ? json::value(*needed) : json::value();
    return out;
}

std::string csv_field(const std::string& text) {
    std::string safe = text;
    if (!safe.empty() && std::string_view("=+-@\t\r|%").find(safe[0]) != std::string_view::npos) {
        safe.insert(safe.begin(), '\'');
    }
    if (safe.find_first_of(",\"\r\n") == std::string::npos) return safe;
    std::string quoted = "\"";
    for (const char c : safe) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

void add_lines(
    std::string& out, const std::string& key, const std::string& node, const Tally& tally
) {
    for (const auto& [what, sum] : tally.sums) {
        std::int64_t rest = sum;
        const auto found = tally.details.find(what);
        if (found != tally.details.end()) {
            for (const auto& [detail, count] : found->second) {
                out += csv_line({key, node, what, detail, std::to_string(count)});
                rest -= count;
            }
        }
        if (rest != 0) out += csv_line({key, node, what, "", std::to_string(rest)});
    }
}

void add_lines(std::string& out, const GroupNumbers& group) {
    if (group.people) {
        out += csv_line({group.key, "", "people", "", std::to_string(*group.people)});
    }
    add_lines(out, group.key, "", group.runs);
    for (const NodeNumbers& node : group.nodes) add_lines(out, group.key, node.node, node.tally);
}

}  // namespace

json::object to_json(const Funnel& funnel) {
    json::object out;
    out["workflow"] = funnel.workflow;
    out["version"] = shown(funnel.version);
    out["from"] = shown(funnel.from);
    out["to"] = shown(funnel.to);
    out["as_of"] = shown(funnel.as_of);
    out["rebuilding"] = funnel.rebuilding;
    out["counted"] = funnel.counted;
    out["counted_from"] = shown(funnel.counted_from);
    out["inside"] = funnel.inside;
    if (funnel.by.empty()) {
        json::object all = group_json(funnel.all);
        out["totals"] = std::move(all["totals"]);
        out["nodes"] = std::move(all["nodes"]);
        out["edges"] = std::move(all["edges"]);
        return out;
    }
    out["by"] = funnel.by;
    json::array groups, comparisons;
    for (const GroupNumbers& group : funnel.groups) groups.push_back(group_json(group));
    out["groups"] = std::move(groups);
    if (funnel.by != "variant") return out;
    for (const Comparison& one : funnel.comparisons) comparisons.push_back(comparison_json(one));
    out["comparisons"] = std::move(comparisons);
    return out;
}

json::object to_json(const store::PersonPlace& place) {
    json::object out;
    out["person"] = or_null(place.subject);
    out["run_id"] = to_string(place.run);
    out["version"] = place.version;
    out["node"] = or_null(place.node);
    out["state"] = place.state;
    out["since"] = to_rfc3339(place.since);
    return out;
}

json::object to_json(const store::Projection& projection) {
    json::object out;
    PAWL_SHOW(
        out,
        projection,
        (shown, name, bucket, rebuilding, counted, started_at, looked_at, complete_since),
        (shown, goals_pending, transactions_behind)
    );
    return out;
}

std::string csv_line(const std::vector<std::string>& fields) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0) line += ',';
        line += csv_field(fields[i]);
    }
    return line + "\r\n";
}

std::string to_csv(const Funnel& funnel) {
    const std::string by = funnel.by.empty() ? "group" : funnel.by;
    std::string out = csv_line({by, "node", "what", "detail", "count"});
    if (funnel.by.empty()) add_lines(out, funnel.all);
    for (const GroupNumbers& group : funnel.groups) add_lines(out, group);
    return out;
}

std::string place_csv_head() {
    return csv_line({"person", "run_id", "version", "node", "state", "since"});
}

std::string to_csv(const store::PersonPlace& place) {
    return csv_line(
        {place.subject,
         to_string(place.run),
         std::to_string(place.version),
         place.node,
         place.state,
         to_rfc3339(place.since)}
    );
}

}  // namespace pawl::app
