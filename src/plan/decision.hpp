#pragma once

#include "base/json.hpp"
#include "model/events/branch_events.hpp"
#include "model/events/error_data.hpp"
#include "model/events/list_events.hpp"
#include "model/events/log_codec.hpp"
#include "model/events/signal_data.hpp"
#include "model/events/step_events.hpp"
#include "plan/planner.hpp"
#include "plan/waits.hpp"

#include <optional>
#include <string_view>

namespace pawl::plan {

// One call of decide: appends events and folds each of them at once, so that what follows sees it.
// References to tokens are void after anything was appended.
class Decision {
public:
    Decision(const Definition& definition, RunState& state, const Moment& moment)
        : definition_(definition), state_(state), moment_(moment) {}

    std::vector<Event> take() && { return std::move(events_); }

    // --- decide.cpp: what happened ---
    void finish_step(StepFinished& finished);
    void cancel(const CancelRequested& request);  // decide_stop.cpp
    void receive(SignalReceived& signal);
    void check_deadline();
    void check_size();
    void hold(const Hold& hold);  // decide_code.cpp
    // Does everything that needs no effect, and ends the run when nothing is left of it.
    void settle();

private:
    bool over() const { return is_terminal(state_.status); }
    bool settle_one();
    bool settle_token(const Token& token);
    void end();
    void skip(json::value data);
    void let_be(const Token& token, events::StepSkipped skipped, json::value data);
    bool is_begun_where_off(const Token& token) const;
    void pass_disabled(const Token& token);
    std::string_view drops(SignalKind kind, const json::value& data) const;
    const Token* find_awaited(const StepFinished& finished) const;
    const Node& node_of(const Token& token) const { return definition_.nodes[token.node]; }

    // --- decide_stop.cpp: stopping and undoing ---
    struct Ending {
        RunStatus status = RunStatus::completed;
        std::string reason = {};                           // of a cancel
        std::optional<json::value> output = std::nullopt;  // none: what the last step left
    };
    using Withdrawal = events::Withdrawal;
    // What becomes of these tokens, and of those inside of them, when nothing comes after them.
    Withdrawal withdrawal_of(const std::vector<TokenId>& tokens) const;
    bool stop_is_due() const;
    // Begins nothing new, waits for what is under way, undoes what was done, and ends so.
    void stop(const Ending& ending);
    void undo_or_end(const Ending& ending);
    // Why it ends so, when it fails.
    json::value error_of(const Ending& ending) const;
    void end_as(const Ending& ending);
    void abandon(const std::string& reason);
    bool settle_withdrawn(const Token& token);
    // Its step reads the next page of its list: it changes nothing outside the run.
    bool awaits_page(const Token& token) const;
    bool is_under_way(const Token& token) const;
    bool may_have_begun(const Token& token) const;
    void fail_withdrawn(const Token& token, const StepError& error);
    void end_free_children(std::vector<std::string>& ends) const;
    Withdrawal withdrawal_of_item(const Token& token) const;
    json::value final_error(RunStatus status) const;
    json::value last_result() const;
    void exit_run(const Token& token, const json::object& config);

    // --- decide_flow.cpp: nodes that choose and repeat ---
    void settle_for(const Token& token, json::value person);
    void settle_arrived(const Token& token);
    // It came to its node more often than a run may.
    void fail_visited(const Token& token);
    void choose(const Token& token, const json::object& config);
    void split_over(const Token& token, const boost::json::object& config);
    bool hold_out();
    void switch_over(const Token& token, const json::object& config);
    void repeat(const Token& token, const json::object& config);
    void iterate(const Token& token, const json::object& config);
    void list(const Token& token, events::ItemsListed listed, const json::object& config);
    bool settle_iterating(const Token& token);
    void end_iteration(const Token& token);
    std::optional<StepError> failure_of(const Token& token) const;
    bool is_late(const Token& token) const;
    void reopen(const Token& token);
    void take_page(const Token& token, StepFinished& finished);
    void withdraw_nodes(const Token& token, const json::object& config);
    void route(const Token& token);
    Result<bool> takes(const Token& token, const Edge& edge) const;
    // Whether a condition holds for a token; fails its step when it is not one.
    std::optional<bool> holds(const Token& token, const json::value& condition);

    // --- decide_wait.cpp: nodes that wait ---
    // The effect of a step took place, and how it ended comes later.
    void await_outcome(const Token& token, json::value pending);
    void lengthen(events::TargetWait& wait, const Token& token) const;
    void append_wait(const Token& token, events::Wait wait);
    void begin_wait(const Token& token, const json::object& config);
    void begin_event_wait(const Token& token, const json::object& config);
    void begin_task(const Token& token, const json::object& config);
    bool settle_waiting(const Token& token);
    bool settle_event_wait(const Token& token);
    bool settle_task(const Token& token, const events::TaskWait& task);
    bool settle_addressed(const Token& token, const Mail& mail);
    void end_task(const Token& token, const events::TaskAnswer& answer);
    void end_call(const Token& token, events::ChildSignal child);
    void end_callback(const Token& token, events::CallbackSignal callback);
    void beat(const events::Address& from);
    bool end_late_child(const Token& token);
    bool has_ended_undone(const Token& token) const;
    static StepError late(const Token& token);
    void time_out(const Token& token);

    // --- decide_exit.cpp: what a run hears of wherever it stands ---
    std::optional<json::value> awaited_exit(const ExitEvent& exit, std::string handle) const;
    json::array counted_goals() const;
    bool watch_exits();

    // --- decide_agent.cpp: steps that are done in turns ---
    void advance(const Token& token, json::value turn);
    bool is_reviewed(const Token& token) const;
    void begin_review(const Token& token, json::value result);
    // A person has looked at what the step would leave.
    void end_review(const Token& token, const events::TaskAnswer& answer);

    // --- decide_code.cpp: plans instead of edges ---
    bool plan_next();
    bool has_way(const Token& token, std::string_view handle) const;

    // --- decide_join.cpp: branches that come together ---
    void let_in(const Token& token);
    bool let_in_late();
    bool settle_join(const Token& token);
    bool fail_incomplete_join();
    bool break_deadlock();
    const Token* find_deadlocked();
    const GraphLoops& loops();
    void fail_join(const Token& token, std::string why);
    void fire(const Token& token, std::vector<TokenId> absorbed, bool cancel_rest);

    // --- what is appended ---
    void append(Event event);
    // An event about the run as a whole.
    template <events::Logged Said>
    void append(Said said, json::value error = nullptr) {
        Event event;
        event.type = Said::type;
        event.data = events::write(std::move(said));
        event.error = std::move(error);
        append(std::move(event));
    }
    void append_step(EventType type, const Token& token, json::value data, json::value error);
    template <events::Logged Said>
    void append_step(const Token& token, Said said, json::value error = nullptr) {
        append_step(Said::type, token, events::write(std::move(said)), std::move(error));
    }
    void complete(const Token& token, json::value result) {
        append_step(EventType::step_completed, token, std::move(result), nullptr);
    }
    // `error`: for what comes after, where it is passed because its time was over.
    void pass(
        const Token& token,
        std::string_view handle,
        events::Payload value = {},
        events::Payload error = {}
    );
    void pass(const Token& token, events::NodePassed passed);
    void append_failure(const Token& token, events::StepFailed failed, const StepError& error);
    // `again`: a person asked for another attempt, whatever the policy says.
    void fail_step(const Token& token, const StepError& error, bool again = false);
    void fail_step(const Token& token, std::string code, std::string message);
    // By which handle a failure of this node is caught; empty: by none.
    std::string catching_handle(const Token& token, const StepError& error) const;
    bool is_unsettled(const Token& token, const RetryPolicy& policy, const StepError& error) const;

    const Definition& definition_;
    RunState& state_;
    const Moment& moment_;
    std::vector<Event> events_;
    std::optional<GraphLoops> loops_;  // worked out when a join asks
    std::string_view worker_;          // that tried the step which has just ended, if one did
};

}  // namespace pawl::plan
