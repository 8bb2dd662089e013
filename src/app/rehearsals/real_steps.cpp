#include "app/rehearsals/real_steps.hpp"

#include "base/json.hpp"
#include "jq/jq_pool.hpp"
#include "steps/transform.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>

namespace pawl::app {

namespace asio = boost::asio;

struct RealSteps::Jq {
    asio::io_context loop{1};
    jq::Pool pool{loop.get_executor(), {.binary = jq::this_binary, .children_max = 1}};

    steps::StepOutcome run(steps::StepRequest request) {
        std::exception_ptr failed;
        steps::StepOutcome outcome;
        loop.restart();
        asio::co_spawn(
            loop,
            steps::transform(pool, std::move(request)),
            [&](std::exception_ptr thrown, steps::StepOutcome result) {
                failed = thrown;
                outcome = std::move(result);
                loop.stop();
            }
        );
        loop.run();
        if (failed) std::rethrow_exception(failed);
        return outcome;
    }
};

RealSteps::RealSteps() {
    steps::register_builtins(code_);
}

RealSteps::~RealSteps() = default;

std::optional<rehearse::Answer> RealSteps::run(const rehearse::Call& call) {
    steps::StepRequest request;
    request.node = call.node.id;
    request.type = call.node.type;
    request.attempt = call.attempt;
    request.config = call.config;
    const bool bare = call.node.type == NodeType::transform && !call.config.contains("input");
    if (bare) request.config["input"] = call.context;
    steps::StepOutcome outcome;
    if (call.node.type == NodeType::transform) {
        if (!jq_) jq_ = std::make_unique<Jq>();
        outcome = jq_->run(std::move(request));
    } else if (call.node.type == NodeType::code) {
        const auto* found = code_.find(text_in(call.config, "function"));
        const auto* function = found == nullptr ? nullptr : std::get_if<steps::SyncFunction>(found);
        if (function == nullptr) return std::nullopt;
        outcome = steps::run_sync(*function, request);
    } else {
        return std::nullopt;
    }
    rehearse::Answer answer;
    answer.result = std::move(outcome.result);
    answer.error = std::move(outcome.error);
    return answer;
}

}  // namespace pawl::app
