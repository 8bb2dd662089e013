#pragma once

#include "base/complaint.hpp"
#include "engine/async/gate.hpp"
#include "store/repos/jobs.hpp"

#include <functional>

namespace pawl::app {

namespace asio = boost::asio;

// Works off the server's jobs, one batch a transaction. Any number of processes may do so at once;
// a job whose process died is taken up by another.
class JobRunner {
public:
    // Those of audiences take long to begin, so they have a runner of their own.
    enum class Kind { audiences, others };

    JobRunner(asio::any_io_executor executor, store::Jobs& jobs, Kind kind = Kind::others)
        : executor_(executor), jobs_(jobs), kind_(kind), gate_(executor) {}

    // There may be a job: look now instead of at the next poll.
    void look() { gate_.open(); }
    // Does the next part of a bulk job (BulkJobs), or of the job of an audience (Audiences).
    std::function<asio::awaitable<std::optional<store::Job>>(store::Job, Duration)> next_bulk_part;
    // Called when runs were made ready.
    std::function<void()> on_ready = [] {};
    // Until it is cancelled.
    asio::awaitable<void> run();

private:
    asio::awaitable<bool> work_off_one();
    asio::awaitable<std::optional<store::Job>> next_part(store::Job job);

    asio::any_io_executor executor_;
    store::Jobs& jobs_;
    Kind kind_;
    engine::Gate gate_;
    std::int32_t last_tenant_ = 0;  // whose job had its turn last
    Complaint trouble_{"jobs could not be processed"};
};

}  // namespace pawl::app
