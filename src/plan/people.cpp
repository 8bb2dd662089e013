#include "plan/people.hpp"

#include "base/json.hpp"
#include "model/duration.hpp"
#include "model/name_limits.hpp"
#include "model/person.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::plan {

namespace {

using events::People;

StepError not_decidable(std::string why) {
    return {ErrorClass::permanent, "nobody_asked", "no person can decide: " + std::move(why), {}};
}

// How many votes are needed; 0: it is no number of votes.
std::int64_t needed(const json::object& config, std::string_view key) {
    events::VotesNeeded votes;
    if (const json::value* written = config.if_contains(key)) decode(*written, votes);
    return votes.count;
}

class Asked {
public:
    explicit Asked(json::object config) : config_(std::move(config)) {}

    std::string people() {
        for (const std::string_view key : {"assignee", "group", "escalate_to"}) {
            json::value* name = config_.if_contains(key);
            if (name == nullptr) continue;
            if (const json::string* text = name->if_string()) *name = person_name(*text);
            const bool empty = name->is_null() || *name == json::string_view("");
            if (empty) return fmt::format("{} is empty", key);
        }
        if (const json::value* exclude = config_.if_contains("exclude")) {
            if (!excluded_.gather(*exclude)) return "exclude has an empty name";
            config_["exclude"] = encode(excluded_);
        }
        const std::string assignee(text_in(config_, "assignee"));
        if (excluded_.has(assignee)) {
            return fmt::format("{} is asked, and may not decide this (exclude)", assignee);
        }
        return approvers();
    }

    boost::system::result<void, StepError> escalations(Instant now) {
        json::array chain;
        if (const json::value* written = config_.if_contains("escalate")) {
            if (written->is_array()) chain = written->get_array();
            config_.erase("escalate");
        }
        if (config_.contains("escalate_to")) {
            chain.push_back({{"after", config_["escalate_after"]}, {"to", config_["escalate_to"]}});
        }
        config_.erase("escalate_after");
        config_.erase("escalate_to");
        std::vector<events::Escalation> steps;
        for (const json::value& one : chain) {
            People to;
            const json::value* name = find(one, "to");
            if (name == nullptr || !to.gather(*name) || to.names.size() != 1) {
                return not_decidable("escalate has an empty name");
            }
            // This person may not decide it: the next of the chain is asked.
            if (excluded_.has(to.names[0])) continue;
            const json::value* after = find(one, "after");
            const auto duration = duration_from_json(after == nullptr ? json::value() : *after);
            if (!duration) {
                return StepError{
                    ErrorClass::permanent,
                    "wait_duration",
                    "escalate_after: " + duration.error().message,
                    std::nullopt};
            }
            steps.push_back({saturating_add(now, *duration), json::value(to.names[0])});
        }
        std::stable_sort(steps.begin(), steps.end(), [](const auto& a, const auto& b) {
            return a.at < b.at;
        });
        events::write_escalations(config_, std::move(steps));
        return {};
    }

    json::object take() && { return std::move(config_); }

private:
    std::string approvers() {
        const std::int64_t yes = needed(config_, "approvals");
        const std::int64_t no = needed(config_, "rejections_needed");
        if (yes == 0) return "approvals must be a whole number from 1 to 100";
        if (no == 0) return "rejections_needed must be a whole number from 1 to 100";
        const json::value* written = config_.if_contains("approvers");
        if (written == nullptr) return "";
        People people;
        if (!people.gather(*written)) return "approvers has an empty name";
        std::vector<std::string>& names = people.names;
        std::erase_if(names, [this](const std::string& name) { return excluded_.has(name); });
        if (names.empty()) return "approvers names no person who may decide";
        const auto seats = static_cast<std::int64_t>(names.size());
        if (yes > seats) {
            return fmt::format("{} approvals are needed, and {} may give one", yes, seats);
        }
        // When so many have said no, too few are left to say yes.
        if (no > seats - yes + 1) {
            return fmt::format(
                "{} rejections are needed, and with {} of {} it cannot be approved any more",
                no,
                seats - yes + 1,
                seats
            );
        }
        config_["approvers"] = encode(people);
        return "";
    }

    json::object config_;
    People excluded_;
};

std::string_view word(bool yes) {
    return yes ? "approved" : "rejected";
}

}  // namespace

boost::system::result<json::object, StepError> people_asked(json::object config, Instant now) {
    Asked asked(std::move(config));
    if (std::string why = asked.people(); !why.empty()) return not_decidable(std::move(why));
    if (const auto chain = asked.escalations(now); !chain) return chain.error();
    json::object data = std::move(asked).take();
    std::string long_name = name_problem(NodeType::human, data, Names::rendered);
    if (long_name.empty()) return data;
    return StepError{ErrorClass::permanent, "too_long", std::move(long_name), std::nullopt};
}

std::string refusal_of(const events::TaskWait& wait, std::string_view by) {
    if (wait.exclude.has(by)) {
        return fmt::format("{} may not decide this: the step keeps them from it (exclude)", by);
    }
    const bool asked_now = is_same_person(wait.assignee, by);
    const std::vector<std::string>& approvers = wait.approvers.names;
    if (!approvers.empty()) {
        if (wait.approvers.has(by) || (wait.escalated && asked_now)) return "";
        const std::string boss = wait.escalated ? fmt::format(", {}", wait.assignee) : "";
        return fmt::format(
            "{} is not asked; {}{} may decide", by, fmt::join(approvers, ", "), boss
        );
    }
    if (wait.assignee.empty() || asked_now) return "";
    return fmt::format("{} is not asked; {} may decide", by, wait.assignee);
}

std::string_view vote(const events::TaskWait& wait, Votes& votes, bool yes, const std::string& by) {
    const auto is_mine = [&](const std::string& one) { return is_same_person(one, by); };
    std::erase_if(votes.approved, is_mine);
    std::erase_if(votes.rejected, is_mine);
    std::vector<std::string>& mine = yes ? votes.approved : votes.rejected;
    mine.push_back(by);
    const bool alone = wait.escalated && is_same_person(wait.assignee, by);
    const auto enough = (yes ? wait.approvals : wait.rejections_needed).count;
    return alone || static_cast<std::int64_t>(mine.size()) >= enough ? word(yes)
                                                                     : std::string_view();
}

}  // namespace pawl::plan
