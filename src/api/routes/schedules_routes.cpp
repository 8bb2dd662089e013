#include "api/http/body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/start_body.hpp"
#include "api/shapes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace pawl::api {

namespace {

constexpr std::size_t backfill_max = 10'000;
constexpr int upcoming_max = 5;
constexpr std::size_t past_max = 5;

[[noreturn]] void refuse_unknown_schedule(std::string_view id) {
    refuse_not_found(
        fmt::format("there is no schedule {}; GET /v1/schedules lists them", id.substr(0, 40))
    );
}

// A schedule that no worker has looked at yet will fire at its next slot all the same.
store::ScheduleDetails with_next(store::ScheduleDetails schedule) {
    const auto cron = parse_cron(schedule.cron);
    const auto zone = parse_time_zone(schedule.timezone);
    const bool fires = schedule.active && !schedule.paused_at;
    if (fires && !schedule.next_at && cron && zone) {
        schedule.next_at = next_slot(*cron, *zone, wall_now());
    }
    return schedule;
}

// The schedule of a path; 404 when there is none.
asio::awaitable<store::ScheduleDetails> find_schedule(Services& services, const Call& call) {
    const std::string text = call.params.at(0);
    const store::Tenant tenant = tenant_of(call);
    store::ScheduleId id = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (failed != std::errc() || end != text.data() + text.size()) refuse_unknown_schedule(text);
    auto schedule = co_await services.schedules.find(tenant, id);
    if (!schedule) refuse_unknown_schedule(text);
    co_return with_next(std::move(*schedule));
}

json::object with_upcoming(const store::ScheduleDetails& schedule) {
    json::object out = to_json(schedule);
    json::array upcoming;
    const auto cron = parse_cron(schedule.cron);
    const auto zone = parse_time_zone(schedule.timezone);
    auto slot = schedule.next_at;
    if (!schedule.active || schedule.paused_at || !cron || !zone) slot.reset();
    for (int i = 0; i < upcoming_max && slot; ++i) {
        upcoming.push_back(json::value(to_rfc3339(*slot)));
        slot = next_slot(*cron, *zone, *slot);
    }
    out["upcoming"] = std::move(upcoming);
    return out;
}

// The newest slots up to the last one that was fired, newest first.
std::vector<Instant> past_slots(const store::ScheduleDetails& schedule) {
    const auto cron = parse_cron(schedule.cron);
    const auto zone = parse_time_zone(schedule.timezone);
    std::vector<Instant> slots;
    if (!cron || !zone || !schedule.last_slot) return slots;
    constexpr Duration longest = std::chrono::hours(24 * 366 * 10);
    // There is no way back in time from a slot: each look begins earlier than the one before.
    for (Duration back = std::chrono::minutes(5); slots.size() < past_max; back *= 4) {
        slots.clear();
        auto slot = next_slot(*cron, *zone, *schedule.last_slot - back);
        for (; slot && *slot <= *schedule.last_slot; slot = next_slot(*cron, *zone, *slot)) {
            slots.push_back(*slot);
        }
        if (back > longest) break;
    }
    std::reverse(slots.begin(), slots.end());
    if (slots.size() > past_max) slots.resize(past_max);
    return slots;
}

asio::awaitable<json::array> last_runs(Services& services, store::ScheduleDetails schedule) {
    json::array runs;
    for (const Instant slot : past_slots(schedule)) {
        store::RunFilter filter;
        filter.workflow = schedule.workflow_name;
        filter.correlation_id = slot_key(schedule.id, slot);
        filter.limit = 1;
        const auto page = co_await services.store.list_runs(schedule.tenant, std::move(filter));
        if (page.runs.empty()) continue;
        runs.push_back(to_json(page.runs.front()));
    }
    co_return runs;
}

asio::awaitable<http::ServerResponse> list_schedules(Services& services, Call call) {
    only_params(call, {"workflow", "limit", "cursor"});
    store::ScheduleFilter filter;
    filter.workflow = text_param(call, "workflow");
    const std::string cursor = cursor_of(call);
    if (!cursor.empty()) filter.after = number_cursor(cursor);
    const int limit = limit_of(call);
    filter.limit = limit + 1;
    auto schedules = co_await services.schedules.list(tenant_of(call), filter);
    std::optional<std::string> next;
    if (schedules.size() > static_cast<std::size_t>(limit)) {
        schedules.resize(static_cast<std::size_t>(limit));
        next = std::to_string(schedules.back().id);
    }
    json::array data;
    for (auto& schedule : schedules) data.push_back(to_json(with_next(std::move(schedule))));
    co_return page_response(std::move(data), next);
}

asio::awaitable<http::ServerResponse> get_schedule(Services& services, Call call) {
    only_params(call, {});
    const auto schedule = co_await find_schedule(services, call);
    json::object out = with_upcoming(schedule);
    out["last_runs"] = co_await last_runs(services, schedule);
    co_return json_response(200, out);
}

asio::awaitable<http::ServerResponse> pause_schedule(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object(true);
    Body body(object, places);
    const std::string reason = body.text("reason", 500).value_or("");
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    const auto schedule = co_await find_schedule(services, call);
    co_await services.schedules.pause(schedule.tenant, schedule.id, reason);
    const auto paused = co_await find_schedule(services, call);
    co_return json_response(200, to_json(paused));
}

asio::awaitable<http::ServerResponse> resume_schedule(Services& services, Call call) {
    only_params(call, {});
    const auto schedule = co_await find_schedule(services, call);
    co_await services.schedules.resume(schedule.tenant, schedule.id);
    const auto resumed = co_await find_schedule(services, call);
    co_return json_response(200, to_json(resumed));
}

void refuse_if_inactive(const store::ScheduleDetails& schedule) {
    if (schedule.active) return;
    refuse(
        409,
        "workflow_inactive",
        fmt::format(
            "the workflow '{0}' is not active; POST /v1/workflows/{0}/activate makes it so",
            schedule.workflow_name
        )
    );
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

asio::awaitable<http::ServerResponse> backfill_schedule(Services& services, Call call) {
    only_params(call, {});
    const auto schedule = co_await find_schedule(services, call);
    const auto range = read_range(call.object(), schedule.now);
    refuse_if_inactive(schedule);
    const auto cron = parse_cron(schedule.cron);
    const auto zone = parse_time_zone(schedule.timezone);
    if (!cron || !zone) refuse(409, "schedule_failing", schedule.problem);
    const std::size_t slots = count_slots(*cron, *zone, range.from, range.to, backfill_max + 1);
    if (slots > backfill_max) {
        refuse_places(
            fmt::format("a backfill may have {} slots; take a shorter time", backfill_max),
            {{"/from", "", "is too long ago"}}
        );
    }
    const bool begun =
        co_await services.schedules.backfill(schedule.tenant, schedule.id, range.from, range.to);
    if (!begun) {
        refuse(
            409,
            "backfill_under_way",
            fmt::format(
                "schedule {} is being backfilled; wait for its end, or cancel it", schedule.id
            )
        );
    }
    const auto after = co_await find_schedule(services, call);
    json::object out;
    out["slots"] = slots;
    out["schedule"] = to_json(after);
    co_return json_response(202, out);
}

// Twice is once.
asio::awaitable<http::ServerResponse> cancel_backfill(Services& services, Call call) {
    only_params(call, {});
    const auto schedule = co_await find_schedule(services, call);
    co_await services.schedules.cancel_backfill(schedule.tenant, schedule.id);
    const auto after = co_await find_schedule(services, call);
    co_return json_response(200, to_json(after));
}

asio::awaitable<http::ServerResponse> trigger_schedule(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object(true);
    Body body(object, places);
    const json::object* given = body.object("input");
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    const auto schedule = co_await find_schedule(services, call);
    refuse_if_inactive(schedule);
    const auto zone = parse_time_zone(schedule.timezone);
    if (!zone) refuse(409, "schedule_failing", zone.error().message);
    auto input = given != nullptr ? Result<json::value>(json::value(*given))
                                  : slot_input(schedule.input, {schedule.id, schedule.now, *zone});
    if (!input) refuse(409, "schedule_failing", "the input: " + input.error().message);
    const auto program =
        co_await services.programs.active(call.principal.tenant, schedule.workflow_name);
    std::vector<ProblemPlace> gaps;
    if (auto missing = check_input(*program, *input, gaps)) {
        refuse_missing(std::move(*missing), std::move(gaps));
    }
    engine::StartRequest request;
    request.program = program;
    request.input = std::move(*input);
    request.correlation = correlation_for(call, "");
    request.triggered_by = "schedule";
    co_await services.admission.admit(tenant_of(call), {&request.input});
    const auto started = co_await services.starter.start(std::move(request));
    co_await services.schedules.note_run(schedule.tenant, schedule.id, started.run);
    auto response = json_response(201, to_json(*program, started));
    response.headers.push_back({"Location", "/v1/runs/" + to_string(started.run)});
    co_return response;
}

}  // namespace

void add_schedule_routes(Router& router, Services& services) {
    const auto write = Scope::workflows_write;
    const std::string one = "/v1/schedules/{id}";
    router.add({"GET", "/v1/schedules", Scope::workflows_read, bound(services, list_schedules), {}}
    );
    router.add({"GET", one, Scope::workflows_read, bound(services, get_schedule), {}});
    router.add({"POST", one + "/pause", write, bound(services, pause_schedule), {}});
    router.add({"POST", one + "/resume", write, bound(services, resume_schedule), {}});
    router.add(
        {"POST", one + "/backfill", Scope::runs_write, bound(services, backfill_schedule), {}}
    );
    router.add(
        {"POST", one + "/backfill/cancel", Scope::runs_write, bound(services, cancel_backfill), {}}
    );
    router.add({"POST", one + "/trigger", Scope::runs_write, bound(services, trigger_schedule), {}}
    );
}

}  // namespace pawl::api
