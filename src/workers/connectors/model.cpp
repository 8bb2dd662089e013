#include "workers/connectors/model.hpp"

#include "base/json.hpp"
#include "model/json_schema.hpp"
#include "steps/classify.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::workers {

namespace {

StepResult permanent(std::string code, std::string message) {
    return StepResult::fail(FailureKind::permanent, std::move(code), std::move(message));
}
StepResult again(std::string code, std::string message) {
    return StepResult::fail(FailureKind::retryable, std::move(code), std::move(message));
}

// Nothing that came back can have had an effect elsewhere: what is not permanent may be asked
// again.
StepResult from_error(const StepError& error, const std::string& said) {
    const std::string message = said.empty() ? error.message : said;
    if (error.error_class == ErrorClass::permanent) return permanent(error.code, message);
    std::optional<std::chrono::milliseconds> after;
    if (error.retry_after) {
        after = std::chrono::ceil<std::chrono::milliseconds>(*error.retry_after);
    }
    return StepResult::fail(FailureKind::retryable, error.code, message, after);
}

bool is_stream(const http::Response& response) {
    const std::string* type = http::find_header(response.headers, "Content-Type");
    return type != nullptr && type->starts_with("text/event-stream");
}

class ChatModel : public Model {
public:
    ChatModel(
        std::shared_ptr<const ModelSettings> settings, std::shared_ptr<embed::Sessions> sessions
    )
        : settings_(std::move(settings)), sessions_(std::move(sessions)) {}

    StepResult reply(
        const ChatRequest& request, const Spent& spent, const ExecutionContext& context
    ) override {
        if (settings_->url.empty()) {
            return permanent("no_model", "no model is set up: pawl serve --model FILE");
        }
        json::object body = chat_body(*settings_, request, settings_->reply_tokens_max);
        const Allowance allowed = allowance(*settings_, body, spent, context.attempt);
        if (allowed.reply_tokens == 0) {
            return permanent(
                "budget",
                fmt::format(
                    "the run has used {} tokens for {:.4f}, and what is left of {} and {:.4f} is "
                    "not enough for another call",
                    spent.tokens + allowed.before.tokens,
                    spent.cost + allowed.before.cost,
                    settings_->run_tokens_max,
                    settings_->run_cost_max
                )
            );
        }
        body[settings_->tokens_field] = allowed.reply_tokens;
        http::Request call = request_for(body, context);
        const auto outcome = sessions_->run<http::Outcome>(
            [&](embed::Session& session) { return session.client().send(std::move(call)); },
            context.stop
        );
        if (const auto error = steps::classify(outcome, wall_now())) {
            return from_error(*error, outcome ? read_chat_reply(outcome->body, false).error : "");
        }
        return judge(read_chat_reply(outcome->body, is_stream(*outcome)), request, allowed.before);
    }

private:
    http::Request request_for(const json::object& body, const ExecutionContext& context) const {
        http::Request call;
        call.trusted = true;  // the operator's settings
        call.method = "POST";
        call.url = settings_->url + "/chat/completions";
        call.headers = {
            {"Content-Type", "application/json"}, {"Idempotency-Key", attempt_key(context)}};
        if (!settings_->key.empty()) {
            call.headers.push_back({"Authorization", "Bearer " + settings_->key});
        }
        call.body = json::serialize(body);
        call.response_bytes_max = 4 << 20;
        call.timeout = std::chrono::duration_cast<Duration>(context.deadline - Steady::now());
        return call;
    }

    StepResult judge(const ChatReply& reply, const ChatRequest& request, const Spent& before)
        const {
        if (!reply.error.empty()) return again("model_error", reply.error);
        if (reply.finish_reason == "length") {
            return permanent("model_length", "the reply is longer than it may be");
        }
        if (reply.finish_reason == "content_filter") {
            return permanent("model_refused", "the endpoint's filter stopped the reply");
        }
        if (reply.finish_reason.empty()) return again("model_interrupted", "the reply broke off");
        const auto parsed = parse_json(reply.text);
        if (!parsed) return again("model_output", "the reply is not JSON");
        const auto problems = check_document(request.schema, *parsed);
        if (!problems.empty()) {
            return again("model_output", problems[0].pointer + " " + problems[0].message);
        }
        const double cost = (static_cast<double>(reply.prompt_tokens) * settings_->price_in +
                             static_cast<double>(reply.completion_tokens) * settings_->price_out) /
                            1e6;
        json::object result{
            {"reply", *parsed},
            {"id", reply.id},
            {"model", reply.model.empty() ? settings_->model : reply.model},
            {"usage",
             {{"prompt_tokens", reply.prompt_tokens},
              {"completion_tokens", reply.completion_tokens}}},
            {"cost", cost}};
        if (before.tokens > 0) {
            result["before"] = json::object{{"tokens", before.tokens}, {"cost", before.cost}};
        }
        return StepResult::ok(std::move(result));
    }

    std::shared_ptr<const ModelSettings> settings_;
    std::shared_ptr<embed::Sessions> sessions_;
};

}  // namespace

std::shared_ptr<Model> make_model(
    std::shared_ptr<const ModelSettings> settings, std::shared_ptr<embed::Sessions> sessions
) {
    return std::make_shared<ChatModel>(std::move(settings), std::move(sessions));
}

}  // namespace pawl::workers
