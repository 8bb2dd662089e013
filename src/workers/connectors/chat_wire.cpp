// The wire format of chat completions: one JSON object, or a stream of server-sent events.
#include "base/json.hpp"
#include "workers/connectors/model.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

namespace pawl::workers {

namespace {

constexpr JsonLimits limits{4 << 20, 64};

const json::value* first_choice(const json::value& answer) {
    const json::value* choices = find(answer, "choices");
    if (choices == nullptr || !choices->is_array() || choices->get_array().empty()) return nullptr;
    return &choices->get_array()[0];
}

// The parts that a whole answer and every chunk of a stream have alike.
void take(ChatReply& reply, const json::value& part, std::string_view content_in) {
    if (const auto id = text_in(part, "id"); !id.empty()) reply.id = id;
    if (const auto model = text_in(part, "model"); !model.empty()) reply.model = model;
    if (const auto* usage = find(part, "usage")) {
        const auto in = whole_number(find(*usage, "prompt_tokens"));
        const auto out = whole_number(find(*usage, "completion_tokens"));
        if (in) reply.prompt_tokens = *in;
        if (out) reply.completion_tokens = *out;
    }
    if (const auto* error = find(part, "error")) {
        reply.error = text_in(*error, "message");
        if (reply.error.empty()) reply.error = "the endpoint reported an error";
    }
    const json::value* choice = first_choice(part);
    if (choice == nullptr) return;
    if (const auto why = text_in(*choice, "finish_reason"); !why.empty()) reply.finish_reason = why;
    if (const auto* content = find(*choice, content_in)) {
        reply.text += text_in(*content, "content");
    }
}

}  // namespace

json::object chat_body(const ModelSettings& settings, const ChatRequest& request, int tokens_max) {
    json::array messages;
    for (const ChatMessage& message : request.messages) {
        messages.push_back(json::object{{"role", message.role}, {"content", message.content}});
    }
    json::object body{
        {"model", settings.model},
        {"messages", std::move(messages)},
        {"temperature", 0},
        {settings.tokens_field, tokens_max}};
    if (settings.stream) {
        body["stream"] = true;
        body["stream_options"] = json::object{{"include_usage", true}};
    }
    if (settings.json_schema) {
        body["response_format"] = json::object{
            {"type", "json_schema"},
            {"json_schema",
             json::object{
                 {"name", request.schema_name}, {"strict", true}, {"schema", request.schema}}}};
    } else {
        json::object told{
            {"role", "system"},
            {"content",
             "Answer with one JSON object that fits this schema, and nothing else: " +
                 json::serialize(request.schema)}};
        json::array& list = body["messages"].get_array();
        list.insert(list.begin(), std::move(told));
    }
    return body;
}

ChatReply read_chat_reply(std::string_view body, bool streamed) {
    ChatReply reply;
    if (!streamed) {
        const auto answer = parse_json(body, limits);
        if (answer) {
            take(reply, *answer, "message");
        } else {
            reply.error = "the answer is not JSON";
        }
        return reply;
    }
    while (!body.empty()) {
        const std::size_t end = std::min(body.find('\n'), body.size());
        std::string_view line = body.substr(0, end);
        body.remove_prefix(std::min(end + 1, body.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!line.starts_with("data:")) continue;
        line.remove_prefix(5);
        while (line.starts_with(' ')) line.remove_prefix(1);
        if (line == "[DONE]") break;
        const auto part = parse_json(line, limits);
        if (part) take(reply, *part, "delta");
    }
    return reply;
}

}  // namespace pawl::workers
