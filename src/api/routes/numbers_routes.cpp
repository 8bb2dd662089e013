#include "api/http/place_cursor.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/numbers/funnel.hpp"
#include "app/views/funnel_json.hpp"

#include <algorithm>

namespace pawl::api {

namespace {

constexpr int export_batch = 1000;

bool wants_csv(const Call& call) {
    const std::string format = text_param(call, "format");
    if (format == "csv") return true;
    if (format == "json") return false;
    if (!format.empty()) refuse_parameter("format", "must be json or csv");
    const std::string* accept = http::find_header(call.request.headers, "Accept");
    return accept != nullptr && accept->starts_with("text/csv");
}

http::Headers csv_headers(const std::string& name) {
    return {
        {"Content-Type", "text/csv; charset=utf-8"},
        {"Content-Disposition", "attachment; filename=\"" + name + ".csv\""}};
}

asio::awaitable<http::ServerResponse> funnel(app::FunnelUses& uses, Call call) {
    only_params(call, {"from", "to", "version", "by", "metric", "format"});
    app::FunnelParams params;
    params.workflow = call.params.at(0);
    params.from = time_param(call, "from");
    params.to = time_param(call, "to");
    params.version = text_param(call, "version");
    params.by = text_param(call, "by");
    static constexpr std::string_view known[] = {"", "variant", "channel", "day", "version"};
    if (std::find(std::begin(known), std::end(known), params.by) == std::end(known)) {
        refuse_parameter("by", "must be variant, channel, day or version");
    }
    if (const std::string metric = text_param(call, "metric"); !metric.empty()) {
        const auto& all = app::metrics_known;
        if (std::find(std::begin(all), std::end(all), metric) == std::end(all)) {
            refuse_parameter("metric", "must be converted, completed, opened, clicked or replied");
        }
        params.metric = metric;
    }
    const bool csv = wants_csv(call);
    const auto found =
        or_refuse(co_await app::find_funnel(uses, tenant_of(call), std::move(params)));
    if (!csv) co_return json_response(200, app::to_json(found));
    co_return http::ServerResponse{200, csv_headers("funnel"), app::to_csv(found)};
}

asio::awaitable<http::ServerResponse> count(app::FunnelUses& uses, Call call) {
    only_params(call, {});
    const auto found =
        or_refuse(co_await app::count_workflow(uses, tenant_of(call), call.params.at(0)));
    co_return json_response(200, app::to_json(found));
}

store::PlaceCursor cursor_after(const store::PersonPlace& place) {
    return {place.node, place.run, place.token};
}

std::optional<store::PlaceCursor> place_cursor(const Call& call) {
    const std::string place = cursor_of(call);
    if (place.empty()) return std::nullopt;
    return cursor_at(place);
}

// Page after page, so that a million people need no more memory than one page.
asio::awaitable<void> write_people(
    app::FunnelUses& uses, store::Tenant tenant, app::PlaceParams params, http::BodyStream& out
) {
    std::string text = app::place_csv_head();
    params.limit = export_batch;
    for (;;) {
        auto places = or_refuse(co_await app::find_people(uses, tenant, params));
        const bool more = cut_to(places, export_batch);
        for (const store::PersonPlace& place : places) text += app::to_csv(place);
        const bool sent = co_await out.write(text);
        if (!sent || !more) co_return;
        text.clear();
        params.after = cursor_after(places.back());
    }
}

asio::awaitable<http::ServerResponse> people(app::FunnelUses& uses, Call call) {
    only_params(call, {"at", "state", "version", "from", "to", "limit", "cursor", "format"});
    app::PlaceParams params;
    params.workflow = call.params.at(0);
    params.at = text_param(call, "at");
    params.state = text_param(call, "state");
    params.version = text_param(call, "version");
    params.limit = limit_of(call);
    params.after = place_cursor(call);
    params.from = time_param(call, "from");
    params.to = time_param(call, "to");
    const auto& ends = store::ends_known;
    const bool closed = std::find(std::begin(ends), std::end(ends), params.state) != std::end(ends);
    if (!closed && (params.from || params.to)) {
        refuse_parameter(params.from ? "from" : "to", "needs the `state` of runs that have ended");
    }
    const bool csv = wants_csv(call);
    const store::Tenant tenant = tenant_of(call);
    auto places = or_refuse(co_await app::find_people(uses, tenant, params));
    if (csv) {
        http::ServerResponse response{200, csv_headers("people"), ""};
        response.stream = [&uses, tenant, params](http::BodyStream& out) {
            return write_people(uses, tenant, params, out);
        };
        co_return response;
    }
    std::optional<std::string> next;
    if (cut_to(places, params.limit)) next = place_of(cursor_after(places.back()));
    co_return page_response(places, next, [](const auto& place) { return app::to_json(place); });
}

}  // namespace

void add_number_routes(Router& router, app::FunnelUses& uses) {
    const std::string path = "/v1/workflows/{name}/funnel";
    router.add({"GET", path, Scope::runs_read, bound(uses, funnel), {}});
    router.add({"PUT", path, Scope::workflows_write, bound(uses, count), {}});
    router.add({"GET", "/v1/workflows/{name}/people", Scope::runs_read, bound(uses, people), {}});
}

}  // namespace pawl::api
