#include "api/sandbox/sandbox.hpp"

#include "api/sandbox/sandbox_model.hpp"

#include <fmt/core.h>

namespace pawl::api {

namespace {

constexpr std::size_t calls_max = 500;

json::object to_json(const Sandbox::Call& call) {
    json::object out;
    out["number"] = call.number;
    out["at"] = to_rfc3339(call.at);
    out["function"] = call.function;
    out["action"] = call.action;
    out["payload"] = call.payload;
    out["idempotency_key"] = call.idempotency_key;
    out["error"] = call.error.empty() ? json::value() : json::value(call.error);
    return out;
}

json::value member(const json::object& body, std::string_view key) {
    const json::value* value = body.if_contains(key);
    return value == nullptr ? json::value() : *value;
}

}  // namespace

std::string Sandbox::take_failure(const std::string& function) {
    const auto found = failures_.find(function);
    if (found == failures_.end()) return {};
    std::string error = found->second.error;
    if (found->second.left > 0 && --found->second.left == 0) failures_.erase(found);
    return error;
}

http::ServerResponse Sandbox::receive(
    std::string function, const json::object& body, std::string idempotency_key
) {
    Call call;
    call.number = ++last_;
    call.at = wall_now();
    call.error = take_failure(function);
    call.function = std::move(function);
    call.action = member(body, "action");
    call.payload = member(body, "payload");
    call.idempotency_key = std::move(idempotency_key);
    json::object answer;
    answer["success"] = call.error.empty();
    if (call.error.empty()) {
        json::object& data = answer["data"].emplace_object();
        data["message_id"] = fmt::format("sandbox-{}", call.number);
        data["sent_at"] = to_rfc3339(call.at);
    } else {
        answer["error"] = call.error;
    }
    const int status = call.error.empty() ? 200 : 500;
    keep(std::move(call));
    return json_response(status, answer);
}

http::ServerResponse Sandbox::chat(const json::object& request, std::string idempotency_key) {
    Call call;
    call.number = ++last_;
    call.at = wall_now();
    call.function = "model";
    call.action = "chat";
    call.payload = member(request, "messages");
    call.idempotency_key = std::move(idempotency_key);
    call.error = take_failure(call.function);
    const std::string error = call.error;
    const std::uint64_t number = call.number;
    keep(std::move(call));
    if (error.empty()) return answer_chat(request, number);
    return json_response(500, json::object{{"error", json::object{{"message", error}}}});
}

void Sandbox::keep(Call call) {
    calls_.push_back(std::move(call));
    if (calls_.size() > calls_max) calls_.pop_front();
}

void Sandbox::fail(const std::string& function, std::string error, std::uint32_t times) {
    failures_[function] = {std::move(error), times};
}

void Sandbox::repair(const std::string& function) {
    failures_.erase(function);
}

json::array Sandbox::calls_after(std::uint64_t number) const {
    json::array calls;
    for (const Call& call : calls_) {
        if (call.number > number) calls.push_back(to_json(call));
    }
    return calls;
}

}  // namespace pawl::api
