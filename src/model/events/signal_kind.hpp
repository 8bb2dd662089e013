#pragma once

#include <string_view>

namespace pawl {

// What a message to a run is about. Their names stand in pawl.signal.kind and in the log.
enum class SignalKind {
    unknown,  // of a later release; its name stays in the log
    cancel,
    pause,
    resume,
    skip,
    repin,
    event,
    signal,
    task,
    child,
    callback,
    lock,
    gather,
    interrupted,
};
inline constexpr int signal_kind_count = 14;

std::string_view name(SignalKind kind);
SignalKind signal_kind(std::string_view name);

// Meant for one visit of one token: a decided task, a child that closed, a callback, a lock.
inline bool is_addressed(SignalKind kind) {
    return kind == SignalKind::task || kind == SignalKind::child || kind == SignalKind::callback ||
           kind == SignalKind::lock;
}

}  // namespace pawl
