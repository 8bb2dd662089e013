#include "steps/transform.hpp"

#include "base/json.hpp"
#include "base/spoken.hpp"
#include "jq/confine.hpp"
#include "jq/frame.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace pawl::steps {

namespace {

StepOutcome refused(std::string code, std::string_view message) {
    return failed(ErrorClass::permanent, std::move(code), message);
}

StepOutcome read_output(const std::string& text) {
    if (text.empty()) return completed(nullptr);
    JsonLimits limits;
    limits.bytes_max = jq::output_bytes_max;
    auto value = parse_json(text, limits);
    if (value) return completed(std::move(*value));
    return refused(
        "invalid_result", "the output cannot be stored: " + std::move(value).error().message
    );
}

StepOutcome outcome_of(const StepRequest& request, const jq::Outcome& outcome) {
    switch (outcome.fate) {
        case jq::Fate::done: return read_output(outcome.text);
        case jq::Fate::failed: return refused("jq", outcome.text);
        case jq::Fate::invalid:
            return refused("jq", "the program does not compile: " + outcome.text);
        case jq::Fate::too_large: return refused("too_large", outcome.text);
        case jq::Fate::out_of_memory: {
            constexpr auto megabytes = jq::memory_bytes_max >> 20;
            return refused(
                "out_of_memory", fmt::format("the program needed more than {} MB", megabytes)
            );
        }
        case jq::Fate::timeout: {
            const auto limit = std::chrono::ceil<std::chrono::milliseconds>(
                std::min<Duration>(request.timeout, jq::program_time_max)
            );
            return refused(
                "timeout",
                fmt::format(
                    "the program did not end within {}; {} look for a loop without an end",
                    human_duration(limit),
                    limit < jq::program_time_max ? "give the step a longer timeout, or"
                                                 : "no program gets more:"
                )
            );
        }
        case jq::Fate::crashed: return refused("jq", outcome.text + " in this program");
        case jq::Fate::unwanted:
            return failed(ErrorClass::permanent, "cancelled", "the run no longer needs the result");
        case jq::Fate::unavailable: break;
    }
    return failed(ErrorClass::retryable, "unavailable", outcome.text);
}

}  // namespace

asio::awaitable<StepOutcome> transform(jq::Pool& pool, StepRequest request) {
    const json::value* program = request.config.if_contains("jq");
    if (program == nullptr || !program->is_string()) {
        co_return invalid_config("jq must be a program, such as \".input.items | length\"");
    }
    const json::value* given = request.config.if_contains("input");
    std::string text(program->get_string());
    std::string input = json::serialize(given != nullptr ? *given : json::value());
    const Duration limit = request.timeout;
    jq::Caller caller{request.tenant, request.wanted};
    const jq::Outcome outcome =
        co_await pool.run(std::move(text), std::move(input), limit, std::move(caller));
    co_return outcome_of(request, outcome);
}

}  // namespace pawl::steps
