#include "api/http/problem.hpp"

#include "api/http/detail_code.hpp"
#include "app/refusal.hpp"
#include "base/cut_text.hpp"
#include "base/exact_json.hpp"
#include "base/json.hpp"
#include "base/sentence.hpp"
#include "pg/pg_error.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace pawl::api {

namespace {

std::string_view title(int status) {
    switch (status) {
        case 400: return "The request cannot be read";
        case 401: return "Not authenticated";
        case 403: return "Not allowed";
        case 404: return "Not found";
        case 405: return "Wrong method";
        case 409: return "Conflict";
        case 413: return "Too large";
        case 415: return "Wrong content type";
        case 422: return "The request is wrong";
        case 429: return "Too many requests";
        case 503: return "Not available right now";
        case 504: return "Took too long";
        default: return status < 500 ? "The request failed" : "The server failed";
    }
}

json::object to_json(const ProblemPlace& place) {
    json::object object;
    if (place.parameter.empty()) {
        object["pointer"] = cut_text(place.pointer, place_bytes_max);
    } else {
        object["parameter"] = cut_text(place.parameter, place_bytes_max);
    }
    object["detail"] = cut_text(for_sentence(place.detail), place_bytes_max);
    if (auto said = detail_code(place.detail)) {
        object["code"] = said->code;
        json::object values;
        for (auto& [name, value] : said->values) values[name] = cut_text(value, place_bytes_max);
        object["values"] = std::move(values);
    }
    return object;
}

// Reasons whose status is not that of their code.
int status_of(std::string_view reason, int otherwise) {
    static const std::map<std::string_view, int> others{
        {"expired", 410},
        {"idempotency_key_reused", 422},
        {"input_does_not_fit", 422},
        {"invalid_definition", 422},
        {"too_many_open_runs", 429},
        {"too_many_starts", 429},
        {"unreadable_definition", 422},
        {"validation_failed", 422},
    };
    const auto found = others.find(reason);
    return found == others.end() ? otherwise : found->second;
}

// What is missing in the input of a start: its sentence, and how many more places there are than it
// names.
void tell_missing(Problem& problem) {
    problem.code = "validation_failed";
    problem.status = 422;
    const auto& gaps = problem.places;
    const auto unnamed = std::count_if(gaps.begin(), gaps.end(), [&](const ProblemPlace& gap) {
        const std::string name = gap.pointer.substr(gap.pointer.rfind('/') + 1);
        return problem.detail.find(name) == std::string::npos;
    });
    if (unnamed > 0) problem.detail += fmt::format(" (and {} more)", unnamed);
}

// What the context of a refusal says beside its reason.
void add_context(Problem& problem, const Error& error) {
    if (problem.code == "not_awaited") problem.more["waits_for"] = json::array();
    json::object values;
    for (const auto& [key, value] : error.context) {
        if (key == app::reason_key) continue;
        if (key.empty() || key.starts_with('/')) {
            problem.places.push_back({key, "", value});
        } else if (key == "waits_for") {
            problem.more["waits_for"].as_array().emplace_back(value);
        } else {
            values[key] = cut_text(value, place_bytes_max);
        }
    }
    if (!values.empty()) problem.more["values"] = std::move(values);
}

}  // namespace

void refuse(int status, std::string_view code, std::string detail) {
    throw Refused({status, std::string(code), std::move(detail), {}, {}});
}

std::string summary_of(const std::vector<ProblemPlace>& places) {
    if (places.empty()) return {};
    const ProblemPlace& first = places.front();
    const std::string& where = first.parameter.empty() ? first.pointer : first.parameter;
    std::string text = where.empty() ? first.detail : where + " " + first.detail;
    if (places.size() > 1) text += fmt::format(" (and {} more)", places.size() - 1);
    return text;
}

void refuse_places(std::string detail, std::vector<ProblemPlace> places) {
    throw Refused({422, "validation_failed", std::move(detail), std::move(places), {}});
}

void refuse_parameter(std::string_view name, std::string detail) {
    std::string whole = "parameter '" + std::string(name) + "': " + detail;
    throw Refused(
        {400,
         "invalid_parameter",
         std::move(whole),
         {{"", std::string(name), std::move(detail)}},
         {}}
    );
}

void refuse_not_found(std::string detail) {
    refuse(404, "not_found", std::move(detail));
}

Problem to_problem(const Error& error) {
    const ErrcInfo known = info(error.code);
    Problem problem;
    problem.status = known.http_status;
    problem.code = known.name;
    problem.detail = error.message;
    // What went wrong inside is for the log.
    if (error.code == Errc::internal) problem.detail = "the server failed; its log says why";
    if (known.retryable) problem.headers.push_back({"Retry-After", "1"});
    const std::string_view reason = app::reason_of(error);
    if (reason.empty()) return problem;
    problem.code = reason;
    problem.status = status_of(reason, known.http_status);
    add_context(problem, error);
    if (reason == "missing_input") tell_missing(problem);
    if (reason == "input_does_not_fit") problem.code = "validation_failed";
    return problem;
}

Problem to_problem(const Failure& failure) {
    Problem problem = to_problem(failure.error());
    const bool inside = dynamic_cast<const pg::PgError*>(&failure) != nullptr;
    if (inside && problem.status > 500) {
        problem.detail = "the database is not available right now; the server's log says why";
    }
    return problem;
}

http::ServerResponse to_response(const Problem& problem, std::string_view request_id) {
    json::object body;
    body["type"] = "urn:pawl:problem:" + problem.code;
    body["title"] = title(problem.status);
    body["status"] = problem.status;
    body["detail"] = cut_text(for_sentence(problem.detail), detail_bytes_max);
    body["code"] = problem.code;
    for (const auto& [key, value] : problem.more) body[key] = value;
    if (!problem.places.empty()) {
        json::array& places = body["errors"].emplace_array();
        for (const ProblemPlace& place : problem.places) {
            if (places.size() == places_shown_max) break;
            places.push_back(to_json(place));
        }
    }
    if (!request_id.empty()) body["request_id"] = request_id;
    http::ServerResponse response;
    response.status = problem.status;
    response.headers = problem.headers;
    response.headers.push_back({"Content-Type", "application/problem+json"});
    response.body = plain_json(body);
    return response;
}

}  // namespace pawl::api
