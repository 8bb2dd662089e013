#include "plan/people.hpp"

#include "base/json.hpp"
#include "model/duration.hpp"
#include "model/name_limits.hpp"
#include "model/person.hpp"
#include "model/template.hpp"
#include "plan/waits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::plan {

namespace {

using Names = std::vector<std::string>;

StepError nobody(std::string why) {
    return {ErrorClass::permanent, "nobody_asked", "nobody can be asked: " + std::move(why), {}};
}

// In any spelling of the name.
bool has(const Names& names, std::string_view name) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& one) {
        return is_same_person(one, name);
    });
}

// Adds each name once; false: one is empty, or none at all.
bool gather(const json::value& written, Names& names) {
    if (const json::array* list = written.if_array()) {
        return std::all_of(list->begin(), list->end(), [&](const json::value& one) {
            return gather(one, names);
        });
    }
    if (written.is_null() || written.is_object()) return false;
    std::string text;
    append_text(text, written);
    std::string name = person_name(text);
    if (name.empty()) return false;
    if (!has(names, name)) names.push_back(std::move(name));
    return true;
}

json::array to_array(const Names& names) {
    json::array list;
    for (const std::string& name : names) list.emplace_back(name);
    return list;
}

Names names_of(const json::value& wait, std::string_view key) {
    Names names;
    if (const json::value* list = find(wait, key)) gather(*list, names);
    return names;
}

// How many votes are needed; 0: it is no number of votes.
std::int64_t needed(const json::object& config, std::string_view key) {
    const json::value* written = config.if_contains(key);
    if (written == nullptr || written->is_null()) return 1;
    const auto number = whole_number(written);
    return number && *number >= 1 && *number <= 100 ? *number : 0;
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
            if (!gather(*exclude, excluded_)) return "exclude has an empty name";
            config_["exclude"] = to_array(excluded_);
        }
        const std::string assignee(text_in(config_, "assignee"));
        if (has(excluded_, assignee)) {
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
        json::array steps;
        for (const json::value& one : chain) {
            Names to;
            const json::value* name = find(one, "to");
            if (name == nullptr || !gather(*name, to) || to.size() != 1) {
                return nobody("escalate has an empty name");
            }
            // It would go to who may not decide it: those who come next are asked.
            if (has(excluded_, to[0])) continue;
            const json::value* after = find(one, "after");
            const auto duration = duration_from_json(after == nullptr ? json::value() : *after);
            if (!duration) {
                return StepError{
                    ErrorClass::permanent,
                    "wait_duration",
                    "escalate_after: " + duration.error().message,
                    std::nullopt};
            }
            const Instant at = saturating_add(now, *duration);
            steps.push_back({{"at", micros_of(at)}, {"to", to[0]}});
        }
        std::stable_sort(steps.begin(), steps.end(), [](const auto& a, const auto& b) {
            return whole_number(find(a, "at")) < whole_number(find(b, "at"));
        });
        if (steps.empty()) return {};
        config_["escalations"] = std::move(steps);
        escalate(config_);
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
        Names names;
        if (!gather(*written, names)) return "approvers has an empty name";
        std::erase_if(names, [this](const std::string& name) { return has(excluded_, name); });
        if (names.empty()) return "approvers has no name of somebody who may decide";
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
        config_["approvers"] = to_array(names);
        return "";
    }

    json::object config_;
    Names excluded_;
};

std::string_view word(bool yes) {
    return yes ? "approved" : "rejected";
}

}  // namespace

boost::system::result<json::object, StepError> people_asked(json::object config, Instant now) {
    Asked asked(std::move(config));
    if (std::string why = asked.people(); !why.empty()) return nobody(std::move(why));
    if (const auto chain = asked.escalations(now); !chain) return chain.error();
    json::object data = std::move(asked).take();
    std::string long_name = name_problem(NodeType::human, data, pawl::Names::rendered);
    if (long_name.empty()) return data;
    return StepError{ErrorClass::permanent, "too_long", std::move(long_name), std::nullopt};
}

void escalate(json::object& wait) {
    wait.erase("escalate_at");
    json::value* chain = wait.if_contains("escalations");
    json::array* list = chain == nullptr ? nullptr : chain->if_array();
    if (list == nullptr || list->empty()) return;
    const json::value next = list->front();
    list->erase(list->begin());
    // A new key may move the others, the list among them.
    if (list->empty()) wait.erase("escalations");
    if (const auto* at = find(next, "at")) wait["escalate_at"] = *at;
    if (const auto* to = find(next, "to")) wait["escalate_to"] = *to;
}

std::string refusal_of(const json::value& wait, std::string_view by) {
    if (has(names_of(wait, "exclude"), by)) {
        return fmt::format("{} may not decide this: the step keeps them from it (exclude)", by);
    }
    const Names approvers = names_of(wait, "approvers");
    const std::string_view assignee = text_in(wait, "assignee");
    const bool escalated = find(wait, "escalated") != nullptr;
    if (!approvers.empty()) {
        if (has(approvers, by) || (escalated && is_same_person(assignee, by))) return "";
        const std::string boss = escalated ? fmt::format(", {}", assignee) : "";
        return fmt::format(
            "{} is not asked; {}{} may decide", by, fmt::join(approvers, ", "), boss
        );
    }
    if (assignee.empty() || is_same_person(assignee, by)) return "";
    return fmt::format("{} is not asked; {} may decide", by, assignee);
}

std::string_view vote(const json::value& wait, Votes& votes, bool yes, const std::string& by) {
    const auto is_mine = [&](const std::string& one) { return is_same_person(one, by); };
    std::erase_if(votes.approved, is_mine);
    std::erase_if(votes.rejected, is_mine);
    Names& mine = yes ? votes.approved : votes.rejected;
    mine.push_back(by);
    const bool alone =
        find(wait, "escalated") != nullptr && is_same_person(text_in(wait, "assignee"), by);
    const json::object* config = wait.if_object();
    const auto enough =
        config == nullptr ? 1 : needed(*config, yes ? "approvals" : "rejections_needed");
    return alone || static_cast<std::int64_t>(mine.size()) >= enough ? word(yes)
                                                                     : std::string_view();
}

}  // namespace pawl::plan
