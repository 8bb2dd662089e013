#include "base/json.hpp"
#include "model/credential_root.hpp"
#include "model/events/error_data.hpp"
#include "model/events/list_events.hpp"
#include "model/person_root.hpp"
#include "plan/loop_around.hpp"
#include "plan/planner.hpp"

#include <boost/json/object.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace pawl::plan {

namespace {

json::value error_value(const StepRecord& record) {
    return record.error ? json::value(record.error->message) : json::value();
}

// What an event brought or a person said: {id, key, data, name}, {by, reason, decision}. Such names
// do not stand in the way of those of the input.
bool is_answer(const Definition& definition, const StepRecord& record) {
    if (record.node >= definition.nodes.size()) return false;
    const NodeType type = definition.nodes[record.node].type;
    return type == NodeType::wait || type == NodeType::goal || type == NodeType::human;
}

json::value describe(const StepRecord& record) {
    return json::object{
        {"result", record.result}, {"error", error_value(record)}, {"released", record.undone}};
}

}  // namespace

const json::value* Scope::find(const Path& path) {
    if (path.empty()) return nullptr;
    const std::string& root = path[0].key;
    if (root == "input") return walk(&state_.input, path, 1);
    if (root == person_root && definition_.person) return find_person(path);
    if (root == credentials_root) return keep(json::value(hidden_text));
    if (root == "steps") return find_step(path);
    if (root == "run") {
        const auto* run = keep(json::object{
            {"id", state_.run_id},
            {"subject", state_.subject},
            {"workflow", definition_.name},
            {"version", state_.version},
            {"started_at", to_rfc3339(state_.started_at)}});
        return walk(run, path, 1);
    }
    if (root == "undo" && undoes_) return find_undone(path);
    if (const auto* outcome = find_outcome(path)) return outcome;
    const Frame* item = item_around(frame_);
    if (root == "index") return find_index(item, path);
    if (item != nullptr && root == "item") return find_item(*item, path, 0);
    if (item != nullptr && root == "outer") return find_outer(*item, path);
    if (root == "error" && token_ != nullptr && !token_->caught.is_null()) {
        return walk(&token_->caught, path, 1);
    }
    const json::value* found = find_key(path);
    if (found == nullptr && root == trigger_root) return walk(&state_.input, path, 1);
    // The worker fills it in.
    if (found == nullptr && definition_.person && is_message_link(root)) return keep(nullptr);
    return found;
}

// The worker puts the person in when it executes the step; a rehearsal knows them before.
const json::value* Scope::find_person(const Path& path) {
    return state_.person.is_null() ? keep(nullptr) : walk(&state_.person, path, 1);
}

const Frame* Scope::item_around(FrameId id) const {
    const Frame* frame = state_.find_frame(id);
    while (frame != nullptr && frame->scope) frame = state_.find_frame(frame->parent);
    return frame;
}

std::optional<NodeIndex> Scope::counting_loop() const {
    if (token_ == nullptr) return std::nullopt;
    Standing standing;
    standing.node = token_->node;
    const auto& loops = state_.loops;
    standing.counting = std::any_of(loops.begin(), loops.end(), [this](const LoopCount& one) {
        return one.node == token_->node && one.frame == frame_;
    });
    const Frame* item = undoes_ ? nullptr : item_around(frame_);
    for (; item != nullptr; item = item_around(item->parent)) ++standing.items;
    const auto loop = loop_around(definition_, standing);
    if (loop || !undoes_ || *undoes_ >= state_.records.size()) return loop;
    // What undoes a visit stands where that visit was.
    standing = {state_.records[*undoes_].node};
    for (item = item_around(frame_); item != nullptr; item = item_around(item->parent)) {
        ++standing.items;
    }
    return loop_around(definition_, standing);
}

const json::value* Scope::find_index(const Frame* item, const Path& path) {
    const auto loop = counting_loop();
    const StepRecord* round = loop ? record_of(*loop) : nullptr;
    if (round != nullptr) {
        const auto index = events::read<events::LoopRound>(round->result).index;
        return index ? walk(keep(*index), path, 1) : nullptr;
    }
    return item != nullptr ? find_item(*item, path, 0) : find_key(path);
}

const json::value* Scope::find_item(const Frame& frame, const Path& path, std::size_t at) {
    if (at >= path.size()) return nullptr;
    if (path[at].key == "item") return walk(&frame.item, path, at + 1);
    if (path[at].key == "index") return walk(keep(frame.index), path, at + 1);
    return nullptr;
}

// outer.item is the item of the foreach around this one, outer.outer.item of the one around that.
const json::value* Scope::find_outer(const Frame& inner, const Path& path) {
    const Frame* frame = &inner;
    std::size_t at = 0;
    for (; frame != nullptr && at < path.size() && path[at].key == "outer"; ++at) {
        frame = item_around(frame->parent);
    }
    return frame == nullptr ? nullptr : find_item(*frame, path, at);
}

const json::value* Scope::find_undone(const Path& path) {
    if (*undoes_ >= state_.records.size()) return nullptr;
    const StepRecord& record = state_.records[*undoes_];
    if (path.size() < 2 || path[1].is_index) {
        return keep(json::object{{"result", record.result}, {"input", record.input}});
    }
    if (path[1].key == "result") return walk(&record.result, path, 2);
    if (path[1].key == "input") return walk(&record.input, path, 2);
    return nullptr;
}

template <class Fits>
const StepRecord* Scope::newest(Fits fits) const {
    const auto& all = state_.records;
    const std::size_t first = undoes_ ? std::min(*undoes_ + 1, all.size()) : all.size();
    for (std::size_t i = first; i > 0; --i) {
        if (sees(all[i - 1]) && fits(all[i - 1])) return &all[i - 1];
    }
    // What came after the visit that is undone, when nothing before is called so.
    for (std::size_t i = all.size(); i > first; --i) {
        if (sees(all[i - 1]) && fits(all[i - 1])) return &all[i - 1];
    }
    return nullptr;
}

// Its own item's, those of the items around it, and those of the run.
bool Scope::sees(const StepRecord& record) const {
    const bool undone =
        undoes_ && *undoes_ < state_.records.size() && &record == &state_.records[*undoes_];
    if (record.withdrawn && !undone) return false;
    if (record.frame == 0 || record.frame == frame_) return true;
    const Frame* frame = state_.find_frame(frame_);
    while (frame != nullptr && frame->parent != 0) {
        if (frame->parent == record.frame) return true;
        frame = state_.find_frame(frame->parent);
    }
    return false;
}

const json::value* Scope::find_step(const Path& path) {
    if (path.size() == 1) {
        json::object all;
        for (const StepRecord& record : state_.records) {
            if (record.node >= definition_.nodes.size() || !sees(record)) continue;
            all.insert_or_assign(definition_.nodes[record.node].id, describe(record));
        }
        return keep(std::move(all));
    }
    const auto node = definition_.find(path[1].key);
    const StepRecord* record = node ? record_of(*node) : nullptr;
    if (record == nullptr || path[1].is_index) return nullptr;
    if (path.size() == 2) return keep(describe(*record));
    if (path[2].is_index) return nullptr;
    if (path[2].key == "result") return walk(&record->result, path, 3);
    if (path[2].key == "error") {
        // By itself it is the message, as it always was; its parts are those of {{ error }}.
        if (path.size() == 3 || !record->error) return walk(keep(error_value(*record)), path, 3);
        json::value whole = to_json(*record->error);
        events::set_place(whole, {definition_.nodes[record->node].id});
        return walk(keep(std::move(whole)), path, 3);
    }
    if (path[2].key == "released") return walk(keep(record->undone), path, 3);
    return nullptr;
}

const json::value* Scope::find_outcome(const Path& path) {
    std::string_view root = path[0].key;
    if (!root.starts_with("step_")) return nullptr;
    root.remove_prefix(5);
    std::size_t node = 0;
    const auto [end, failed] = std::from_chars(root.data(), root.data() + root.size(), node);
    if (failed != std::errc{}) return nullptr;
    root.remove_prefix(static_cast<std::size_t>(end - root.data()));
    const bool result = root == "_result";
    if (!result && root != "_error") return nullptr;
    const StepRecord* record = record_of(node);
    if (record == nullptr) return nullptr;
    // Only one of the two exists, so that a default can stand in for the other.
    if (result == record->error.has_value()) return nullptr;
    return walk(result ? &record->result : keep(error_value(*record)), path, 1);
}

const json::value* Scope::find_key(const Path& path) const {
    const std::string& root = path[0].key;
    const auto value_in = [&](bool answers) -> const json::value* {
        const StepRecord* record = newest([&](const StepRecord& one) {
            return is_answer(definition_, one) == answers && pawl::find(one.result, root);
        });
        return record == nullptr ? nullptr : pawl::find(record->result, root);
    };
    const json::value* value = value_in(false);
    if (value == nullptr) value = pawl::find(state_.input, root);
    if (value == nullptr) value = value_in(true);
    return walk(value, path, 1);
}

const StepRecord* Scope::record_of(std::size_t node) const {
    return newest([node](const StepRecord& record) { return record.node == node; });
}

const json::value* Scope::keep(json::value value) {
    return &made_.emplace_front(std::move(value));
}

json::object context_of(const Definition& definition, const RunState& state) {
    json::object context;
    const auto spread = [&context](const json::value& value) {
        const auto* object = value.if_object();
        if (object == nullptr) return;
        for (const auto& [key, item] : *object) context.insert_or_assign(key, item);
    };
    for (const StepRecord& record : state.records) {
        if (!record.withdrawn && is_answer(definition, record)) spread(record.result);
    }
    spread(state.input);
    for (const StepRecord& record : state.records) {
        if (!record.withdrawn && !is_answer(definition, record)) spread(record.result);
    }
    for (const StepRecord& record : state.records) {
        if (record.node == no_node || record.withdrawn || record.stopped) continue;
        if (record.error) {
            context[fmt::format("step_{}_error", record.node)] = error_value(record);
        } else {
            context[fmt::format("step_{}_result", record.node)] = record.result;
        }
    }
    return context;
}

}  // namespace pawl::plan
