#include "rehearse/past.hpp"

#include "base/json.hpp"
#include "model/civil_time.hpp"
#include "model/events/error_data.hpp"
#include "model/events/step_events.hpp"
#include "rehearse/check.hpp"
#include "rehearse/made_up.hpp"

#include <chrono>

namespace pawl::rehearse {

namespace json = boost::json;

namespace {

constexpr int night_from = 21, night_to = 8;
// Of one run: a person who made more of them in that time is no person.
constexpr std::size_t happenings_max = 1000;

}  // namespace

bool is_night(Instant at, const json::value& person) {
    TimeZone zone;
    if (const auto known = parse_time_zone(text_in(person, "timezone"))) zone = *known;
    const auto local = to_local(zone, at);
    const auto clock = local - std::chrono::floor<std::chrono::days>(local);
    const auto hour = std::chrono::duration_cast<std::chrono::hours>(clock).count();
    return hour >= night_from || hour < night_to;
}

class Past::Outside : public World {
public:
    Outside(Past& history, const json::value& person) : history_(history), person_(person) {}

    Answer call(const Call& call) override {
        Answer answer = made_up_answer(call, person_);
        if (call.node.type == NodeType::condition) history_.assumed_.insert(call.node.id);
        if (call.node.type != NodeType::message) return answer;
        PastMessages& messages = history_.messages_[call.node.id];
        messages.channel = text_in(call.config, "channel");
        const std::string_view reason =
            events::read_one(answer.result, &events::MessageEnded::reason);
        if (!reason.empty()) ++messages.skipped[std::string(reason)];
        return answer;
    }
    bool mocks(const Node&) const override { return false; }
    std::optional<Answer> meet(const Node&, int) override { return std::nullopt; }

private:
    Past& history_;
    const json::value& person_;
};

void Past::add(PastEvent event) {
    auto& of_key = events_[event.key];
    if (of_key.size() < happenings_max) of_key.push_back(std::move(event));
}

bool Past::may_enter(const PastStart& start) const {
    if (definition_.reentry == Reentry::always || start.subject.empty()) return true;
    const auto last = last_.find(start.subject);
    if (last == last_.end()) return true;
    return definition_.reentry == Reentry::while_none_open && last->second <= start.at;
}

void Past::note(const Recording& recording, const json::value& person) {
    coverage_.add(recording);
    ++statuses_[std::string(outcome_name(recording))];
    if (recording.status == RunStatus::failed) {
        ++errors_[std::string(events::error_code(recording.error))];
    }
    for (const std::string& node : recording.waits_at) ++waits_at_[node];
    for (const Event& event : recording.log) {
        if (event.type != EventType::step_completed) continue;
        if (events::read_one(event.data, &events::MessageEnded::state) != "sent") continue;
        const auto found = messages_.find(event.node);
        if (found == messages_.end()) continue;
        ++found->second.sent;
        if (is_night(event.at, person)) ++found->second.at_night;
    }
}

void Past::start(PastStart start, const json::value& person) {
    if (!may_enter(start)) {
        ++inside_;
        return;
    }
    if (!validate_input(definition_, start.input)) {
        ++refused_;
        return;
    }
    Script script;
    script.input = std::move(start.input);
    script.subject = start.subject;
    script.person = person.is_null() ? json::value(json::object()) : person;
    script.start = start.at;
    script.limit = until_ - start.at;
    if (const auto known = events_.find(start.subject); known != events_.end()) {
        for (const PastEvent& event : known->second) {
            if (event.at <= start.at || event.at > until_) continue;
            Happening happening;
            happening.after = event.at - start.at;
            happening.name = event.name;
            happening.key = event.key;
            happening.data = event.data;
            script.happenings.push_back(std::move(happening));
        }
    }
    Outside outside(*this, person);
    const Recording recording = rehearse(definition_, script, outside);
    ++entered_;
    const bool open = recording.status == RunStatus::running;
    last_[start.subject] = open ? Instant::max() : recording.ended;
    note(recording, person);
}

}  // namespace pawl::rehearse
