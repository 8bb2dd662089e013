#include "api/http/body.hpp"
#include "api/http/job_id.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/shapes.hpp"
#include "base/fresh_id.hpp"

#include <fmt/core.h>

namespace pawl::api {

namespace {

constexpr std::size_t runs_max = 500;

// "2026-...Z run" as a cursor.
std::string place_of(const store::DeadLetterCursor& cursor) {
    return to_rfc3339(cursor.at) + " " + to_string(cursor.run);
}

std::optional<store::DeadLetterCursor> letter_cursor(const Call& call) {
    const std::string place = cursor_of(call);
    if (place.empty()) return std::nullopt;
    const std::size_t space = std::min(place.find(' '), place.size());
    const auto at = parse_rfc3339(place.substr(0, space));
    const auto run = parse_uuid(std::string_view(place).substr(std::min(space + 1, place.size())));
    if (!at || !run) refuse_parameter("cursor", "is not a next_cursor of a page");
    return store::DeadLetterCursor{*at, RunId{*run}};
}

asio::awaitable<http::ServerResponse> list_letters(Services& services, Call call) {
    only_params(call, {"workflow", "step", "fingerprint", "replayed", "limit", "cursor"});
    store::DeadLetterFilter filter;
    filter.workflow = text_param(call, "workflow");
    filter.step = text_param(call, "step");
    if (const std::string text = text_param(call, "fingerprint"); !text.empty()) {
        auto prefix = store::fingerprint_prefix(text);
        if (!prefix) refuse_parameter("fingerprint", prefix.error().message);
        filter.fingerprint = std::move(*prefix);
    }
    filter.replayed = flag_param(call, "replayed").value_or(false);
    const auto page = co_await services.dead_letters.list(
        tenant_of(call), filter, limit_of(call), letter_cursor(call)
    );
    json::array data;
    for (const auto& letter : page.letters) data.push_back(to_json(letter));
    std::optional<std::string> next;
    if (page.next) next = place_of(*page.next);
    co_return page_response(std::move(data), next);
}

asio::awaitable<http::ServerResponse> group_letters(Services& services, Call call) {
    only_params(call, {"workflow"});
    store::DeadLetterFilter filter;
    filter.workflow = text_param(call, "workflow");
    filter.replayed = false;
    const auto groups = co_await services.dead_letters.groups(tenant_of(call), filter);
    json::array data;
    for (const auto& group : groups.groups) data.push_back(to_json(group));
    co_return json_response(200, json::object{{"data", std::move(data)}});
}

store::DeadLetterFilter read_filter(const json::object& object) {
    std::vector<ProblemPlace> places;
    Body body(object, places);
    store::DeadLetterFilter filter;
    const bool all = body.flag("all").value_or(false);
    filter.workflow = body.text("workflow", 200).value_or("");
    filter.step = body.text("step", 200).value_or("");
    if (const auto text = body.text("fingerprint", 200)) {
        auto prefix = store::fingerprint_prefix(*text);
        if (!prefix) body.wrong("fingerprint", prefix.error().message);
        filter.fingerprint = prefix ? std::move(*prefix) : *text;
    }
    body.refuse_unknown();
    refuse_if_wrong(places);
    const bool any =
        !filter.workflow.empty() || !filter.step.empty() || !filter.fingerprint.empty();
    if (!any && !all) {
        refuse_places(
            "say which: workflow, step or fingerprint; or \"all\": true",
            {{"", "", "needs at least one condition"}}
        );
    }
    return filter;
}

std::vector<store::Retry> read_runs(const json::object& object) {
    std::vector<ProblemPlace> places;
    std::vector<store::Retry> runs;
    Body body(object, places);
    const json::array* list = body.array("runs");
    body.refuse_unknown();
    if (list != nullptr && (list->empty() || list->size() > runs_max)) {
        body.wrong("runs", fmt::format("must have 1 to {} runs", runs_max));
    }
    refuse_if_wrong(places);
    for (const json::value& one : *list) {
        const auto id = one.is_string() ? parse_uuid(one.get_string()) : std::nullopt;
        if (!id) body.wrong("runs", "must be ids of runs");
        if (id) runs.push_back({RunId{*id}, RunId{fresh_id()}});
    }
    refuse_if_wrong(std::move(places));
    return runs;
}

// A few by their ids are replayed at once; null for one that is no failed or cancelled run.
asio::awaitable<http::ServerResponse> replay_runs(
    Services& services, store::Tenant tenant, std::vector<store::Retry> runs
) {
    json::array data;
    for (const auto& done : co_await services.retries.retry(tenant, std::move(runs))) {
        json::object one{{"run_id", to_string(done.run)}, {"replayed_as", nullptr}};
        if (done.retried_as) one["replayed_as"] = to_string(*done.retried_as);
        data.push_back(std::move(one));
    }
    services.wake_workers();
    co_return json_response(200, json::object{{"data", std::move(data)}});
}

asio::awaitable<http::ServerResponse> replay_letters(Services& services, Call call) {
    only_params(call, {});
    const json::object object = call.object();
    if (object.contains("runs")) {
        co_return co_await replay_runs(services, tenant_of(call), read_runs(object));
    }
    const auto filter = read_filter(object);
    const auto job =
        co_await services.jobs.create_replay(job_id(call, "replay"), call.principal.tenant, filter);
    services.job_runner.look();
    auto response = json_response(202, to_json(job));
    response.headers.push_back({"Location", "/v1/jobs/" + to_string(job.id)});
    co_return response;
}

}  // namespace

void add_dead_letter_routes(Router& router, Services& services) {
    const auto read = Scope::runs_read;
    router.add({"GET", "/v1/dead-letters", read, bound(services, list_letters), {}});
    router.add({"GET", "/v1/dead-letters/groups", read, bound(services, group_letters), {}});
    router.add(
        {"POST", "/v1/dead-letters/replay", Scope::runs_write, bound(services, replay_letters), {}}
    );
}

}  // namespace pawl::api
