#pragma once

#include "base/complaint.hpp"
#include "engine/async/coroutine_group.hpp"
#include "engine/async/gate.hpp"
#include "engine/start/start_limits.hpp"
#include "engine/start/start_request.hpp"
#include "store/repos/inbox.hpp"
#include "store/store.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace pawl::engine {

struct MatcherOptions {
    store::Bucket bucket = 0;
    int batch = 1000;
    // The safety net under everything that calls look().
    Duration poll = std::chrono::seconds(1);
    // Claims match as well, and take what they match.
    Duration after_claims = std::chrono::milliseconds(50);
    // How long starts by a batch of events may take before another process does them.
    Duration lease = std::chrono::seconds(30);
    // How long the starts of one tenant are waited for before others get their turn.
    Duration patience = std::chrono::milliseconds(500);
};

// Matches events against waiting runs, and starts the workflows that they trigger. Any number of
// processes may do so at once. An event that would start more runs than its tenant may have is held
// until there is room. The store, the inbox and the limits outlive it; one thread.
class Matcher {
public:
    using Start = std::function<asio::awaitable<std::vector<Started>>(std::vector<StartRequest>)>;
    // A version that is known to exist; null when it cannot be read here.
    using FindProgram =
        std::function<asio::awaitable<ProgramPtr>(store::WorkflowId, std::int32_t version)>;

    Matcher(
        asio::any_io_executor executor,
        store::Store& store,
        store::Inbox& inbox,
        StartLimits& limits,
        Start start,
        FindProgram find_program,
        MatcherOptions options = {}
    );

    // Something was committed that may match: look now instead of at the next poll.
    void look();
    // The same, when the claimers of this process were woken as well: they go first.
    void look_after_claims();
    // Whether a claimer is about to claim: it handles the events until the next poll.
    std::function<bool()> claims_match = [] { return false; };
    // Whether a claimer is full, but has matched a moment ago: it gets another moment.
    std::function<bool()> claims_go_on = [] { return false; };
    // Called when runs were made ready, or have a message.
    std::function<void()> on_delivered = [] {};
    // Until it is cancelled.
    asio::awaitable<void> run();

private:
    asio::awaitable<void> match();
    asio::awaitable<void> match_when_due();
    // Whether there is more to do at once.
    asio::awaitable<bool> start_triggered();
    struct Meaning {
        store::TriggerOutcome outcome;
        std::vector<StartRequest> starts;
    };
    asio::awaitable<Meaning> meaning_of(store::TriggeringEvent triggering);
    // Whether its runs may be started; else the outcome says why not.
    asio::awaitable<bool> admitted(store::TenantId tenant, Meaning& meaning);
    asio::awaitable<void> start_all(std::vector<Meaning>& meanings);
    // What the events of one tenant mean.
    struct Part {
        store::TenantId tenant = 0;
        std::vector<Meaning> meanings;
        bool done = false;
        bool late = false;  // not waited for any more: it finishes its events itself
        std::exception_ptr failed;
    };
    asio::awaitable<void> start_part(std::shared_ptr<Part> part);
    asio::awaitable<void> start_parts(const std::vector<std::shared_ptr<Part>>& parts);
    asio::awaitable<void> finish(const std::vector<std::shared_ptr<Part>>& parts);
    asio::awaitable<void> release();
    asio::awaitable<void> go_on();

    store::Store& store_;
    store::Inbox& inbox_;
    StartLimits& limits_;
    Start start_;
    FindProgram find_program_;
    MatcherOptions options_;
    Gate gate_;
    Gate started_;                                        // a part is done
    CoroutineGroup parts_;                                // those under way
    std::set<store::TenantId> busy_;                      // whose parts they are
    std::map<store::TenantId, std::int64_t> first_held_;  // by tenant: others wait behind it
    int batch_;  // fewer after an error: large ones may be too much together
    Steady::time_point release_at_{};
    Steady::time_point match_at_{};
    Steady::time_point match_at_last_{};  // whatever the claimers do
    Complaint starting_{"events could not start workflows"};
    Complaint matching_{"events could not be matched"};
};

}  // namespace pawl::engine
