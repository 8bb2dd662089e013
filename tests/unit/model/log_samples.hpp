#pragma once

// Structs of the log with a value in each member.

#include "model/events/list_events.hpp"
#include "model/events/signal_data.hpp"
#include "model/events/step_events.hpp"
#include "model/events/wait.hpp"
#include "model/events/whole_run_events.hpp"

namespace pawl::events {

inline void fill(std::string_view& text) {
    text = "text";
}
inline void fill(std::optional<std::string_view>& text) {
    text = "why";
}
inline void fill(std::string& text) {
    text = "name";
}
inline void fill(std::integral auto& number) {
    number = 3;
}
inline void fill(bool& flag) {
    flag = true;
}
inline void fill(std::optional<std::int64_t>& number) {
    number = -5;
}
inline void fill(std::optional<Instant>& at) {
    at = instant_of(1'767'225'600'000'000);
}
inline void fill(Numbers& list) {
    list = {1, 2};
}
inline void fill(std::optional<Numbers>& list) {
    list = Numbers{7};
}
inline void fill(std::vector<std::int64_t>& list) {
    list = {8, 9};
}
inline void fill(std::vector<std::string>& list) {
    list = {"a", "b"};
}
inline void fill(Payload& payload) {
    payload = json::object{{"any", json::array{1, nullptr}}};
}
inline void fill(json::array& list) {
    list = {1, "two"};
}
inline void fill(json::value& any) {
    any = "1h";
}
inline void fill(RunStatus& status) {
    status = RunStatus::cancelled;
}
inline void fill(WaitNote& note) {
    note = WaitNote::escalated;
}
inline void fill(People& people) {
    people.names = {"ann", "bob"};
}
inline void fill(VotesNeeded& votes) {
    votes.count = 2;
}

template <Logged T>
T filled();
template <Logged T>
void fill(T& part) {
    part = filled<T>();
}
template <Logged T>
inline void fill(std::optional<T>& part) {
    part = filled<T>();
}
template <Logged T>
inline void fill(std::vector<T>& list) {
    list = {filled<T>()};
}

template <class Of, class Type>
void fill_member(Of& of, const Member<Of, Type>& member) {
    fill(of.*member.place);
}
template <class Of>
void fill_member(Of&, const Constant&) {}
template <class Of, class Part>
void fill_member(Of& of, const Members<Of, Part>& part) {
    fill(of.*part.place);
}

template <Logged T>
T filled() {
    T all;
    for_each_member<T>([&](const auto& member) { fill_member(all, member); });
    return all;
}
// Its list and its mark have one key.
template <>
inline StepFailed filled<StepFailed>() {
    StepFailed all;
    for_each_member<StepFailed>([&](const auto& member) { fill_member(all, member); });
    all.withdrawn = false;
    return all;
}

}  // namespace pawl::events
