#include "api/http/start_body.hpp"

#include "api/http/body.hpp"
#include "api/http/version_body.hpp"
#include "base/trace_context.hpp"
#include "model/duration.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::api {

namespace {

constexpr std::size_t name_max = 200;
constexpr std::size_t correlation_max = 400;
constexpr std::size_t subject_max = 500;

void read_when(Body& body, StartBody& start) {
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

// "a, b" as the context of a validation error has it.
std::vector<std::string> names_in(const Error& error) {
    std::vector<std::string> names;
    for (const auto& [key, value] : error.context) {
        if (key != "missing") continue;
        std::string_view rest = value;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(", "), rest.size());
            names.emplace_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 2, rest.size()));
        }
    }
    return names;
}

std::string as_pointer(std::string_view path) {
    std::string pointer(path);
    for (char& c : pointer) {
        if (c == '.') c = '/';
    }
    return pointer;
}

}  // namespace

StartBody read_start(
    const json::object& object, std::vector<ProblemPlace>& places, const std::string& pointer
) {
    Body body(object, places, pointer);
    StartBody start;
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

std::optional<std::string> check_input(
    const engine::Program& program,
    const json::value& data,
    std::vector<ProblemPlace>& places,
    const std::string& pointer
) {
    const auto valid = validate_input(program.definition, data);
    if (valid) return std::nullopt;
    for (const std::string& name : names_in(valid.error())) {
        std::string_view path = name;
        if (path.starts_with("input.")) path.remove_prefix(6);
        places.push_back({pointer + "/" + as_pointer(path), "", "is missing"});
    }
    return valid.error().message;
}

void refuse_missing(std::string sentence, std::vector<ProblemPlace> gaps) {
    const auto unnamed = std::count_if(gaps.begin(), gaps.end(), [&](const ProblemPlace& gap) {
        const std::string name = gap.pointer.substr(gap.pointer.rfind('/') + 1);
        return sentence.find(name) == std::string::npos;
    });
    if (unnamed > 0) sentence += fmt::format(" (and {} more)", unnamed);
    refuse_places(std::move(sentence), std::move(gaps));
}

StartChoice choice_of(const StartBody& body) {
    return {body.subject.empty() ? body.correlation_id : body.subject, body.version};
}

engine::StartRequest to_request(engine::ProgramPtr program, StartBody body) {
    engine::StartRequest request;
    request.program = std::move(program);
    request.input = std::move(body.data);
    request.subject = std::move(body.subject);
    request.correlation = std::move(body.correlation_id);
    request.priority = body.priority;
    request.due_at = body.start_at;
    if (body.delay) request.due_at = saturating_add(wall_now(), *body.delay);
    if (!body.triggered_by.empty()) request.triggered_by = std::move(body.triggered_by);
    request.traceparent = std::move(body.traceparent);
    return request;
}

std::string door_of(const Call& call) {
    const std::string* agent = http::find_header(call.request.headers, "User-Agent");
    return agent != nullptr && agent->starts_with("pawl-cli/") ? "cli" : "api";
}

std::string traceparent_of(const Call& call) {
    const std::string* header = http::find_header(call.request.headers, "traceparent");
    const auto context = header == nullptr ? std::nullopt : parse_traceparent(*header);
    return context && context->sampled ? to_traceparent(*context) : std::string();
}

std::string correlation_for(const Call& call, std::string given, std::size_t index) {
    if (!given.empty() || call.idempotency_key.empty()) return given;
    return fmt::format("idempotency:{}:{}", call.idempotency_key, index);
}

asio::awaitable<void> refuse_other_start(
    Services& services, store::Tenant tenant, engine::Started started, StartBody body
) {
    if (started.created || body.correlation_id.empty()) co_return;
    const auto run = co_await services.store.find_run(tenant, started.run);
    // One that a subject had already (reentry) came by another key, or by none.
    if (!run || run->input == body.data || run->correlation_id != body.correlation_id) co_return;
    // Gathered into the run of others: its input is what was gathered.
    const auto program = co_await services.find_program(run->workflow_id, run->version);
    if (program && program->definition.flow.gathering) co_return;
    refuse_reused_key();
}

void refuse_reused_key() {
    refuse(
        422,
        "idempotency_key_reused",
        "this Idempotency-Key was used for another request; take a new one"
    );
}

}  // namespace pawl::api
