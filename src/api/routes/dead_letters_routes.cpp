#include "api/http/body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/dead_letters/replay.hpp"
#include "app/views/dead_letter_json.hpp"
#include "app/views/job_json.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::api {

namespace {

constexpr std::size_t runs_max = 500;
constexpr std::size_t reason_max = 2000;

std::optional<store::DeadLetterCursor> letter_cursor(const Call& call) {
    const auto cursor = time_cursor_of(call);
    if (!cursor) return std::nullopt;
    return store::DeadLetterCursor{cursor->at, RunId{cursor->id}};
}

asio::awaitable<http::ServerResponse> list_letters(app::DeadLetterUses& uses, Call call) {
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
    const auto page =
        co_await uses.letters.list(tenant_of(call), filter, limit_of(call), letter_cursor(call));
    std::optional<std::string> next;
    if (page.next) next = time_cursor(page.next->at, page.next->run.uuid);
    co_return page_response(page.letters, next, [](const auto& letter) {
        return app::to_json(letter);
    });
}

asio::awaitable<http::ServerResponse> group_letters(app::DeadLetterUses& uses, Call call) {
    only_params(call, {"workflow"});
    store::DeadLetterFilter filter;
    filter.workflow = text_param(call, "workflow");
    filter.replayed = false;
    const auto groups = co_await uses.letters.groups(tenant_of(call), filter);
    json::array data;
    for (const auto& group : groups.groups) data.push_back(app::to_json(group));
    co_return json_response(200, json::object{{"data", std::move(data)}});
}

struct ReplayBody {
    store::DeadLetterFilter filter;
    store::ReplayFix fix;
};

ReplayBody read_filter(const json::object& object) {
    std::vector<ProblemPlace> places;
    Body body(object, places);
    ReplayBody read;
    store::DeadLetterFilter& filter = read.filter;
    if (const json::object* data = body.object("data")) read.fix.data = *data;
    read.fix.active_version = body.flag("active_version").value_or(false);
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
    return read;
}

std::vector<RunId> read_runs(const json::object& object) {
    std::vector<ProblemPlace> places;
    std::vector<RunId> runs;
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
        if (id) runs.push_back(RunId{*id});
    }
    refuse_if_wrong(std::move(places));
    return runs;
}

asio::awaitable<http::ServerResponse> replay(app::DeadLetterUses& uses, Call call) {
    only_params(call, {});
    const json::object object = call.object();
    if (object.contains("runs")) {
        json::array data;
        for (const auto& one :
             co_await app::replay_runs(uses, tenant_of(call), read_runs(object))) {
            data.push_back(app::to_json(one));
        }
        co_return json_response(200, json::object{{"data", std::move(data)}});
    }
    ReplayBody asked = read_filter(object);
    const auto job = co_await app::replay_letters(
        uses, caller_of(call), std::move(asked.filter), std::move(asked.fix)
    );
    auto response = json_response(202, app::to_json(job));
    response.headers.push_back({"Location", "/v1/jobs/" + to_string(job.id)});
    co_return response;
}

// The whole fingerprint of a path.
std::string fingerprint_param(const Call& call) {
    auto prefix = store::fingerprint_prefix(call.params.at(0));
    if (!prefix) refuse_parameter("fingerprint", prefix.error().message);
    return std::move(*prefix);
}

asio::awaitable<http::ServerResponse> mute(app::DeadLetterUses& uses, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    const std::string by = acting_for(call, body.person("by", 500));
    const std::string reason = body.text("reason", reason_max).value_or("");
    if (reason.empty() && places.empty()) {
        body.wrong("reason", "is required: why this error needs no attention");
    }
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    const std::string fingerprint = fingerprint_param(call);
    const auto at =
        or_refuse(co_await app::mute_group(uses, tenant_of(call), fingerprint, reason, by));
    co_return json_response(
        200,
        json::object{
            {"fingerprint", fingerprint},
            {"muted", json::object{{"at", to_rfc3339(at)}, {"by", by}, {"reason", reason}}}}
    );
}

asio::awaitable<http::ServerResponse> unmute(app::DeadLetterUses& uses, Call call) {
    only_params(call, {});
    const std::string fingerprint = fingerprint_param(call);
    or_refuse(co_await app::unmute_group(uses, call.principal.tenant, fingerprint));
    co_return json_response(200, json::object{{"fingerprint", fingerprint}, {"muted", nullptr}});
}

}  // namespace

void add_dead_letter_routes(Router& router, app::DeadLetterUses& uses) {
    const auto read = Scope::runs_read;
    router.add({"GET", "/v1/dead-letters", read, bound(uses, list_letters), {}});
    router.add({"GET", "/v1/dead-letters/groups", read, bound(uses, group_letters), {}});
    const auto write = Scope::runs_write;
    router.add({"POST", "/v1/dead-letters/replay", write, bound(uses, replay), {}});
    const std::string one = "/v1/dead-letters/groups/{fingerprint}/mute";
    router.add({"PUT", one, write, bound(uses, mute), {}});
    router.add({"DELETE", one, write, bound(uses, unmute), {}});
}

}  // namespace pawl::api
