#pragma once

#include "http/client.hpp"
#include "steps/call_targets.hpp"
#include "steps/step_request.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pawl::steps {

// What the executors that speak HTTP share.

// A text member of a config; nothing when it is absent, null or not text.
std::optional<std::string> text_member(const json::object& config, std::string_view key);

// Sets a header unless there is one of that name.
void add_missing_header(http::Headers& headers, std::string name, std::string value);

// Merges config.headers over `headers`: null takes a header away, numbers and booleans are
// written out. The error says which header is wrong.
std::optional<StepError> apply_headers(const json::object& config, http::Headers& headers);

bool is_json(const http::Response& response);

// Pawl-Callback-Token and Pawl-Callback-Url, for a step that may answer later. The error: it wants
// to, and this worker cannot give out tokens.
std::optional<StepError> add_callback(const StepRequest& step, http::Headers& headers);
// Sends the request of a step. `unsent` is also what a step waits for whose peer has answered 202.
asio::awaitable<CallTargets::Sent> send_step(
    CallTargets& targets, http::Client& client, const StepRequest& step, http::Request request
);

}  // namespace pawl::steps
