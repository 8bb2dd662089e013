#include "store/repos/jobs.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/pg_batches.hpp"
#include "store/pg/run_filter_params.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <boost/json/object.hpp>

namespace pawl::store {

namespace {

Job job_at(const pg::Rows& rows, int row) {
    Job job;
    pg::RowReader(rows, row) >> job.id >> job.tenant.id >> job.tenant.bucket >> job.kind >>
        job.filter >> job.status >> job.total >> job.done >> job.failed >> job.error >>
        job.created_at >> job.updated_at >> job.request >> job.examples >> job.cursor >>
        job.counts >> job.schedule >> job.slot;
    return job;
}

std::optional<Job> job_of(const pg::Rows& rows) {
    if (rows.size() == 0) return std::nullopt;
    return job_at(rows, 0);
}

pg::Params of_runs(Tenant tenant, const std::vector<RunId>& runs) {
    pg::Array ids(pg::Type::uuid);
    for (const RunId& run : runs) ids.add(run.uuid);
    pg::Params params;
    params.add(tenant.bucket).add(std::move(ids));
    return params;
}

}  // namespace

asio::awaitable<Job> Jobs::created(Uuid id, std::int32_t tenant, pg::Statement create) {
    std::vector<pg::Statement> statements(2);
    statements[0] = std::move(create);
    statements[1].query = &queries::find_job;
    statements[1].params.add(id).add(tenant);
    const auto results = co_await call_all_as(pool_, tenant, std::move(statements));
    co_await confirm_found(pool_);  // an earlier call with the same id may have made it
    auto job = job_of(results[1]);
    if (!job) {
        throw Failure(
            {Errc::conflict,
             "there is a job of that id already; use another",
             {{"job", to_string(id)}}}
        );
    }
    co_return std::move(*job);
}

asio::awaitable<Job> Jobs::create_replay(
    Uuid id, std::int32_t tenant, DeadLetterFilter filter, ReplayFix fix
) {
    pg::Statement create;
    create.query = &queries::create_replay;
    create.params.add(id).add(tenant).add_json(to_json(filter, fix));
    return created(id, tenant, std::move(create));
}

asio::awaitable<Job> Jobs::create_bulk(
    Uuid id, std::int32_t tenant, RunFilter filter, json::object request, std::int64_t total
) {
    pg::Statement create;
    create.query = &queries::create_bulk;
    create.params.add(id).add(tenant).add_json(to_json(filter)).add_json(request).add(total);
    return created(id, tenant, std::move(create));
}

asio::awaitable<std::optional<Job>> Jobs::find(std::int32_t tenant, Uuid id) {
    const auto rows = co_await call_as(pool_, tenant, queries::find_job, params_of(id, tenant));
    co_return job_of(rows);
}

asio::awaitable<std::vector<Job>> Jobs::list(std::int32_t tenant, JobFilter filter) {
    pg::Params params;
    std::optional<std::string_view> status;
    if (!filter.status.empty()) status = filter.status;
    params.add(tenant).add(status).add(filter.at).add(filter.id).add(std::int32_t{filter.limit});
    const auto rows = co_await call_as(pool_, tenant, queries::list_jobs, std::move(params));
    co_return pg::all_rows(rows, job_at);
}

asio::awaitable<std::optional<Job>> Jobs::cancel(std::int32_t tenant, Uuid id, std::string by) {
    std::vector<pg::Statement> statements(2);
    statements[0].query = &queries::cancel_job;
    statements[0].params.add(id).add(tenant).add(std::string_view("cancelled by " + by));
    statements[1].query = &queries::find_job;
    statements[1].params.add(id).add(tenant);
    const auto results = co_await call_all_as(pool_, tenant, std::move(statements));
    if (results[0].affected() == 0) co_await confirm_found(pool_);  // it is over
    co_return job_of(results[1]);
}

asio::awaitable<std::optional<Job>> Jobs::change(
    std::int32_t tenant, Uuid id, const pg::Query& query
) {
    std::vector<pg::Statement> statements(2);
    statements[0].query = &query;
    statements[0].params.add(id).add(tenant);
    statements[1].query = &queries::find_job;
    statements[1].params.add(id).add(tenant);
    const auto results = co_await call_all_as(pool_, tenant, std::move(statements));
    co_return job_of(results[1]);
}

asio::awaitable<std::optional<Job>> Jobs::pause(std::int32_t tenant, Uuid id) {
    return change(tenant, id, queries::pause_job);
}

asio::awaitable<std::optional<Job>> Jobs::resume(std::int32_t tenant, Uuid id) {
    return change(tenant, id, queries::resume_job);
}

asio::awaitable<std::optional<Job>> Jobs::begin_audience(Uuid id, Duration lease) {
    co_return job_of(co_await call(pool_, queries::begin_audience, params_of(id, lease)));
}

asio::awaitable<std::optional<Job>> Jobs::add_audience(Uuid id, AudienceRows rows, Duration lease) {
    pg::Array subjects(pg::Type::text), data(pg::Type::jsonb);
    for (const auto& subject : rows.subjects) {
        add_some(subjects, subject);
    }
    for (json::object& one : rows.data) data.add_json(json::value(std::move(one)));
    co_return job_of(co_await call(
        pool_, queries::add_audience, params_of(id, std::move(subjects), std::move(data), lease)
    ));
}

asio::awaitable<std::optional<Job>> Jobs::end_audience(Uuid id) {
    co_return job_of(co_await call(pool_, queries::end_audience, params_of(id)));
}

asio::awaitable<std::optional<Job>> Jobs::enter_audience(Job job, int limit, Duration lease) {
    co_return job_of(co_await call_and_wake(
        pool_, job.tenant.bucket, queries::enter_audience, params_of(job.id, limit, lease)
    ));
}

asio::awaitable<void> Jobs::prolong(Uuid id, Duration lease) {
    co_await call(pool_, queries::prolong_job, params_of(id, lease));
}

asio::awaitable<std::int64_t> Jobs::purge_audiences(int limit) {
    const auto rows = co_await call(pool_, queries::purge_audiences, params_of(limit));
    co_return rows.int8(0, 0);
}

asio::awaitable<std::optional<Job>> Jobs::open_audience(
    std::int32_t tenant, std::int32_t schedule
) {
    const auto rows =
        co_await call_as(pool_, tenant, queries::open_audience, params_of(tenant, schedule));
    if (rows.size() == 0) co_return std::nullopt;
    co_return co_await find(tenant, rows.uuid(0, 0));
}

asio::awaitable<std::optional<Job>> Jobs::claim(
    Duration lease, std::int32_t after, bool audiences
) {
    const auto rows = co_await call(pool_, queries::claim_job, params_of(lease, after, audiences));
    co_return job_of(rows);
}

asio::awaitable<std::optional<Job>> Jobs::replay_batch(Job job, int limit, Duration lease) {
    co_return job_of(co_await call_and_wake(
        pool_, job.tenant.bucket, queries::replay_batch, params_of(job.id, limit, lease)
    ));
}

asio::awaitable<RunCount> Jobs::count_runs(
    Tenant tenant, RunFilter filter, bool unretried, int sample, int scan_max
) {
    pg::Params params = filter_params(tenant, filter);
    params.add(std::int32_t{sample}).add(std::int32_t{scan_max}).add(unretried);
    add_search(params, filter);
    const auto rows = co_await call_as(pool_, tenant.id, queries::count_runs, std::move(params));
    RunCount count;
    for (int row = 0; row < rows.size(); ++row) {
        count.total = rows.int8(row, 0);
        count.complete = rows.boolean(row, 1);
        if (!rows.is_null(row, 2)) count.sample.push_back(RunId{rows.uuid(row, 2)});
    }
    co_return count;
}

asio::awaitable<std::vector<StatusCount>> Jobs::count_by_status(
    Tenant tenant, RunFilter filter, int most
) {
    pg::Params params = filter_params(tenant, filter);
    params.add(std::int32_t{most});
    add_search(params, filter);
    const auto rows =
        co_await call_as(pool_, tenant.id, queries::count_runs_by_status, std::move(params));
    std::vector<StatusCount> counts;
    for (int row = 0; row < rows.size(); ++row) {
        counts.push_back({rows.text(row, 0), rows.int8(row, 1), rows.boolean(row, 2)});
    }
    co_return counts;
}

asio::awaitable<std::vector<RunId>> Jobs::retried(Tenant tenant, std::vector<RunId> runs) {
    const auto rows = co_await call(pool_, queries::retried_runs, of_runs(tenant, runs));
    std::vector<RunId> found;
    for (int row = 0; row < rows.size(); ++row) found.push_back(RunId{rows.uuid(row, 0)});
    co_return found;
}

asio::awaitable<std::optional<Job>> Jobs::bulk_batch(Job job, BulkPart part, Duration lease) {
    pg::Array runs(pg::Type::uuid), failed(pg::Type::uuid), problems(pg::Type::text),
        nodes(pg::Type::text);
    for (const RunId& run : part.runs) runs.add(run.uuid);
    for (const RunProblem& one : part.problems) {
        failed.add(one.run.uuid);
        problems.add(std::string_view(one.problem));
        nodes.add_or_null(one.node);
    }
    std::optional<Uuid> from, next;
    if (job.cursor) from = job.cursor->uuid;
    if (part.next) next = part.next->uuid;
    pg::Params params;
    params.add(job.id).add(lease).add(from).add(next);
    params.add(std::move(runs)).add(std::move(failed)).add(std::move(problems));
    params.add(std::move(nodes)).add_json(part.counts);
    co_return job_of(
        co_await call_and_wake(pool_, job.tenant.bucket, queries::bulk_batch, std::move(params))
    );
}

asio::awaitable<std::vector<LogRow>> Jobs::load_logs(Tenant tenant, std::vector<RunId> runs) {
    co_return log_rows(co_await call(pool_, queries::load_logs, of_runs(tenant, runs)));
}

asio::awaitable<void> Jobs::let_go(Uuid id) {
    co_await call(pool_, queries::let_job_go, params_of(id));
}

asio::awaitable<void> Jobs::fail(Uuid id, std::string error) {
    co_await call(pool_, queries::fail_job, params_of(id, error));
}

}  // namespace pawl::store
