#pragma once

#include "model/events/signal_data.hpp"
#include "plan/people.hpp"
#include "rehearse/observer.hpp"
#include "rehearse/rehearsal.hpp"

#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <variant>

namespace pawl::rehearse {

// Plays one run: keeps its state, the clock, and what is going to happen.
class Stage {
public:
    // Keeps all of them.
    Stage(const Definition& definition, const Script& script, World& world, Recording& recording);

    void run();

private:
    struct Published {
        std::int64_t id = 0;
        std::string name;
        std::string key;
        boost::json::value data;
    };
    // A message that answers a wait; void once the token has moved on.
    struct Message {
        plan::TokenId token = 0;
        NodeIndex node = 0;
        std::uint32_t visit = 0;
        SignalKind kind = SignalKind::unknown;
        boost::json::object data;
        int attempt = 1;
    };
    using Due = std::variant<plan::StepFinished, Happening, Message>;
    using Attempt = std::tuple<plan::TokenId, NodeIndex, std::uint32_t, int>;

    static Attempt attempt_of(const plan::Token& token) {
        return {token.id, token.node, token.visit, token.attempt};
    }
    void feed(plan::Stimulus stimulus);
    void signal(SignalKind kind, boost::json::value data);
    void at(Instant when, Due what);
    void begin_steps(const plan::Wants& wants);
    std::optional<bool> judge_person(
        const plan::ExecuteStep& step, const boost::json::object& config
    ) const;
    plan::StepFinished outcome_of(const plan::ExecuteStep& step, Duration& takes);
    boost::json::value pass_lock(const plan::ExecuteStep& step, std::string_view key);
    void leave_places(std::string_view key, const std::function<bool(plan::TokenId)>& leaves);
    void leave_lost_places();
    void meet_waits();
    void meet(const plan::Token& token, const Answer& answer);
    bool offer_events();
    bool offer(plan::TokenId token, const events::EventWait& wait);
    void happen(Due due);
    void happen_now(const Happening& happening);
    void decide_task(const Happening& happening);
    void decide(const plan::Token& token, const boost::json::object& data);
    void note_rest();

    const Definition& definition_;
    const Script& script_;
    World& world_;
    Recording& recording_;
    Observer observer_;
    plan::RunState state_;
    Instant now_;
    std::multimap<Instant, Due> agenda_;  // same time: in the order it was put in
    std::set<Attempt> begun_;
    std::set<Attempt> met_;              // waits
    std::vector<std::size_t> calls_;     // by node
    std::vector<std::size_t> meetings_;  // by node
    std::map<Attempt, plan::Votes> votes_;
    std::vector<Published> published_;
    std::set<std::pair<plan::TokenId, std::int64_t>> offered_;
    // Who is inside a critical section, and who waits for it, by key.
    std::map<std::string, std::vector<plan::TokenId>, std::less<>> locks_;
    std::int64_t next_id_ = 1;
};

}  // namespace pawl::rehearse
