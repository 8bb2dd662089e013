#include "api/sandbox/sandbox_model.hpp"

#include "steps/storable_text.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::api {

namespace {

constexpr std::size_t beginning_max = 200;
constexpr std::int64_t bytes_per_token = 4;
constexpr int depth_max = 16;

json::value fitting(
    const json::value& schema, std::string_view name, std::string_view about, int depth
) {
    const json::value* choices = find(schema, "enum");
    if (choices != nullptr && choices->is_array() && !choices->get_array().empty()) {
        return choices->get_array()[0];
    }
    const std::string_view type = text_in(schema, "type");
    if (type == "string") return json::value(fmt::format("Sandbox {} about: {}", name, about));
    if (type == "number") return 0.5;
    if (type == "integer") return 1;
    if (type == "boolean") return false;
    if (type == "array") return json::array();
    if (type == "null") return nullptr;
    json::object object;
    const json::value* properties = find(schema, "properties");
    if (properties != nullptr && properties->is_object() && depth < depth_max) {
        for (const auto& [key, value] : properties->get_object()) {
            object[key] = fitting(value, key, about, depth + 1);
        }
    }
    return object;
}

// What the conversation is about: its last message, and how much was said in all.
struct Asked {
    std::string last;
    std::size_t bytes = 0;
};

Asked asked_in(const json::object& request) {
    Asked asked;
    const json::value* messages = request.if_contains("messages");
    if (messages == nullptr || !messages->is_array()) return asked;
    for (const json::value& message : messages->get_array()) {
        asked.last = text_in(message, "content");
        asked.bytes += asked.last.size();
    }
    return asked;
}

json::object part(std::uint64_t number, const json::object& request, std::string_view kind) {
    return {
        {"id", fmt::format("chatcmpl-sandbox-{}", number)},
        {"object", kind},
        {"model", text_in(request, "model")}};
}

void add_event(std::string& body, const json::object& data) {
    body += "data: " + json::serialize(data) + "\n\n";
}

std::string streamed(
    const json::object& request,
    const std::string& text,
    const json::object& usage,
    std::uint64_t number
) {
    std::string body;
    // In pieces, as real ones come.
    constexpr std::size_t piece = 40;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = std::min(at + piece, text.size());
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
        json::object chunk = part(number, request, "chat.completion.chunk");
        chunk["choices"] = json::array{json::object{
            {"index", 0},
            {"delta", json::object{{"content", text.substr(at, end - at)}}},
            {"finish_reason", nullptr}}};
        add_event(body, chunk);
        at = end;
    }
    json::object last = part(number, request, "chat.completion.chunk");
    last["choices"] = json::array{
        json::object{{"index", 0}, {"delta", json::object()}, {"finish_reason", "stop"}}};
    add_event(body, last);
    json::object counted = part(number, request, "chat.completion.chunk");
    counted["choices"] = json::array();
    counted["usage"] = usage;
    add_event(body, counted);
    return body + "data: [DONE]\n\n";
}

}  // namespace

http::ServerResponse answer_chat(const json::object& request, std::uint64_t number) {
    const Asked asked = asked_in(request);
    const std::string about = steps::storable(asked.last, beginning_max);
    std::string text = "Sandbox reply about: " + about;
    const json::value* format = request.if_contains("response_format");
    const json::value* wanted = format == nullptr ? nullptr : find(*format, "json_schema");
    const json::value* schema = wanted == nullptr ? nullptr : find(*wanted, "schema");
    if (schema != nullptr) text = json::serialize(fitting(*schema, "reply", about, 0));
    const auto tokens = [](std::size_t bytes) {
        return static_cast<std::int64_t>(bytes) / bytes_per_token + 1;
    };
    const json::object usage{
        {"prompt_tokens", tokens(asked.bytes)},
        {"completion_tokens", tokens(text.size())},
        {"total_tokens", tokens(asked.bytes) + tokens(text.size())}};
    const json::value* stream = request.if_contains("stream");
    if (stream != nullptr && *stream == true) {
        return {
            200,
            {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}},
            streamed(request, text, usage, number)};
    }
    json::object answer = part(number, request, "chat.completion");
    answer["choices"] = json::array{json::object{
        {"index", 0},
        {"message", json::object{{"role", "assistant"}, {"content", text}}},
        {"finish_reason", "stop"}}};
    answer["usage"] = usage;
    return {200, {{"Content-Type", "application/json"}}, json::serialize(answer)};
}

}  // namespace pawl::api
