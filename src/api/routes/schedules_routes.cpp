#include "api/http/call_body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/schedules/schedule_uses.hpp"
#include "app/views/job_json.hpp"
#include "app/views/run_json.hpp"
#include "app/views/schedule_json.hpp"
#include "base/number_text.hpp"

namespace pawl::api {

namespace {

// The schedule of a path; 404 when the text cannot be an id.
store::ScheduleId schedule_param(const Call& call) {
    const std::string& text = call.params.at(0);
    const auto id = read_number<store::ScheduleId>(text);
    if (!id) throw Refused(to_problem(app::no_schedule(text)));
    return *id;
}

asio::awaitable<http::ServerResponse> list(app::ScheduleUses& uses, Call call) {
    only_params(call, {"workflow", "limit", "cursor"});
    store::ScheduleFilter filter;
    filter.workflow = text_param(call, "workflow");
    const std::string cursor = cursor_of(call);
    if (!cursor.empty()) filter.after = number_cursor(cursor);
    filter.limit = limit_of(call);
    const auto page = co_await app::list_schedules(uses, tenant_of(call), std::move(filter));
    std::optional<std::string> next;
    if (page.more) next = std::to_string(page.schedules.back().id);
    co_return page_response(page.schedules, next, [](const auto& schedule) {
        return app::to_json(schedule);
    });
}

asio::awaitable<http::ServerResponse> show(app::ScheduleUses& uses, Call call) {
    only_params(call, {});
    const auto schedule =
        or_refuse(co_await app::find_schedule(uses, tenant_of(call), schedule_param(call)));
    json::object out = app::with_upcoming(schedule);
    json::array& runs = out["last_runs"].emplace_array();
    for (const auto& run : co_await app::last_runs(uses, schedule)) {
        runs.push_back(app::to_json(run));
    }
    co_return json_response(200, out);
}

asio::awaitable<http::ServerResponse> pause(app::ScheduleUses& uses, Call call) {
    CallBody body(call, true);
    std::string reason = body.text("reason", 500).value_or("");
    body.finish();
    const auto paused = or_refuse(
        co_await app::pause_schedule(uses, tenant_of(call), schedule_param(call), std::move(reason))
    );
    co_return json_response(200, app::to_json(paused));
}

asio::awaitable<http::ServerResponse> resume(app::ScheduleUses& uses, Call call) {
    only_params(call, {});
    const auto resumed =
        or_refuse(co_await app::resume_schedule(uses, tenant_of(call), schedule_param(call)));
    co_return json_response(200, app::to_json(resumed));
}

struct BackfillRange {
    Instant from;
    Instant to;
};

BackfillRange read_range(const json::object& object, Instant now) {
    std::vector<ProblemPlace> places;
    Body body(object, places);
    const auto read = [&body](std::string_view key) -> std::optional<Instant> {
        const auto text = body.text(key, 40);
        if (!text) return std::nullopt;
        const auto at = parse_rfc3339(*text);
        if (!at) body.wrong(key, "must be a time like 2026-01-31T09:00:00Z");
        return at;
    };
    const auto from = read("from");
    const auto to = read("to");
    body.refuse_unknown();
    if (!from && places.empty()) body.wrong("from", "is required");
    const BackfillRange range{from.value_or(now), to.value_or(now)};
    if (places.empty() && range.to > now) body.wrong("to", "must not be in the future");
    if (places.empty() && range.from >= range.to) body.wrong("from", "must be before 'to'");
    refuse_if_wrong(std::move(places));
    return range;
}

asio::awaitable<http::ServerResponse> backfill(app::ScheduleUses& uses, Call call) {
    only_params(call, {});
    auto schedule =
        or_refuse(co_await app::find_schedule(uses, tenant_of(call), schedule_param(call)));
    const auto range = read_range(call.object(), schedule.now);
    const auto begun =
        or_refuse(co_await app::backfill_schedule(uses, std::move(schedule), range.from, range.to));
    json::object out;
    out["slots"] = begun.slots;
    out["schedule"] = app::to_json(begun.schedule);
    co_return json_response(202, out);
}

asio::awaitable<http::ServerResponse> cancel_backfill(app::ScheduleUses& uses, Call call) {
    only_params(call, {});
    const auto after =
        or_refuse(co_await app::cancel_backfill(uses, tenant_of(call), schedule_param(call)));
    co_return json_response(200, app::to_json(after));
}

void refuse_input() {
    std::vector<ProblemPlace> places;
    places.push_back({"/input", "", "is not for an audience: its columns are the input"});
    refuse_if_wrong(std::move(places));
}

json::object preview_json(const app::AudiencePreview& preview) {
    return {{"count", preview.count}, {"examples", preview.examples}};
}

asio::awaitable<http::ServerResponse> preview(app::ScheduleUses& uses, Call call) {
    only_params(call, {});
    const auto found =
        or_refuse(co_await app::preview_schedule(uses, tenant_of(call), schedule_param(call)));
    co_return json_response(200, preview_json(found));
}

asio::awaitable<http::ServerResponse> preview_query(app::ScheduleUses& uses, Call call) {
    CallBody body(call, false);
    const std::string query = body.text("query", 20'000).value_or("");
    body.finish();
    const auto found = or_refuse(co_await uses.audiences.preview(tenant_of(call).id, query));
    co_return json_response(200, preview_json(found));
}

asio::awaitable<http::ServerResponse> trigger(app::ScheduleUses& uses, Call call) {
    CallBody body(call, true);
    std::optional<json::value> input;
    if (const json::object* given = body.object("input")) input = *given;
    body.finish();
    const auto schedule =
        or_refuse(co_await app::find_schedule(uses, tenant_of(call), schedule_param(call)));
    if (!schedule.audience.empty()) {
        if (input) refuse_input();
        const auto job =
            or_refuse(co_await app::trigger_audience(uses, tenant_of(call), schedule.id));
        co_return json_response(202, app::to_json(job));
    }
    const auto [program, started] = or_refuse(co_await app::trigger_schedule(
        uses, caller_of(call), schedule_param(call), std::move(input)
    ));
    auto response = json_response(201, app::to_json(*program, started));
    response.headers.push_back({"Location", "/v1/runs/" + to_string(started.run)});
    co_return response;
}

}  // namespace

void add_schedule_routes(Router& router, app::ScheduleUses& uses) {
    const auto read = Scope::workflows_read;
    const auto write = Scope::workflows_write;
    const auto start = Scope::runs_write;
    const std::string one = "/v1/schedules/{id}";
    router.add({"GET", "/v1/schedules", read, bound(uses, list), {}});
    router.add({"GET", one, read, bound(uses, show), {}});
    router.add({"POST", one + "/pause", write, bound(uses, pause), {}});
    router.add({"POST", one + "/resume", write, bound(uses, resume), {}});
    router.add({"POST", one + "/backfill", start, bound(uses, backfill), {}});
    router.add({"POST", one + "/backfill/cancel", start, bound(uses, cancel_backfill), {}});
    router.add({"POST", one + "/preview", start, bound(uses, preview), {}});
    router.add({"POST", "/v1/audiences/preview", Scope::admin, bound(uses, preview_query), {}});
    router.add({"POST", one + "/trigger", start, bound(uses, trigger), {}});
}

}  // namespace pawl::api
