#pragma once

// Runs in the database, for programs that start, watch and signal them.

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
    std::string correlation_id;  // one run per key, however often it is started; empty: none
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
    boost::json::value context;  // the input and the results of the steps
    boost::json::value output;
    boost::json::value error;
    std::vector<StepRecordView> steps;
};

// Calls block and may come from any thread; they are serialised inside. Throws std::runtime_error
// with Postgres's message; after a lost connection the next call reconnects.
//
// It does not claim runs or write results of steps: only the worker that holds a run writes to it,
// which makes a crash harmless. Steps report through their result.
class StateStore {
public:
    virtual ~StateStore() = default;
    // When it returns the run's id, the run is durable.
    virtual std::string create_run(const NewRun& run) = 0;
    virtual std::optional<RunRecord> load_run(const std::string& id) = 0;
    // Polls until the run is closed; nothing if it is still open by then.
    virtual std::optional<RunRecord> wait_for_run(
        const std::string& id, std::chrono::milliseconds patience
    ) = 0;
    // Sends a signal to a run. False: there is no such open run.
    virtual bool signal(
        const std::string& run, const std::string& name, const boost::json::value& data
    ) = 0;
    virtual bool cancel(const std::string& run, const std::string& reason) = 0;
    // Publishes an event, which wakes or starts runs; returns its id. The same id again is the same
    // event.
    virtual std::string enqueue_event(
        const std::string& name,
        const std::string& key,
        const boost::json::value& data,
        const std::string& id = {}
    ) = 0;
};

std::unique_ptr<StateStore> make_state_store(const std::string& database);

}  // namespace pawl
