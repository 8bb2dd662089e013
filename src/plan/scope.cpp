#include "base/json.hpp"
#include "model/credentials.hpp"
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

json::value describe(const StepRecord& record) {
    return json::object{
        {"result", record.result}, {"error", error_value(record)}, {"released", record.undone}};
}

}  // namespace

const json::value* Scope::find(const Path& path) {
    if (path.empty()) return nullptr;
    const std::string& root = path[0].key;
    if (root == "input") return walk(&state_.input, path, 1);
    if (root == credentials_root) return keep(json::value(hidden_text));
    if (root == "steps") return find_step(path);
    if (root == "run") {
        const auto* run = keep(json::object{
            {"subject", state_.subject},
            {"workflow", state_.workflow},
            {"version", state_.version},
            {"started_at", to_rfc3339(state_.started_at)}});
        return walk(run, path, 1);
    }
    if (root == "undo" && undoes_) return find_undone(path);
    if (const auto* outcome = find_outcome(path)) return outcome;
    const bool of_item = root == "item" || root == "index";
    if (frame_ != 0 && of_item && item_around() != nullptr) return find_item(path);
    if (root == "error" && !state_.caught.is_null()) return walk(&state_.caught, path, 1);
    return find_key(path);
}

const Frame* Scope::item_around() const {
    const Frame* frame = state_.find_frame(frame_);
    while (frame != nullptr && frame->scope) frame = state_.find_frame(frame->parent);
    return frame;
}

const json::value* Scope::find_item(const Path& path) {
    const Frame* frame = item_around();
    if (frame == nullptr) return nullptr;
    if (path[0].key == "item") return walk(&frame->item, path, 1);
    return walk(keep(frame->index), path, 1);
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
    if (path[2].key == "error") return walk(keep(error_value(*record)), path, 3);
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
    const StepRecord* record =
        newest([&](const StepRecord& one) { return pawl::find(one.result, root) != nullptr; });
    if (record != nullptr) return walk(pawl::find(record->result, root), path, 1);
    return walk(pawl::find(state_.input, root), path, 1);
}

const StepRecord* Scope::record_of(std::size_t node) const {
    return newest([node](const StepRecord& record) { return record.node == node; });
}

const json::value* Scope::keep(json::value value) {
    return &made_.emplace_front(std::move(value));
}

json::object context_of(const RunState& state) {
    json::object context;
    const auto spread = [&context](const json::value& value) {
        const auto* object = value.if_object();
        if (object == nullptr) return;
        for (const auto& [key, item] : *object) context.insert_or_assign(key, item);
    };
    spread(state.input);
    for (const StepRecord& record : state.records) {
        if (!record.withdrawn) spread(record.result);
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
