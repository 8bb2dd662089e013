// The structs of the log: what they write they read again, and every recorded event stays as it is.
#include "base/json.hpp"
#include "model/events/error_data.hpp"
#include "model/events/goal_events.hpp"
#include "model/events/list_events.hpp"
#include "model/events/signal_data.hpp"
#include "model/events/step_events.hpp"
#include "model/events/wait.hpp"
#include "model/events/whole_run_events.hpp"
#include "model/step_error.hpp"
#include "unit/model/log_samples.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace pawl::events {
namespace {

// --- The keys of a struct, in their order ---

using Keys = std::vector<std::string>;

void add(Keys& keys, std::string_view key) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.emplace_back(key);
}

template <class T>
void add_keys(Keys& keys);
template <class Of, class Type>
void add_member(Keys& keys, const Member<Of, Type>& member) {
    add(keys, member.key);
}
void add_member(Keys& keys, const Constant& member) {
    add(keys, member.key);
}
template <class Of, class Part>
void add_member(Keys& keys, const Members<Of, Part>&) {
    add_keys<Part>(keys);
}
template <class T>
void add_keys(Keys& keys) {
    for_each_member<T>([&](const auto& member) { add_member(keys, member); });
}

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// What it writes it reads again, it writes its keys and no others, and ARCHITECTURE.md has them.
template <Logged T>
void documented(const std::string& name) {
    SCOPED_TRACE(name);
    static const std::string page = text_of(PAWL_SOURCE_DIR "/ARCHITECTURE.md");
    Keys keys;
    add_keys<T>(keys);
    const T all = filled<T>();
    const json::object written = write(all);
    EXPECT_TRUE(read<T>(written) == all) << json::serialize(written);
    EXPECT_EQ(write(read<T>(written)), written);
    Keys found;
    for (const auto& member : written) found.emplace_back(member.key());
    EXPECT_EQ(found, keys);
    json::object more = written;
    more["of_a_later_release"] = 1;
    EXPECT_TRUE(read<T>(more) == all);
    std::string line = "| " + name + " |";
    for (std::size_t i = 0; i < keys.size(); ++i) line += (i == 0 ? " `" : ", `") + keys[i] + "`";
    EXPECT_NE(page.find(line + " |\n"), std::string::npos) << "ARCHITECTURE.md has no line\n"
                                                           << line << " |";
}

TEST(LogCodec, EventsSayWhatTheirStructsSay) {
    documented<RunStarted>("`run_started`");
    documented<Caller>("`run_started`: `caller`");
    documented<Owner>("`run_started`: `owners`");
    documented<LockPassed>("`step_completed` of a lock");
    documented<ConditionJudged>("`step_completed` of a condition");
    documented<ChildStarted>("`step_completed` of a call that does not wait");
    documented<LoopRound>("`node_passed` of a loop that goes round");
    documented<MessageEnded>("`step_completed` of a message");
    documented<AgentEnded>("`step_completed` of an agent that decides");
    documented<EventAnswer>("`step_completed` of a wait for an event");
    documented<TaskAnswer>("`step_completed` of a person");
    documented<StepFailed>("`step_failed`");
    documented<RunCancelled>("`run_cancelled`");
    documented<NodePassed>("`node_passed`");
    documented<Emitted>("`node_passed`: `emit`");
    documented<Routed>("`routed`");
    documented<Joined>("`joined`");
    documented<SignalReceived>("`signal_received`");
    documented<WaitNoted>("`wait_noted`");
    documented<RunPaused>("`run_paused`");
    documented<CompensationStarted>("`compensation_started`");
    documented<ItemsListed>("`items_listed`");
    documented<PagedList>("`items_listed`: `pages_of`");
    documented<StepSkipped>("`step_skipped`");
    documented<StepAdvanced>("`step_advanced`");
    documented<Planned>("`planned`");
    documented<PlannedCall>("`planned`: `steps`");
    documented<RunRepinned>("`run_repinned`");
    documented<RunHeld>("`run_held`");
    documented<RunStopping>("`run_stopping`");
    documented<ItemsReopened>("`items_reopened`");
}

TEST(LogCodec, WaitsSayWhatTheirStructsSay) {
    documented<TimeWait>("`wait_started`, time alone");
    documented<EventWait>("`wait_started`, an event");
    documented<AwaitedEvent>("`wait_started`: `events`");
    documented<SignalWait>("`wait_started`, a signal");
    documented<TaskWait>("`wait_started`, a person");
    documented<Escalation>("`wait_started`: `escalations`");
    documented<ChildWait>("`wait_started`, a child");
    documented<CallbackWait>("`wait_started`, a callback");
    documented<LockWait>("`wait_started`, a lock");
    documented<TargetWait>("`wait_started`, a target");
    documented<EndedChildren>("`wait_started` of a step that is withdrawn");
    documented<CountedGoals>("`wait_started` of a run with goals");
}

TEST(LogCodec, SignalsSayWhatTheirStructsSay) {
    documented<CancelSignal>("signal `cancel`");
    documented<PauseSignal>("signal `pause`");
    documented<SkipSignal>("signal `skip`");
    documented<RepinSignal>("signal `repin`");
    documented<EventSignal>("signal `event`");
    documented<NamedSignal>("signal `signal`");
    documented<TaskSignal>("signal `task`");
    documented<ChildSignal>("signal `child`");
    documented<CallbackSignal>("signal `callback`");
    documented<LockSignal>("signal `lock`");
    documented<GatherSignal>("signal `gather`");
}

TEST(LogCodec, ErrorsSayWhatTheirStructsSay) {
    documented<ErrorData>("`error` of any event");
    documented<CauseData>("`error`: `cause`");
    documented<NotUndone>("`error`: `not_undone`");
    documented<ChildNotUndone>("`error`: `children_not_undone`, `cause.not_undone`");
}

TEST(LogCodec, OneMemberIsReadAsItIsAmongAll) {
    const json::value data = write(filled<RunStarted>());
    const auto all = read<RunStarted>(data);
    EXPECT_EQ(read_one(data, &RunStarted::traceparent), all.traceparent);
    EXPECT_EQ(read_one(data, &RunStarted::triggered_by), all.triggered_by);
    EXPECT_EQ(read_one(data, &RunStarted::caller), all.caller);
    EXPECT_EQ(read_one(data, &Chain::copied), all.chain.copied);
    EXPECT_TRUE(read_one(data, &RunStarted::uncounted));
    const json::value marked = json::object{{"uncounted", 1}};
    EXPECT_FALSE(read_one(marked, &RunStarted::uncounted)) << "only true counts";
    const json::value none;
    EXPECT_EQ(read_one(none, &RunStarted::workflow), 0);
    EXPECT_TRUE(read_one(none, &Caller::waits)) << "as the struct has it";
}

TEST(LogCodec, KindsOfSignalsHaveNames) {
    for (int i = 1; i < signal_kind_count; ++i) {
        const auto kind = static_cast<SignalKind>(i);
        EXPECT_EQ(signal_kind(name(kind)), kind);
    }
    EXPECT_EQ(signal_kind("of a later release"), SignalKind::unknown);
}

// No recorded history has these.
TEST(LogCodec, WhatWasOverAndWhatIsTakenOverStandInTheirOrder) {
    RunStarted started;
    started.workflow = 1;
    started.version = 2;
    started.input = json::object();
    started.caller = Caller{};
    started.chain.takes_over = "before";
    started.chain.first_run = "first";
    started.chain.anew_run = "anew";
    started.chain.branch_run = "this";
    started.start_at = instant_of(7);
    EXPECT_EQ(
        json::serialize(write(started)),
        R"({"workflow":1,"version":2,"input":{},)"
        R"("caller":{"token":0,"visit":1,"depth":1,"waits":true},)"
        R"("takes_over":"before","first_run":"first","anew_run":"anew","branch_run":"this",)"
        R"("start_at":7})"
    );
    StepFailed failed;
    failed.caught = "item";
    failed.last = true;
    failed.late = "each";
    failed.withdrawal.awaited = {3};
    failed.withdrawal.ends = {"child"};
    EXPECT_EQ(
        json::serialize(write(failed)),
        R"({"caught":"item","last":true,"late":"each","withdrawn":[3],"ends":["child"]})"
    );
    NodePassed passed;
    passed.value = json::object{{"timed_out", true}};
    passed.error = json::object{{"code", "timeout"}};
    passed.handle = "timeout";
    EXPECT_EQ(
        json::serialize(write(passed)),
        R"({"value":{"timed_out":true},"error":{"code":"timeout"},"handle":"timeout"})"
    );
}

TEST(LogCodec, WhatIsNotUndoneStandsInItsOrder) {
    NotUndone own;
    own.step = "pay";
    own.by = "refund";
    own.record = 2;
    own.error = json::object{{"code", "down"}};
    own.index = 1;
    EXPECT_EQ(
        json::serialize(write(own)),
        R"({"step":"pay","by":"refund","record":2,"error":{"code":"down"},"index":1})"
    );
    json::value error = to_json(StepError{ErrorClass::permanent, "lost", "", std::nullopt});
    set_place(error, {"check", json::array{1}, json::array{2}});
    set_place(error, {"pay"});
    EXPECT_EQ(
        json::serialize(error),
        R"({"class":"permanent","code":"lost","message":"",)"
        R"("step":"pay","not_undone":[1],"children_not_undone":[2]})"
    );
}

// --- Recorded histories ---

// Written again by its struct, after what the event has that the struct does not know.
template <Logged T>
json::value again(const json::value& data, bool onto) {
    json::object kept = onto && data.is_object() ? data.get_object() : json::object();
    json::object made = write(read<T>(data), std::move(kept));
    return data.is_null() && made.empty() ? json::value() : json::value(std::move(made));
}

json::value again(EventType type, const json::value& data) {
    switch (type) {
        case EventType::run_started: return again<RunStarted>(data, false);
        case EventType::step_failed: return again<StepFailed>(data, false);
        case EventType::wait_started: {
            Wait wait = read_wait(data);
            const bool task = wait.is<TaskWait>();
            return std::move(wait).write(task ? data.get_object() : json::object());
        }
        case EventType::run_cancelled: return again<RunCancelled>(data, false);
        case EventType::node_passed: return again<NodePassed>(data, false);
        case EventType::routed: return again<Routed>(data, false);
        case EventType::joined: return again<Joined>(data, false);
        case EventType::signal_received: return again<SignalReceived>(data, false);
        case EventType::wait_noted: return again<WaitNoted>(data, false);
        case EventType::run_paused: return again<RunPaused>(data, true);
        case EventType::compensation_started: return again<CompensationStarted>(data, false);
        case EventType::items_listed: return again<ItemsListed>(data, false);
        case EventType::step_skipped: return again<StepSkipped>(data, true);
        case EventType::planned: return again<Planned>(data, false);
        case EventType::run_repinned: return again<RunRepinned>(data, true);
        case EventType::run_held: return again<RunHeld>(data, false);
        case EventType::run_stopping: return again<RunStopping>(data, false);
        case EventType::items_reopened: return again<ItemsReopened>(data, false);
        default: return data;  // a result, an output, or nothing
    }
}

TEST(LogCodec, RecordedEventsAreWrittenAgainAsTheyAre) {
    std::size_t events = 0;
    std::size_t errors = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(PAWL_SOURCE_DIR "/tests/histories")) {
        if (!entry.is_regular_file()) continue;
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);) {
            const auto history = parse_json(line, {.bytes_max = 16 << 20});
            ASSERT_TRUE(history) << entry.path();
            for (const json::value& event : history->at("log").as_array()) {
                const auto type =
                    static_cast<EventType>(whole_number(find(event, "type")).value_or(0));
                const json::value* found = find(event, "data");
                const json::value data = found == nullptr ? json::value() : *found;
                const json::value made = again(type, data);
                EXPECT_EQ(made, data) << json::serialize(event);
                // An exit has its handle before its value.
                const bool exits =
                    type == EventType::node_passed && text_in(data, "handle").empty();
                if (!exits) EXPECT_EQ(json::serialize(made), json::serialize(data));
                if (const json::value* error = find(event, "error"); error && error->is_object()) {
                    EXPECT_EQ(
                        json::serialize(write(read<ErrorData>(*error))), json::serialize(*error)
                    );
                    ++errors;
                }
                ++events;
            }
        }
    }
    EXPECT_GT(events, 300u);
    EXPECT_GT(errors, 10u);
}

}  // namespace
}  // namespace pawl::events
