#include "rehearse/stage.hpp"

#include "base/json.hpp"
#include "model/duration.hpp"
#include "model/person.hpp"
#include "plan/judge.hpp"
#include "plan/locks.hpp"
#include "plan/moves.hpp"
#include "plan/waits.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::rehearse {

namespace {

// What a person says to the wait of a token.
json::object decision(const plan::Token& token, const Answer& answer, const json::value& data) {
    events::TaskSignal said;
    said.to = {token.id, token.visit, std::nullopt};
    said.answer.decision = json::value(answer.decision);
    said.answer.by = json::value(answer.by);
    said.answer.reason = json::value(answer.reason);
    // A person who approves a draft without a word leaves it as it is.
    if (!data.is_null() || token.turns.empty()) said.answer.data = &data;
    return events::write(std::move(said));
}

bool publishes(const Event& event) {
    return event.type == EventType::node_passed && events::read<events::NodePassed>(event).emit;
}

}  // namespace

Stage::Stage(const Definition& definition, const Script& script, World& world, Recording& recording)
    : definition_(definition),
      script_(script),
      world_(world),
      recording_(recording),
      observer_(definition, recording),
      now_(script.start),
      calls_(definition.nodes.size()),
      meetings_(definition.nodes.size()) {
    for (const Happening& happening : script.happenings) {
        at(saturating_add(script.start, happening.after), happening);
    }
}

void Stage::at(Instant when, Due what) {
    agenda_.emplace(when, std::move(what));
}

void Stage::run() {
    Event started =
        plan::run_started(1, 1, script_.input, script_.subject, definition_, plan::Origin{});
    started.at = now_;
    plan::evolve(definition_, state_, started);
    state_.person = script_.person;
    observer_.see(started);
    feed(plan::Resumed{});
    const Instant last = saturating_add(script_.start, script_.limit);
    for (int turn = 0; !is_terminal(state_.status); ++turn) {
        const plan::Wants wants = plan::wants(state_, now_);
        begin_steps(wants);
        meet_waits();
        if (offer_events()) continue;
        const bool due = !agenda_.empty();
        if (!due && !wants.wake_at) break;
        const Instant next = !due            ? *wants.wake_at
                             : wants.wake_at ? std::min(*wants.wake_at, agenda_.begin()->first)
                                             : agenda_.begin()->first;
        if (next > last || turn > script_.decisions_max) {
            recording_.stopped = true;
            break;
        }
        now_ = std::max(now_, next);
        if (due && agenda_.begin()->first <= now_) {
            Due what = std::move(agenda_.begin()->second);
            agenda_.erase(agenda_.begin());
            happen(std::move(what));
        } else {
            feed(plan::TimerDue{});
        }
    }
    note_rest();
}

void Stage::feed(plan::Stimulus stimulus) {
    plan::Moment moment;
    moment.now = now_;
    for (const Event& event : plan::decide(definition_, state_, std::move(stimulus), moment)) {
        observer_.see(event);
        if (!publishes(event)) continue;
        // What a run publishes may be what it waits for itself.
        const Emitted& emitted = recording_.emitted.back();
        published_.push_back({next_id_++, emitted.event, emitted.key, emitted.data});
    }
    if (!locks_.empty()) leave_lost_places();
}

void Stage::signal(SignalKind kind, json::value data) {
    plan::SignalReceived received;
    received.id = next_id_++;
    received.kind = name(kind);
    received.data = std::move(data);
    feed(std::move(received));
}

void Stage::begin_steps(const plan::Wants& wants) {
    for (const plan::ExecuteStep& step : wants.steps) {
        if (!begun_.emplace(step.token, step.node, step.visit, step.attempt).second) continue;
        Duration takes{};
        plan::StepFinished finished = outcome_of(step, takes);
        finished.token = step.token;
        finished.attempt = step.attempt;
        finished.visit = step.visit;
        at(saturating_add(now_, takes), std::move(finished));
    }
}

// A condition about the person needs no database here: the case says who that is.
std::optional<bool> Stage::judge_person(const plan::ExecuteStep& step, const json::object& config)
    const {
    const Node& node = definition_.nodes[step.node];
    if (node.type != NodeType::condition || state_.person.is_null()) return std::nullopt;
    auto condition = parse_condition(config);
    if (world_.mocks(node) || !condition || has_query(*condition)) return std::nullopt;
    fix_times(*condition, now_);
    plan::Scope scope(definition_, state_, step.frame, step.token);
    return plan::judge(*condition, [&scope](const Path& path) { return scope.find(path); }).holds;
}

plan::StepFinished Stage::outcome_of(const plan::ExecuteStep& step, Duration& takes) {
    const Node& node = definition_.nodes[step.node];
    plan::StepFinished finished;
    const auto config = plan::render_config(definition_, state_, step.node, step.frame, step.token);
    if (!config) {
        finished.error = config.error();
        return finished;
    }
    if (plan::settles_with_person(node)) {
        finished.result = state_.person.is_null() ? json::object() : state_.person;
        return finished;
    }
    const auto number = static_cast<int>(++calls_[step.node]);
    recording_.calls.push_back(
        {node.id, step.attempt, now_, **config, step.token, recording_.log.size()}
    );
    const bool lock = node.type == NodeType::lock || node.type == NodeType::unlock;
    if (lock && !world_.mocks(node)) {
        const std::string_view key = text_in(**config, "key");
        finished.pending = pass_lock(step, key);
        finished.result = json::object{{"key", key}};
        return finished;
    }
    if (auto judged = judge_person(step, **config)) {
        finished.result = json::object{{"result", *judged}};
        return finished;
    }
    Call call{node, **config, nullptr, step.attempt, number};
    if (node.type == NodeType::transform) call.context = plan::context_of(definition_, state_);
    Answer answer = world_.call(call);
    takes = answer.takes;
    finished.result = std::move(answer.result);
    finished.error = std::move(answer.error);
    if (node.timeout && takes > *node.timeout) {
        takes = *node.timeout;
        const auto limit = format_duration(takes);
        finished.error = StepError{
            ErrorClass::retryable, "timeout", fmt::format("did not end within {}", limit), {}};
    }
    return finished;
}

// What the step waits for when another token is inside; null when it need not wait.
json::value Stage::pass_lock(const plan::ExecuteStep& step, std::string_view key) {
    if (definition_.nodes[step.node].type == NodeType::unlock) {
        const auto place = plan::place_to_leave(state_, step.token, key);
        leave_places(key, [place](plan::TokenId one) { return one == place; });
        return nullptr;
    }
    auto& queue = locks_[std::string(key)];
    if (std::find(queue.begin(), queue.end(), step.token) == queue.end()) {
        queue.push_back(step.token);
    }
    if (queue.front() == step.token) return nullptr;
    return events::write(events::LockWait{std::string(key)});
}

void Stage::leave_places(std::string_view key, const std::function<bool(plan::TokenId)>& leaves) {
    const auto found = locks_.find(key);
    if (found == locks_.end() || found->second.empty()) return;
    auto& queue = found->second;
    const plan::TokenId before = queue.front();
    std::erase_if(queue, leaves);
    if (queue.empty() || queue.front() == before) return;
    const plan::Token* next = state_.find_token(queue.front());
    if (next == nullptr) return;
    json::object data = events::write(events::LockSignal{next->id, key});
    at(now_, Message{next->id, next->node, next->visit, SignalKind::lock, std::move(data)});
}

// Branches that were withdrawn, or that went on without waiting to the end, have no place any more.
void Stage::leave_lost_places() {
    for (const auto& [key, queue] : locks_) {
        leave_places(key, [this, &key = key](plan::TokenId place) {
            const bool inside = std::any_of(
                state_.locks.begin(),
                state_.locks.end(),
                [&](const plan::HeldLock& lock) { return lock.place == place && lock.key == key; }
            );
            const plan::Token* token = state_.find_token(place);
            return !inside &&
                   (token == nullptr || definition_.nodes[token->node].type != NodeType::lock);
        });
    }
}

// Asks the script once for each wait whether it answers.
void Stage::meet_waits() {
    for (const plan::Token& token : state_.tokens) {
        const bool asks = !token.waits_for.for_time();
        if (token.phase != plan::TokenPhase::waiting || !asks) continue;
        // Its mock is what the model answers; a person decides about that.
        if (definition_.nodes[token.node].type == NodeType::agent) continue;
        if (!met_.insert(attempt_of(token)).second) continue;
        const auto number = static_cast<int>(++meetings_[token.node]);
        const auto answer = world_.meet(definition_.nodes[token.node], number);
        if (answer) meet(token, *answer);
    }
}

void Stage::meet(const plan::Token& token, const Answer& answer) {
    Message message{token.id, token.node, token.visit, {}, {}, token.attempt};
    message.kind = signal_kind(token.waits_for.name());
    json::object& data = message.data;
    if (message.kind == SignalKind::task) {
        Answer said = answer;
        if (said.decision.empty()) said.decision = "approved";
        data = decision(token, said, said.result);
    } else if (const auto* wait = token.waits_for.as<events::EventWait>()) {
        const json::array& list = wait->events;
        if (list.empty()) return;
        auto wanted = std::find_if(list.begin(), list.end(), [&](const json::value& one) {
            return text(events::read<events::AwaitedEvent>(one).event) == answer.event;
        });
        if (wanted == list.end()) wanted = list.begin();
        const auto event = events::read<events::AwaitedEvent>(*wanted);
        data = events::write(events::EventSignal{
            {}, text(event.event), text(event.key), token.id, &answer.result});
    } else if (const auto* signal = token.waits_for.as<events::SignalWait>()) {
        data = events::write(events::NamedSignal{events::text(&signal->name), &answer.result});
    } else {
        return;
    }
    at(saturating_add(now_, answer.takes), std::move(message));
}

// An event that came before a step waited for it is not lost.
bool Stage::offer_events() {
    if (published_.empty()) return false;
    if (state_.exit_watch && offer(plan::token_of_run, *state_.exit_watch)) return true;
    for (const plan::Token& token : state_.tokens) {
        const auto* wait = token.waits_for.as<events::EventWait>();
        if (wait != nullptr && offer(token.id, *wait)) return true;
    }
    return false;
}

bool Stage::offer(plan::TokenId token, const events::EventWait& wait) {
    for (const Published& event : published_) {
        const auto& list = wait.events;
        const bool fits = std::any_of(list.begin(), list.end(), [&](const json::value& one) {
            const auto wanted = events::read<events::AwaitedEvent>(one);
            return text(wanted.event) == event.name && text(wanted.key) == event.key;
        });
        if (!fits || !offered_.emplace(token, event.id).second) continue;
        const std::string id = fmt::format("event-{}", event.id);
        events::EventSignal came{id, event.name, event.key, token, &event.data};
        signal(SignalKind::event, events::write(std::move(came)));
        return true;
    }
    return false;
}

void Stage::happen(Due due) {
    if (auto* finished = std::get_if<plan::StepFinished>(&due)) return feed(std::move(*finished));
    if (auto* happening = std::get_if<Happening>(&due)) return happen_now(*happening);
    auto& message = std::get<Message>(due);
    const plan::Token* token = state_.find_token(message.token);
    const bool waits = token != nullptr && token->node == message.node &&
                       token->visit == message.visit &&
                       signal_kind(token->waits_for.name()) == message.kind;
    if (!waits) return;
    // A task that was due before is closed.
    if (message.kind == SignalKind::task && message.attempt != token->attempt) return;
    if (message.kind == SignalKind::task) return decide(*token, message.data);
    signal(message.kind, std::move(message.data));
}

void Stage::happen_now(const Happening& happening) {
    switch (happening.kind) {
        case Happening::Kind::event:
            published_.push_back({next_id_++, happening.name, happening.key, happening.data});
            return;
        case Happening::Kind::signal:
            return signal(
                SignalKind::signal,
                events::write(events::NamedSignal{happening.name, &happening.data})
            );
        case Happening::Kind::decide: return decide_task(happening);
        case Happening::Kind::cancel: return feed(plan::CancelRequested{happening.name});
        case Happening::Kind::pause:
            return signal(SignalKind::pause, json::object{{"reason", happening.name}});
        case Happening::Kind::resume: return signal(SignalKind::resume, json::object{});
        case Happening::Kind::skip:
            return signal(
                SignalKind::skip,
                events::write(events::SkipSignal{
                    happening.name,
                    {},
                    happening.answer.by,
                    happening.answer.reason,
                    &happening.data})
            );
    }
}

void Stage::decide_task(const Happening& happening) {
    for (const plan::Token& token : state_.tokens) {
        if (!token.waits_for.is<events::TaskWait>()) continue;
        if (definition_.nodes[token.node].id != happening.name) continue;
        return decide(token, decision(token, happening.answer, happening.data));
    }
    recording_.remarks.push_back(fmt::format(
        "after {} '{}' was to be decided, but the run did not wait there",
        format_duration(happening.after),
        happening.name
    ));
}

// As the server would take it: from a person who is asked, and once enough of them have said so.
// One without a name stands for all who are needed.
void Stage::decide(const plan::Token& token, const json::object& data) {
    auto said = events::read<events::TaskSignal>(data);
    const std::string by(person_name(text(said.answer.by)));
    if (by.empty()) return signal(SignalKind::task, data);
    const bool yes = text(said.answer.decision) != "rejected";
    const auto* waited = token.waits_for.as<events::TaskWait>();
    if (waited == nullptr) return;
    const events::TaskWait& wait = *waited;
    const std::string refused = plan::refusal_of(wait, by);
    if (!refused.empty()) {
        recording_.remarks.push_back(
            fmt::format("'{}' was not decided: {}", definition_.nodes[token.node].id, refused)
        );
        return;
    }
    plan::Votes& votes = votes_[attempt_of(token)];
    const auto& same = yes ? votes.approved : votes.rejected;
    const auto is_by = [&](const std::string& one) { return is_same_person(one, by); };
    if (std::any_of(same.begin(), same.end(), is_by)) {
        recording_.remarks.push_back(fmt::format(
            "'{}' was not decided: {} has {} it already",
            definition_.nodes[token.node].id,
            by,
            yes ? "approved" : "rejected"
        ));
        return;
    }
    if (plan::vote(wait, votes, yes, by).empty()) return;
    said.answer.by = json::value(by);
    signal(SignalKind::task, events::write(std::move(said)));
}

void Stage::note_rest() {
    recording_.status = state_.status;
    recording_.output = state_.output;
    recording_.error = state_.error;
    recording_.ended = now_;
    if (is_terminal(state_.status)) return;
    for (const plan::Token& token : state_.tokens) {
        recording_.waits_at.push_back(definition_.nodes[token.node].id);
    }
}

}  // namespace pawl::rehearse
