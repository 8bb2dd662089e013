#pragma once

#include "app/caller.hpp"
#include "app/jobs/job_runner.hpp"
#include "app/runs/admission.hpp"
#include "app/runs/programs.hpp"
#include "app/runs/starter.hpp"
#include "engine/observe/trace_links.hpp"
#include "store/pg/event_tail.hpp"
#include "store/pg/pg_store.hpp"
#include "store/repos/api_keys.hpp"
#include "store/repos/idempotency.hpp"
#include "store/repos/jobs.hpp"
#include "store/repos/limits.hpp"
#include "store/repos/message_log.hpp"
#include "store/repos/retries.hpp"

namespace pawl::app {

// What the use cases of runs work with. All of it outlives them.
struct RunUses {
    store::PgStore& store;
    store::Retries& retries;
    store::Idempotency& idempotency;
    store::Limits& limits;
    store::EventTail& tail;
    store::Jobs& jobs;
    Programs& programs;
    Admission& admission;
    Starter& starter;
    JobRunner& job_runner;
    const Wake& wake_workers;
    store::MessageLog& message_log;
    store::ApiKeys& keys;
    engine::TraceLinks trace_links = {};  // where people look at traces
};

}  // namespace pawl::app
