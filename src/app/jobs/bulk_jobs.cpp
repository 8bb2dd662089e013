#include "app/jobs/bulk_jobs.hpp"

#include "app/runs/start_params.hpp"
#include "base/json.hpp"
#include "model/events/signal_data.hpp"
#include "plan/planner.hpp"
#include "plan/settle.hpp"
#include "plan/skip.hpp"
#include "store/pg/run_filter_params.hpp"
#include "store/repos/bulk.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::app {

namespace {

constexpr std::int64_t part_size = 500;
constexpr std::int64_t migrate_part_size = 200;

// One start for each run of a job, however often that part of the job is done.
std::string rerun_key(const store::Job& job, RunId run) {
    return fmt::format("bulk:{}:{}", to_string(job.id), to_string(run));
}

std::int64_t left_of(const store::Job& job) {
    const auto limit = whole_number(find(job.request, "limit"));
    return limit.value_or(store::bulk_limit_max) - job.done - job.failed;
}

}  // namespace

asio::awaitable<std::optional<store::Job>> BulkJobs::next_part(store::Job job, Duration lease) {
    const std::int64_t left = left_of(job);
    store::RunFilter filter = store::run_filter_of(job.filter);
    filter.before = job.cursor;
    const std::string_view action = text_in(job.request, "action");
    const std::int64_t most = action == "migrate" ? migrate_part_size : part_size;
    filter.limit = static_cast<int>(std::clamp<std::int64_t>(left, 1, most));
    auto page = co_await store_.list_runs(job.tenant, filter);
    store::BulkPart part;
    part.next = page.next;
    if (left <= 0) page.runs.clear();
    if (action == "migrate") {
        part = co_await migrations_.judge(job, std::move(part), std::move(page.runs));
        page.runs.clear();
        co_await end_runs(job, part.exits);
    }
    for (const auto& run : page.runs) part.runs.push_back(run.id);
    if (action == "retry") part = co_await leave_out_retried(job, std::move(part));
    if (action == "skip") part = co_await check_skips(job, std::move(part));
    if (action == "rerun") part = co_await rerun(job, std::move(part));
    if (action == "settle") part = co_await settle(job, std::move(part));
    const auto looked_at =
        static_cast<std::int64_t>(part.runs.size() + part.problems.size() + part.exits.size());
    if (looked_at >= left) part.next = std::nullopt;
    if (action == "migrate" && !part.next) co_await migrations_.finish(job);
    co_return co_await jobs_.bulk_batch(std::move(job), std::move(part), lease);
}

// Before the part is noted as done: a server that dies between tells them once more.
asio::awaitable<void> BulkJobs::end_runs(store::Job job, std::vector<RunId> runs) {
    const store::RunMigration migration = store::migration_of(job.request);
    if (migration.dry_run || runs.empty()) co_return;
    store::BulkAction cancel;
    cancel.action = name(SignalKind::cancel);
    cancel.reason = fmt::format("its step is not in version {}", migration.to);
    const json::object request = store::to_request(cancel);
    const json::value* data = find(request.at("signal"), "data");
    std::vector<store::NewSignal> signals;
    for (const RunId& run : runs) signals.push_back({run, cancel.action, *data});
    co_await store_.send_signals(job.tenant.bucket, std::move(signals));
}

asio::awaitable<store::BulkPart> BulkJobs::leave_out_retried(store::Job job, store::BulkPart part) {
    const auto retried = co_await jobs_.retried(job.tenant, part.runs);
    std::erase_if(part.runs, [&](const RunId& run) {
        return std::find(retried.begin(), retried.end(), run) != retried.end();
    });
    co_return part;
}

asio::awaitable<store::BulkPart> BulkJobs::check_skips(store::Job job, store::BulkPart part) {
    const json::value* signal = find(job.request, "signal");
    const json::value* data = signal == nullptr ? nullptr : find(*signal, "data");
    std::string node;
    if (data != nullptr) node = events::read<events::SkipSignal>(*data).node;
    std::vector<RunId> fine;
    for (const RunId& run : part.runs) {
        std::string problem = co_await skip_problem(job.tenant, run, node);
        if (problem.empty()) {
            fine.push_back(run);
        } else {
            part.problems.push_back({run, std::move(problem)});
        }
    }
    part.runs = std::move(fine);
    co_return part;
}

asio::awaitable<std::string> BulkJobs::skip_problem(
    store::Tenant tenant, RunId run, std::string node
) {
    const auto folded = co_await fold(tenant, run);
    if (!folded) co_return folded.error().message;
    co_return plan::check_skip(folded->program->definition, folded->state, node).sentence;
}

asio::awaitable<Result<FoldedLog>> BulkJobs::fold(store::Tenant tenant, RunId run) {
    try {
        const auto details = co_await store_.find_run(tenant, run);
        if (!details) co_return Error{Errc::not_found, "the run is not there any more", {}};
        const auto log = co_await store_.load_log(tenant.bucket, run);
        co_return co_await programs_.fold(details->workflow_id, log);
    } catch (const Failure& failure) {
        // A log that cannot be read, say: the others of the job are done.
        if (info(failure.error().code).retryable) throw;
        co_return failure.error();
    }
}

// Before the part is noted as done: a server that dies between finds them settled, and leaves them
// out, but for a step that was to be tried again and whose outcome is unknown again by then.
asio::awaitable<store::BulkPart> BulkJobs::settle(store::Job job, store::BulkPart part) {
    plan::SettleRequest request;
    request.node = text_in(job.request, "node");
    request.as = plan::parse_settled(text_in(job.request, "as")).value_or(plan::Settled::completed);
    request.reason = text_in(job.request, "reason");
    request.by = text_in(job.request, "by");
    if (const json::value* data = find(job.request, "data")) request.data = *data;
    std::vector<RunId> settled;
    std::vector<store::NewSignal> signals;
    for (const RunId& run : part.runs) {
        const auto folded = co_await fold(job.tenant, run);
        if (!folded) {
            part.problems.push_back({run, folded.error().message});
            continue;
        }
        request.run = to_string(run);
        auto found = plan::settle(folded->program->definition, folded->state, request);
        if (!found.sentence.empty()) continue;
        if (found.message && request.as != plan::Settled::retry) {
            const bool sent = request.as == plan::Settled::completed;
            co_await messages_.settle(job.tenant, *found.message, sent, request.reason);
        }
        settled.push_back(run);
        signals.push_back({run, std::string(name(SignalKind::callback)), std::move(found.signal)});
    }
    if (!signals.empty()) {
        co_await store_.send_signals(job.tenant.bucket, std::move(signals));
    }
    part.runs = std::move(settled);
    co_return part;
}

asio::awaitable<store::BulkPart> BulkJobs::rerun(store::Job job, store::BulkPart part) {
    std::vector<RunId> old;
    std::vector<engine::StartRequest> requests;
    for (const RunId& run : part.runs) {
        Result<engine::StartRequest> request = Error{};
        try {
            request = co_await rerun_request(job, run);
        } catch (const Failure& failure) {
            if (info(failure.error().code).retryable) throw;
            request = failure.error();
        }
        if (!request) {
            part.problems.push_back({run, request.error().message});
            continue;
        }
        old.push_back(run);
        requests.push_back(std::move(*request));
    }
    part.runs.clear();
    if (requests.empty()) co_return part;
    const auto started = co_await starter_.start_all(std::move(requests));
    for (std::size_t i = 0; i < started.size(); ++i) {
        if (started[i].kept_out) {
            part.problems.push_back({old[i], "its person does not meet enter_if"});
            continue;
        }
        const bool ours = started[i].created || co_await is_ours(job, old[i], started[i].run);
        if (ours) {
            part.runs.push_back(old[i]);
        } else {
            part.problems.push_back(
                {old[i],
                 "its subject may not enter the workflow again: see the run " +
                     to_string(started[i].run)}
            );
        }
    }
    co_return part;
}

// A start that found another run: this job's own, from a time when the server died.
asio::awaitable<bool> BulkJobs::is_ours(store::Job job, RunId old, RunId found) {
    const auto run = co_await store_.find_run(job.tenant, found);
    co_return run && run->correlation_id == rerun_key(job, old);
}

asio::awaitable<Result<engine::StartRequest>> BulkJobs::rerun_request(store::Job job, RunId run) {
    const auto old = co_await store_.find_run(job.tenant, run);
    if (!old) co_return Error{Errc::not_found, "the run is not there any more", {}};
    const auto program =
        co_await programs_.active(job.tenant.id, old->workflow, {old->subject, ""});
    if (!program) co_return program.error();
    if (auto missing = check_input(**program, old->input)) co_return std::move(*missing);
    StartParams start;
    start.workflow = old->workflow;
    start.data = old->input;
    start.subject = old->subject;
    start.priority = old->priority;
    start.correlation_id = rerun_key(job, run);
    engine::StartRequest request = to_request(*program, std::move(start));
    request.parent = to_string(run);
    co_return request;
}

}  // namespace pawl::app
