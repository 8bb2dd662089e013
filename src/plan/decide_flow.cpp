#include "model/condition.hpp"
#include "model/duration.hpp"
#include "plan/decision.hpp"
#include "plan/items.hpp"
#include "plan/judge.hpp"
#include "plan/moves.hpp"
#include "plan/reopen.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pawl::plan {

namespace {

constexpr std::int64_t rounds_max = visits_max;
constexpr std::string_view way_out =
    "more rounds belong into child runs, called from the loop or by a foreach with a workflow";
// What one run holds in its own log. More items belong into child runs.
constexpr std::size_t items_max = 10'000;
// Of rows that a sql step keeps beside the log.
constexpr std::int64_t paged_items_max = 100'000;

constexpr double whole_double_max = 1e15;

std::optional<std::int64_t> whole_of(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    if (value == nullptr) return std::nullopt;
    if (const auto number = whole_number(value)) return number;
    // Arithmetic in data makes 2.0 of 2; half a round there is not.
    const auto* number = value->if_double();
    const bool whole = number != nullptr && std::trunc(*number) == *number &&
                       std::abs(*number) <= whole_double_max;
    return whole ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

// Whether it may be the rows that a sql step has left for a foreach. Anything may look like it,
// also an input: the database gives pages to the tenant of their run only.
bool is_paged_list(const json::value& items) {
    const auto list = events::read<events::PagedList>(items);
    return list.pages && *list.pages >= 0 && list.count && *list.pages <= *list.count &&
           *list.count <= paged_items_max && !list.run.empty() && !list.key.empty();
}

}  // namespace

void Decision::settle_arrived(const Token& token) {
    const Node& node = node_of(token);
    if (token.visit > visits_max && node.type != NodeType::loop) {
        return fail_visited(token);
    }
    const bool groups = node.type == NodeType::foreach_ || node.type == NodeType::scope;
    if (groups && state_.find_iteration(token.id) != nullptr) {
        end_iteration(token);
        return;
    }
    if (node.disabled) return pass_disabled(token);
    const auto config = render_config(definition_, state_, token.node, token.frame, token.id);
    if (!config) {
        fail_step(token, config.error());
        return;
    }
    switch (node.type) {
        case NodeType::goal: begin_event_wait(token, **config); return;
        case NodeType::wait: begin_wait(token, **config); return;
        case NodeType::human: begin_task(token, **config); return;
        case NodeType::condition: choose(token, **config); return;
        case NodeType::switch_: switch_over(token, **config); return;
        case NodeType::split: split_over(token, **config); return;
        case NodeType::foreach_: iterate(token, **config); return;
        case NodeType::scope: {
            events::ItemsListed listed;
            listed.items = json::array{nullptr};
            return list(token, std::move(listed), **config);
        }
        case NodeType::loop: repeat(token, **config); return;
        case NodeType::cancel: withdraw_nodes(token, **config); return;
        case NodeType::exit: exit_run(token, **config); return;
        case NodeType::emit: {
            events::NodePassed passed;
            passed.emit = json::value(**config);
            passed.handle = "default";
            return pass(token, std::move(passed));
        }
        case NodeType::end: return pass(token, "", (*config)->if_contains("output"));
        default: pass(token, "default"); return;
    }
}

void Decision::fail_visited(const Token& token) {
    fail_step(
        token,
        "loop_limit",
        fmt::format(
            "'{}' was come to {} times, the most that one run may: {}",
            node_of(token).id,
            visits_max,
            way_out
        )
    );
}

std::optional<bool> Decision::holds(const Token& token, const json::value& condition) {
    auto parsed = parse_condition(condition);
    if (!parsed) {
        fail_step(token, "condition", parsed.error().message);
        return std::nullopt;
    }
    fix_times(*parsed, moment_.now);
    Scope scope(definition_, state_, token.frame, token.id);
    const Judgement found = judge(*parsed, [&scope](const Path& path) { return scope.find(path); });
    if (!found.holds) {
        fail_step(token, "undefined", fmt::format("'{}' is not defined", found.undefined));
    }
    return found.holds;
}

void Decision::choose(const Token& token, const json::object& config) {
    const auto answer = holds(token, config);
    if (answer) pass(token, *answer ? "true" : "false");
}

void Decision::switch_over(const Token& token, const json::object& config) {
    const json::value* value = config.if_contains("value");
    const json::value* cases = config.if_contains("cases");
    if (cases == nullptr || !cases->is_array()) return fail_step(token, "no_match", "no cases");
    for (const json::value& one : cases->get_array()) {
        bool hit = false;
        if (value != nullptr) {
            const json::value* equals = find(one, "equals");
            hit = equals != nullptr && pawl::holds(*value, Operator::equal, *equals);
        } else {
            const json::value* when = find(one, "when");
            const auto answer = holds(token, when == nullptr ? json::value() : *when);
            if (!answer) return;
            hit = *answer;
        }
        if (hit) return pass(token, std::string(text_in(one, "handle")));
    }
    if (definition_.next(token.node, "default")) return pass(token, "default");
    fail_step(token, "no_match", "no case holds, and there is no default way out");
}

void Decision::repeat(const Token& token, const json::object& config) {
    const auto count =
        std::find_if(state_.loops.begin(), state_.loops.end(), [&](const LoopCount& loop) {
            return loop.node == token.node && loop.frame == token.frame;
        });
    const std::int64_t rounds = count == state_.loops.end() ? 0 : count->rounds;
    std::optional<bool> again;
    if (const auto* condition = config.if_contains("while")) {
        again = holds(token, *condition);
    } else if (const auto* until = config.if_contains("until")) {
        // At least once: the condition is about what the body did.
        again = rounds == 0 ? std::optional(true) : holds(token, *until);
        if (rounds > 0 && again) again = !*again;
    } else {
        const auto times = whole_of(config, "times");
        if (!times || *times < 0) {
            return fail_step(token, "loop_times", "times must be a whole number from 0");
        }
        if (*times > rounds_max) {
            return fail_step(
                token,
                "loop_times",
                fmt::format(
                    "{} rounds are too many for one run, {} at most: {}",
                    *times,
                    rounds_max,
                    way_out
                )
            );
        }
        again = rounds < *times;
    }
    if (!again) return;
    const std::int64_t most = whole_of(config, "max").value_or(rounds_max);
    if (*again && rounds >= most && !config.contains("times")) {
        std::string message = fmt::format("the loop went round {} times, ", rounds);
        message += most < rounds_max ? "which is its max"
                                     : fmt::format("the most that one run may: {}", way_out);
        return fail_step(token, "loop_limit", std::move(message));
    }
    events::Payload value;
    if (*again) value = events::write(events::LoopRound{rounds});
    pass(token, *again ? "each" : "default", std::move(value));
}

void Decision::iterate(const Token& token, const json::object& config) {
    const json::value* items = config.if_contains("items");
    const json::array* list = items == nullptr ? nullptr : items->if_array();
    const bool in_pages = items != nullptr && is_paged_list(*items);
    if (list == nullptr && !in_pages) return fail_step(token, "items", "items is not a list");
    if (list != nullptr && list->size() > items_max) {
        fail_step(
            token,
            "items",
            fmt::format(
                "{} items are too many for one list, {} at most: rows of a sql step may be more, "
                "with stream: true",
                list->size(),
                items_max
            )
        );
        return;
    }
    events::ItemsListed listed;
    (in_pages ? listed.pages_of : listed.items) = items;
    const auto found = [&](std::string_view key, std::int64_t least, auto& number) {
        const json::value* written = node_of(token).config.if_contains(key);
        if (written == nullptr || !written->is_string()) return true;
        number = whole_of(config, key);
        if (number && *number >= least && !std::cmp_greater(*number, items_max)) return true;
        fail_step(token, "items", fmt::format("{} must be a whole number from {}", key, least));
        return false;
    };
    if (!found("concurrency", 1, listed.concurrency)) return;
    if (!found("tolerated_failures", 0, listed.tolerated_failures)) return;
    const json::value* fast = config.if_contains("fail_fast");
    listed.fail_fast = fast == nullptr || *fast != false;
    this->list(token, std::move(listed), config);
}

// Goes through a list within the time that the node gives.
void Decision::list(const Token& token, events::ItemsListed listed, const json::object& config) {
    if (const json::value* written = config.if_contains("timeout")) {
        const auto limit = duration_from_json(*written);
        if (!limit) return fail_step(token, "timeout", limit.error().message);
        listed.until = saturating_add(moment_.now, *limit);
    }
    append_step(token, std::move(listed));
}

// Items that are not over when their time is: they fail together, and none is begun any more.
bool Decision::settle_iterating(const Token& token) {
    if (token.until == Instant{} || token.until > moment_.now) return false;
    const Token* first = find_unfailed(state_, token);
    if (first == nullptr) return false;
    std::vector<TokenId> inside;
    for (const Token& one : state_.tokens) {
        if (one.frame == first->frame) inside.push_back(one.id);
    }
    events::StepFailed failed;
    failed.caught = "item";
    failed.last = true;
    failed.late = node_of(token).id;  // not the step that happens to stand there
    failed.withdrawal = withdrawal_of(inside);
    failed.withdrawal.dropped.clear();  // all that is not awaited goes with the item
    const StepError late{
        ErrorClass::permanent,
        "timeout",
        fmt::format("'{}' did not end within its timeout", node_of(token).id),
        std::nullopt};
    append_failure(*first, std::move(failed), late);
    return true;
}

// Why a list whose items are over has failed, if it has.
std::optional<StepError> Decision::failure_of(const Token& token) const {
    const Iteration& iteration = *state_.find_iteration(token.id);
    const bool scope = node_of(token).type == NodeType::scope;
    if (iteration.failed > 0 && (is_late(token) || scope)) {
        return step_error_from_json(iteration.last_error);
    }
    if (iteration.failed <= iteration.tolerated) return std::nullopt;
    const std::size_t all = iteration.size();
    const std::size_t begun =
        std::size_t{iteration.before} + iteration.begun - iteration.again.size();
    std::string message = fmt::format("{} of {} items failed", iteration.failed, all);
    if (begun < all) message += fmt::format(", {} never began", all - begun);
    const auto why = events::read<events::FailureData>(iteration.last_error).message;
    if (why) message += fmt::format(", the last one because: {}", *why);
    return StepError{ErrorClass::permanent, "items_failed", std::move(message), std::nullopt};
}

// Its time was over before its items were.
bool Decision::is_late(const Token& token) const {
    const json::value& error = state_.find_iteration(token.id)->last_error;
    return token.until != Instant{} && events::error_code(error) == "timeout";
}

void Decision::reopen(const Token& token) {
    events::ItemsReopened reopened;
    for (const KeptItem& item : state_.kept) {
        if (item.owner != token.id) continue;
        for (const Frame& frame : item.frames) {
            if (frame.id == item.frame) reopened.items.push_back(frame.index);
        }
    }
    append_step(token, std::move(reopened));
}

void Decision::end_iteration(const Token& token) {
    const Iteration& iteration = *state_.find_iteration(token.id);
    if (iteration.failed > 0 && is_late(token) && has_way(token, "timeout")) {
        json::object value{{"timed_out", true}};
        return pass(token, "timeout", std::move(value), &iteration.last_error);
    }
    if (const auto failure = failure_of(token)) {
        const std::string caught = catching_handle(token, *failure);
        const bool goes_on = node_of(token).on_failure == OnFailure::continue_;
        const bool final = caught.empty() ? !goes_on : caught == "item";
        if (final && may_reopen(state_, iteration)) return reopen(token);
        return fail_step(token, *failure);
    }
    if (node_of(token).type == NodeType::scope) {
        return pass(token, "default", json::value(iteration.results[0]));
    }
    json::value value = iteration.results;
    if (iteration.in_pages()) {
        value = json::object{{"count", iteration.size()}, {"failed", iteration.failed}};
    }
    pass(token, "default", std::move(value));
}

// The next rows of a list that comes in pages; whatever else came is of a page before.
void Decision::take_page(const Token& token, StepFinished& finished) {
    const Iteration& iteration = *state_.find_iteration(token.id);
    if (finished.error) {
        const bool passes = finished.error->error_class == ErrorClass::retryable;
        return fail_step(token, *finished.error, passes);
    }
    const auto listed = events::read<events::ItemsListed>(finished.result);
    if (!listed.items || listed.page != std::int64_t{iteration.page} + 1) return;
    append_step(EventType::items_listed, token, std::move(finished.result), nullptr);
}

void Decision::withdraw_nodes(const Token& token, const json::object& config) {
    std::vector<TokenId> meant;
    const json::value* nodes = config.if_contains("nodes");
    const json::array none;
    for (const json::value& id : nodes && nodes->is_array() ? nodes->get_array() : none) {
        for (const Token& other : state_.tokens) {
            if (other.id == token.id || !is_inside(state_, other.frame, token.frame)) continue;
            if (id.is_string() && id.get_string() == node_of(other).id) meant.push_back(other.id);
        }
    }
    events::NodePassed passed;
    passed.withdrawal = withdrawal_of(meant);
    passed.handle = "default";
    pass(token, std::move(passed));
}

// Whether an edge is taken, or what is wrong with its condition.
Result<bool> Decision::takes(const Token& token, const Edge& edge) const {
    if (edge.when.is_null()) return true;
    Scope scope(definition_, state_, token.frame, token.id);
    const PathLookup lookup = [&scope](const Path& path) { return scope.find(path); };
    const auto rendered = render(edge.when, lookup);
    if (!rendered) return rendered.error();
    auto condition = parse_condition(*rendered);
    if (!condition) return condition.error();
    fix_times(*condition, moment_.now);
    const Judgement found = judge(*condition, lookup);
    if (found.holds) return *found.holds;
    return Error{Errc::invalid, fmt::format("'{}' is not defined", found.undefined), {}};
}

void Decision::route(const Token& token) {
    events::Routed routed;
    for (std::size_t i = 0; i < definition_.edges.size(); ++i) {
        const Edge& edge = definition_.edges[i];
        if (edge.from != token.node || edge.handle != token.handle) continue;
        const auto takes_it = takes(token, edge);
        if (!takes_it) {
            return fail_step(
                token,
                "undefined",
                fmt::format(
                    "when of the edge to '{}': {}",
                    definition_.nodes[edge.to].id,
                    takes_it.error().message
                )
            );
        }
        if (*takes_it) routed.edges.push_back(static_cast<std::uint32_t>(i));
    }
    append_step(token, std::move(routed));
}

}  // namespace pawl::plan
