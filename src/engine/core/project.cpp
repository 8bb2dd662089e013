#include "engine/core/project.hpp"

#include "base/json.hpp"
#include "model/events/branch_events.hpp"
#include "model/events/error_data.hpp"
#include "model/events/signal_data.hpp"
#include "model/events/step_events.hpp"
#include "model/events/whole_run_events.hpp"
#include "plan/waits.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace pawl::engine {

namespace {

// Whether the wait of this token ended by its timeout.
bool timed_out(const std::vector<Event>& events, plan::TokenId token) {
    return std::any_of(events.begin(), events.end(), [token](const Event& event) {
        if (event.token != token) return false;
        if (event.type == EventType::node_passed) {
            return events::read<events::NodePassed>(event).handle == "timeout";
        }
        return event.type == EventType::step_failed && events::error_code(event.error) == "timeout";
    });
}

class Projector {
public:
    Projector(
        RunId run, const Program& program, const plan::RunState& state, store::Projections& out
    )
        : run_(run), program_(program), state_(state), out_(out) {}

    void event(const Event& event) {
        end_children(event);
        switch (event.type) {
            case EventType::wait_started: wait(event); break;
            case EventType::wait_noted: note(event); break;
            case EventType::node_passed: publish(event); break;
            case EventType::step_completed: note_message(event); break;
            default: break;
        }
    }

    // The token is not in the queue for a critical section any more, and not inside.
    void left(const plan::OpenWait& wait) {
        if (wait.kind != "entering") {
            out_.left.push_back({run_, wait.token, wait.key});
        } else if (state_.find_token(wait.token) == nullptr) {
            // It may have got its place by now, under a key that only the step knows.
            out_.left.push_back({run_, wait.token, std::nullopt});
        }
    }

    // The decision itself closes a decided task.
    void ended(const plan::OpenWait& wait, const std::vector<Event>& events) {
        // What was not committed yet need not be taken back.
        const auto mine = [&](const auto& row) { return row.token == wait.token; };
        if (std::erase_if(out_.subscribes, mine) + std::erase_if(out_.opened, mine) > 0) return;
        if (wait.kind == "task") {
            const bool late = timed_out(events, wait.token);
            out_.closed.push_back({run_, wait.token, late ? "timed_out" : "withdrawn"});
        } else if (wait.kind == "event") {
            out_.unsubscribes.push_back({run_, wait.token});
        }
    }

    // An event came and the wait goes on: its filter did not let it pass, or it needs more of them.
    // What was delivered used the subscription up.
    void listen_on(const Event& event) {
        const auto received = events::read<events::SignalReceived>(event);
        const bool ours = signal_kind(received.kind) == SignalKind::event && received.data;
        if (is_terminal(state_.status) || !ours) return;
        const auto to = events::read<events::Address>(*received.data);
        if (!to.token) return;
        const auto id = static_cast<plan::TokenId>(*to.token);
        const events::EventWait* wait = plan::event_wait_of(state_, id);
        if (wait == nullptr) return;
        std::erase_if(out_.subscribes, [&](const store::Subscribe& row) {
            return row.run == run_ && row.token == id;
        });
        out_.unsubscribes.push_back({run_, id});
        subscribe(id, *wait);
    }

    // False when the wait ended within the same commit.
    bool still_waits(const Event& event) const {
        if (is_terminal(state_.status)) return false;
        if (event.token == plan::token_of_run) return true;
        const plan::Token* token = state_.find_token(event.token);
        return token != nullptr && !token->waits_for.for_time() &&
               token->attempt == event.attempt && token->waits_for == events::read_wait(event.data);
    }

    // The commit that ends this run tells its caller how it ended.
    void tell_caller() {
        const auto parent = parse_uuid(state_.parent);
        if (!parent || !state_.caller || !state_.caller->waits) return;
        const std::string own = to_string(run_);
        events::ChildSignal told;
        told.token = state_.caller->token;
        told.run = own;
        told.status = name(state_.status);
        if (state_.status == RunStatus::completed) told.output = &state_.output;
        if (!state_.error.is_null()) told.error = &state_.error;
        out_.children.push_back({RunId{*parent}, events::write(std::move(told))});
    }

private:
    void end_children(const Event& event) {
        if (!has_ends(event.type)) return;
        const auto ended = events::read<events::EndedChildren>(event);
        if (ended.ends.empty()) return;
        const bool skipped = event.type == EventType::step_skipped;
        const bool late = event.type == EventType::wait_noted;
        const std::string reason = fmt::format(
            "the {} that called it {}: {}",
            skipped || late ? "step" : "run",
            skipped ? "was skipped"
            : late  ? "did not wait any longer"
                    : "ended",
            to_string(run_)
        );
        for (const std::string& one : ended.ends) {
            const auto child = parse_uuid(one);
            if (child) out_.ends.push_back({run_, RunId{*child}, reason});
        }
    }

    // In the data of others it is a result, or a message.
    static bool has_ends(EventType type) {
        return type == EventType::run_stopping || type == EventType::joined ||
               type == EventType::node_passed || type == EventType::step_failed ||
               type == EventType::wait_started || type == EventType::wait_noted ||
               type == EventType::run_cancelled || type == EventType::step_skipped;
    }

    // About a task: not what a peer or a child is told.
    void note(const Event& event) {
        const auto noted = events::read<events::WaitNoted>(event);
        if (noted.beat_by || noted.note == events::WaitNote::timed_out) return;
        out_.noted.push_back({run_, event.token, event.data});
    }

    void wait(const Event& event) {
        const events::Wait wait = events::read_wait(event.data);
        if (wait.is<events::TaskWait>()) {
            out_.opened.push_back(
                {run_,
                 event.token,
                 program_.tenant,
                 program_.workflow,
                 event.node,
                 state_.subject,
                 event.data}
            );
        }
        if (const auto* wanted = wait.as<events::EventWait>()) subscribe(event.token, *wanted);
    }

    void subscribe(plan::TokenId token, const events::EventWait& wait) {
        for (plan::WantedEvent& one : plan::awaited_events(state_, token, wait)) {
            out_.subscribes.push_back(
                {run_,
                 token,
                 program_.tenant,
                 std::move(one.name),
                 std::move(one.key),
                 state_.started_at}
            );
        }
    }

    void note_message(const Event& event) {
        if (!program_.definition.person) return;
        const auto node = program_.definition.find(event.node);
        if (!node || program_.definition.nodes[*node].type != NodeType::message) return;
        const auto id = parse_uuid(events::read<events::MessageEnded>(event).message);
        if (!id) return;
        json::value data = event.data;
        data.as_object()["seq"] = event.seq;
        out_.messages.push_back(
            {run_,
             program_.tenant,
             program_.workflow,
             program_.version,
             *id,
             event.node,
             state_.subject,
             std::move(data)}
        );
    }

    void publish(const Event& event) {
        const auto passed = events::read<events::NodePassed>(event);
        if (!passed.emit) return;
        auto emitted = events::read<events::Emitted>(*passed.emit);
        // The sequence number makes it one event, however often the commit is sent.
        out_.published.push_back(
            {run_,
             program_.tenant,
             fmt::format("{}:{}", to_string(run_), event.seq),
             std::string(emitted.event),
             std::string(emitted.key),
             std::move(emitted.data).take()}
        );
    }

    RunId run_;
    const Program& program_;
    const plan::RunState& state_;
    store::Projections& out_;
};

bool has_completed(const std::vector<Event>& events, plan::TokenId token) {
    return std::any_of(events.begin(), events.end(), [token](const Event& event) {
        return event.type == EventType::step_completed && event.token == token;
    });
}

// A step that unlocks has given the place up already.
bool has_unlocked(
    const Definition& definition, const std::vector<Event>& events, const std::string& key
) {
    return std::any_of(events.begin(), events.end(), [&](const Event& event) {
        if (event.type != EventType::step_completed) return false;
        if (events::read<events::LockPassed>(event).key != key) return false;
        const auto node = definition.find(event.node);
        return node && definition.nodes[*node].type == NodeType::unlock;
    });
}

template <typename T>
void move_to(std::vector<T>& to, std::vector<T>& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

void project(
    RunId run,
    const Program& program,
    const std::vector<plan::OpenWait>& before,
    const plan::RunState& after,
    const std::vector<Event>& events,
    store::Projections& out
) {
    Projector projector(run, program, after, out);
    // All places of a run that is over are given up at once.
    const bool over = is_terminal(after.status) && after.has_waited;
    if (!before.empty()) {
        const auto now = plan::open_waits(program.definition, after);
        for (const plan::OpenWait& wait : before) {
            if (std::find(now.begin(), now.end(), wait) != now.end()) continue;
            const bool asks = wait.kind == "lock" || wait.kind == "entering";
            if (!asks && wait.kind != "inside") {
                projector.ended(wait, events);
                continue;
            }
            // A token inside a critical section keeps the place; unlocking has given it up.
            const bool settled = asks ? has_completed(events, wait.token)
                                      : has_unlocked(program.definition, events, wait.key);
            if (!settled && !over) projector.left(wait);
        }
    }
    for (const Event& event : events) {
        if (event.type == EventType::wait_started && !projector.still_waits(event)) continue;
        projector.event(event);
    }
    for (const Event& event : events) {
        if (event.type == EventType::signal_received) projector.listen_on(event);
    }
    if (!is_terminal(after.status)) return;
    if (after.has_waited) out.ended.push_back(run);
    projector.tell_caller();
}

bool is_copy(const std::vector<Event>& log) {
    if (log.empty()) return false;
    const auto copied = events::read_one(log[0].data, &events::Chain::copied);
    if (!copied || *copied < 0 || static_cast<std::size_t>(*copied) + 1 > log.size()) return false;
    // A worker that could not carry it on may have claimed it before.
    return std::all_of(log.begin() + 1 + *copied, log.end(), [](const Event& event) {
        return event.type == EventType::run_held;
    });
}

void project_again(
    RunId run,
    const Program& program,
    const plan::RunState& state,
    const std::vector<Event>& log,
    store::Projections& out
) {
    Projector projector(run, program, state, out);
    for (const Event& event : log) {
        if (event.type == EventType::wait_started && projector.still_waits(event)) {
            projector.event(event);
        }
    }
}

void append(store::Projections& to, store::Projections&& from) {
    using All = store::Projections;
    const auto move_all = [&](auto... lists) { (move_to(to.*lists, from.*lists), ...); };
    move_all(
        &All::subscribes,
        &All::unsubscribes,
        &All::left,
        &All::opened,
        &All::noted,
        &All::closed,
        &All::published,
        &All::children,
        &All::ends,
        &All::repinned,
        &All::messages,
        &All::ended
    );
}

}  // namespace pawl::engine
