#include "api/http/start_body.hpp"

#include "api/http/body.hpp"
#include "api/http/version_body.hpp"
#include "model/duration.hpp"

namespace pawl::api {

namespace {

constexpr std::size_t name_max = 200;
constexpr std::size_t correlation_max = 400;
constexpr std::size_t subject_max = 500;

void read_when(Body& body, app::StartParams& start) {
    if (const auto text = body.text("start_at", 40)) {
        start.start_at = parse_rfc3339(*text);
        if (!start.start_at) body.wrong("start_at", "must be a time like 2026-01-31T09:00:00Z");
    }
    if (const auto text = body.text("delay", 40)) {
        const auto delay = parse_duration(*text);
        if (!delay) {
            body.wrong("delay", delay.error().message);
        } else {
            start.delay = *delay;
        }
    }
    if (start.start_at && start.delay) body.wrong("delay", "is not possible with start_at");
}

}  // namespace

app::StartParams read_start(
    const json::object& object, std::vector<ProblemPlace>& places, const std::string& pointer
) {
    Body body(object, places, pointer);
    app::StartParams start;
    const auto workflow = body.text("workflow", name_max);
    if (workflow) {
        start.workflow = *workflow;
    } else if (!object.contains("workflow") || object.at("workflow").is_null()) {
        body.wrong("workflow", "is required");
    }
    start.version = read_version(body, object);
    const json::object* data = body.object("data");
    start.data = data == nullptr ? json::value(json::object()) : json::value(*data);
    start.correlation_id = body.name("correlation_id", correlation_max).value_or("");
    start.subject = body.name("subject", subject_max).value_or("");
    start.priority = static_cast<std::int16_t>(body.whole("priority", -32768, 32767).value_or(0));
    read_when(body, start);
    body.refuse_unknown();
    return start;
}

}  // namespace pawl::api
