#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/runs/work_off.hpp"
#include "base/fresh_id.hpp"
#include "base/sentence.hpp"
#include "engine/async/gate.hpp"

#include <algorithm>

// Document 004: POST /functions/v1/workflow-executor-worker, called by a cron job for an
// organization. The workers find their work by themselves; this makes them look now, waits for what
// was due and says how it went.
namespace pawl::api {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t errors_max = 20;
constexpr Duration batch_time_max = 25s;
constexpr Duration reading_time_max = 10s;
// Longer than a batch may take: the place is free again when a caller died with it.
constexpr Duration place_time_max = 60s;

std::string_view category_of(int status) {
    if (status == 401 || status == 403) return "AUTH";
    if (status == 429 || status == 503) return "CAPACITY";
    return status < 500 ? "VALIDATION" : "RUNTIME";
}

http::ServerResponse refused(const Problem& problem) {
    json::object body;
    body["error"] = problem.status == 500 ? "Internal server error" : for_sentence(problem.detail);
    body["category"] = category_of(problem.status);
    body["correlationId"] = to_string(fresh_id());
    body["status"] = problem.status;
    http::ServerResponse response = json_response(problem.status, body);
    for (const http::Header& header : problem.headers) response.headers.push_back(header);
    return response;
}

// What a call has met, in the document's counts.
class Summary {
public:
    void add(const store::BatchRun& run) {
        if (run.is_done()) ++done_;
        // Every failed run has its dead letter, written by the commit that failed it.
        if (run.status == "failed") fail(to_string(run.run) + ": " + run.error, true);
    }
    void add(const store::BatchMessage& message) {
        if (message.state == "waiting") return;
        ++done_;
        fail(message.execution + ": " + message.problem, message.state == "dead");
    }
    std::size_t done() const { return done_; }

    json::object to_json() && {
        json::object body;
        body["messagesProcessed"] = done_;
        body["succeeded"] = done_ - failed_;
        body["failed"] = failed_;
        body["dlqRouted"] = dead_;
        body["errors"] = std::move(errors_);
        return body;
    }

private:
    void fail(const std::string& error, bool dead) {
        ++failed_;
        if (dead) ++dead_;
        if (errors_.size() < errors_max) errors_.emplace_back(error);
    }

    std::size_t done_ = 0;
    std::size_t failed_ = 0;
    std::size_t dead_ = 0;
    json::array errors_;
};

// Messages become runs before runs can be done: until all have been read that wait now.
asio::awaitable<void> read_messages(app::BatchUses& uses, store::Tenant tenant) {
    if (!co_await uses.organizations.has_workers()) co_return;
    const auto deadline = Steady::now() + reading_time_max;
    for (;;) {
        const auto messages = co_await uses.organizations.messages(tenant, {});
        const bool waits = std::ranges::any_of(messages, [](const auto& message) {
            return message.state == "waiting";
        });
        if (!waits || Steady::now() >= deadline) co_return;
        engine::Gate gate(uses.executor);
        co_await gate.wait(Steady::now() + 20ms);
    }
}

asio::awaitable<Summary> work_for(app::BatchUses& uses, store::Tenant tenant) {
    const auto begun = Steady::now();
    Summary summary;
    co_await read_messages(uses, tenant);
    for (const auto& run : co_await app::work_off(uses, tenant, batch_time_max, batch_time_max))
        summary.add(run);
    const auto took = std::chrono::duration_cast<Duration>(Steady::now() - begun);
    for (const auto& message : co_await uses.organizations.messages(tenant, took)) {
        summary.add(message);
    }
    co_return summary;
}

asio::awaitable<http::ServerResponse> executor_worker(app::BatchUses& uses, Call call) {
    call.object(true);
    const auto tenant = tenant_of(call);
    const Uuid organization = co_await uses.organizations.id_of(tenant);
    Summary summary;
    if (co_await uses.organizations.enter(tenant, place_time_max)) {
        summary = co_await work_for(uses, tenant);
        co_await uses.organizations.leave(tenant, summary.done());
    }
    json::object results;
    results[to_string(organization)] = std::move(summary).to_json();
    json::object body;
    body["success"] = true;
    body["correlationId"] = to_string(fresh_id());
    body["results"] = std::move(results);
    co_return json_response(200, body);
}

}  // namespace

void add_organization_routes(Router& router, app::BatchUses& uses) {
    router.add(
        {"POST",
         "/functions/v1/workflow-executor-worker",
         Scope::runs_write,
         bound(uses, executor_worker),
         refused}
    );
}

}  // namespace pawl::api
