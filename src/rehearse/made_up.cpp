#include "rehearse/made_up.hpp"

#include "base/json.hpp"

namespace pawl::rehearse {

namespace json = boost::json;

namespace {

bool has_address(const json::value& person, std::string_view channel) {
    const json::value* addresses = find(person, "addresses");
    return addresses != nullptr && !text_in(*addresses, channel).empty();
}

json::object message_result(const Call& call, const json::value& person) {
    const std::string channel(text_in(call.config, "channel"));
    const bool to = !text_in(call.config, "to").empty() || channel == "webhook";
    if (!to && !has_address(person, channel)) {
        return {{"state", "skipped"}, {"reason", "no_address"}, {"channel", channel}};
    }
    return {{"state", "sent"}, {"channel", channel}};
}

// The handle by which an agent leaves that has to choose one.
json::object agent_result(const Call& call) {
    const json::value* choices = call.config.if_contains("decide");
    const json::array* list = choices == nullptr ? nullptr : choices->if_array();
    if (list == nullptr || list->empty()) return {};
    return {{"decision", list->front()}};
}

}  // namespace

Answer made_up_answer(const Call& call, const json::value& person) {
    Answer answer;
    switch (call.node.type) {
        case NodeType::condition: answer.result = json::object{{"result", false}}; break;
        case NodeType::message: answer.result = message_result(call, person); break;
        case NodeType::agent: answer.result = agent_result(call); break;
        default: answer.result = json::object(); break;
    }
    return answer;
}

const RealSteps& TrialWorld::no_steps() {
    static const RealSteps none;
    return none;
}

Answer TrialWorld::call(const Call& call) {
    if (mocks(call.node)) return MockWorld::call(call);
    if (call.node.type != NodeType::message) assumed_.insert(call.node.id);
    return made_up_answer(call, person_);
}

}  // namespace pawl::rehearse
