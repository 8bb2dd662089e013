#pragma once

#include "base/json.hpp"
#include "engine/worker/worker.hpp"
#include "model/event.hpp"
#include "plan/places.hpp"
#include "store/repos/dead_letters.hpp"
#include "store/repos/human_tasks.hpp"
#include "store/repos/inbox.hpp"
#include "store/repos/jobs.hpp"
#include "store/repos/limits.hpp"
#include "store/repos/schedules.hpp"
#include "store/repos/version_store.hpp"
#include "store/store.hpp"

namespace pawl::api {

// How things look as JSON, in the API and in the CLI's -o json (schemas of src/api/openapi).
json::object to_json(const store::WorkflowVersion& workflow);
json::object to_json(const store::RunSummary& run);
json::object to_json(const store::RunDetails& run);
// Of the id, which carries it: what the filters of lists look at.
Instant created_at(RunId run);
json::object to_json(const Event& event);
// The times of a whole log as they are shown: none is before the run, or before the event before
// it. What a run took over from another one was done before it began.
void put_times_in_order(RunId run, std::vector<Event>& log);
// Says branch, item and visit too, where there is more than one.
json::object to_json(const Event& event, const plan::EventPlace& place);
void add_place(json::object& out, const Event& event, const plan::EventPlace& place);
json::object to_json(const store::DeadLetter& letter);
json::object to_json(const store::DeadLetterGroup& group);
json::object to_json(const store::Job& job);
json::object to_json(const store::ScheduleDetails& schedule);
json::object to_json(const store::FlowLimit& limit);
json::object to_json(const store::InboxEvent& event);
json::object to_json(const store::HumanTask& task);
json::object to_json(const store::TaskDecision& decision);
json::object to_json(const engine::Program& program, const engine::Started& started);

// Null where there is none.
json::value text_or_null(const std::string& text);

bool is_closed(const store::RunSummary& run);

}  // namespace pawl::api
