#include "model/events/wait.hpp"

#include "base/json.hpp"

#include <algorithm>
#include <array>

namespace pawl::events {

namespace {

constexpr std::array<std::string_view, 4> note_names{
    "reminded", "escalated", "heartbeat", "timed_out"};

constexpr std::array<std::string_view, std::variant_size_v<Wait::What> - 1> names{
    "event", "signal", "task", "child", "callback", "lock", "target"};

template <std::size_t I = 0>
Wait read_as(std::string_view name, const json::value& data) {
    if constexpr (I < names.size()) {
        if (name == names[I]) return read<std::variant_alternative_t<I, Wait::What>>(data);
        return read_as<I + 1>(name, data);
    } else {
        return read<OtherWait>(data);
    }
}

}  // namespace

std::string_view Wait::name() const {
    if (!what_) return {};
    const auto* other = as<OtherWait>();
    return other != nullptr ? std::string_view(other->what) : names.at(what_->index());
}

std::optional<Instant> Wait::until() const {
    if (!what_) return time_.until;
    return std::visit([](const auto& one) { return one.until; }, *what_);
}

void Wait::set_until(std::optional<Instant> until) {
    if (!what_) {
        time_.until = until;
    } else {
        std::visit([until](auto& one) { one.until = until; }, *what_);
    }
}

Instant Wait::next_look() const {
    std::array<std::optional<Instant>, 3> instants{until()};
    if (const auto* task = as<TaskWait>()) {
        instants[1] = task->remind_at;
        instants[2] = task->escalate_at;
    }
    if (const auto* callback = as<CallbackWait>()) instants[1] = callback->beat_by;
    Instant next{};
    for (const auto& at : instants) {
        if (at && (next == Instant{} || *at < next)) next = *at;
    }
    return next;
}

Wait read_wait(const json::value& data) {
    const json::value* what = find(data, "for");
    if (what == nullptr) return read<TimeWait>(data);
    return read_as(what->is_string() ? std::string_view(what->get_string()) : "", data);
}

json::object Wait::write(json::object onto) && {
    if (!what_) return events::write(time_, std::move(onto));
    return std::visit(
        [&onto](auto& what) { return events::write(std::move(what), std::move(onto)); }, *what_
    );
}

void decode(const json::value& value, WaitNote& note) {
    const std::string_view text =
        value.is_string() ? std::string_view(value.get_string()) : std::string_view();
    const auto found = std::find(note_names.begin(), note_names.end(), text);
    if (found != note_names.end()) note = static_cast<WaitNote>(found - note_names.begin());
}

json::value encode(WaitNote note) {
    return json::value(note_names.at(static_cast<std::size_t>(note)));
}

}  // namespace pawl::events
