#pragma once

// Runs as the database has them, for programs that start, watch and answer them.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pawl {

struct NewRun {
    std::string workflow;
    boost::json::value input = boost::json::object();
    std::string correlation_id;  // one run per key, however often it is asked for; empty: none
    std::string subject;
    int priority = 0;  // lower is sooner
};

struct StepRecordView {
    std::string name;
    std::string status;  // pending, waiting, completed, failed, skipped ...
    int attempts = 0;
    boost::json::value result;
    boost::json::value error;
};

struct RunRecord {
    std::string id;
    std::string workflow;
    std::string status;  // queued, waiting, running, completed, failed, cancelled
    bool closed = false;
    boost::json::value context;  // the input and what the steps left
    boost::json::value output;
    boost::json::value error;
    std::vector<StepRecordView> steps;
};

// Calls block and may be made by any thread, one at a time inside. Throws std::runtime_error with
// what Postgres said; a lost connection is made anew by the next call.
//
// Claiming runs and writing what steps came to is not here: a run is written by the worker that
// holds it and by nobody else, which is what makes a crash harmless. Steps report by their result.
class StateStore {
public:
    virtual ~StateStore() = default;
    // Durable when it returns the run's id.
    virtual std::string create_run(const NewRun& run) = 0;
    virtual std::optional<RunRecord> load_run(const std::string& id) = 0;
    // Polls until the run is closed; nothing when it is not by then.
    virtual std::optional<RunRecord> wait_for_run(
        const std::string& id, std::chrono::milliseconds patience
    ) = 0;
    // A message to a run that waits for this signal. False: there is no such open run.
    virtual bool signal(
        const std::string& run, const std::string& name, const boost::json::value& data
    ) = 0;
    virtual bool cancel(const std::string& run, const std::string& reason) = 0;
    // An event for whoever waits for it, or is started by it; returns its id. The same id again is
    // the same event.
    virtual std::string enqueue_event(
        const std::string& name,
        const std::string& key,
        const boost::json::value& data,
        const std::string& id = {}
    ) = 0;
};

std::unique_ptr<StateStore> make_state_store(const std::string& database);

}  // namespace pawl
