#include "pawl/workflow.hpp"

#include <stdexcept>
#include <utility>

namespace pawl {

const StepView* Plan::step(
    const Run& run, std::string_view name, boost::json::object config, std::string_view key
) {
    std::string id(name);
    if (!key.empty()) id.append("#").append(key);
    const StepView* known = run.find(id);
    if (known == nullptr) {
        steps_.push_back({std::move(id), std::string(name), std::move(config)});
        return nullptr;
    }
    return known->ended() ? known : nullptr;
}

const StepView* Plan::run_step(
    const Run& run, std::string_view name, boost::json::value input, std::string_view key
) {
    boost::json::object config;
    config["input"] = std::move(input);
    return step(run, name, std::move(config), key);
}

void Plan::finish(boost::json::value output) {
    finished_ = true;
    output_ = std::move(output);
}

void Plan::fail(std::string code, std::string message) {
    if (code.empty()) throw std::invalid_argument("a failure needs a code");
    failure_code_ = std::move(code);
    failure_message_ = std::move(message);
}

}  // namespace pawl
