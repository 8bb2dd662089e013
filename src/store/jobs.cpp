#include "store/jobs.hpp"

#include "store/call.hpp"
#include "store/queries.gen.hpp"

#include <boost/json/object.hpp>

namespace pawl::store {

namespace {

std::optional<Job> job_of(const pg::Rows& rows) {
    if (rows.size() == 0) return std::nullopt;
    Job job;
    job.id = rows.uuid(0, 0);
    job.tenant = {rows.int4(0, 1), rows.int2(0, 2)};
    job.kind = rows.text(0, 3);
    job.filter = rows.jsonb(0, 4);
    job.status = rows.text(0, 5);
    job.total = rows.int8(0, 6);
    job.done = rows.int8(0, 7);
    job.failed = rows.int8(0, 8);
    job.error = rows.text(0, 9);
    job.created_at = rows.instant(0, 10);
    job.updated_at = rows.instant(0, 11);
    return job;
}

}  // namespace

asio::awaitable<Job> Jobs::create_replay(Uuid id, std::int32_t tenant, DeadLetterFilter filter) {
    std::vector<pg::Statement> statements(2);
    statements[0].query = &queries::create_replay;
    statements[0].params.add(id).add(tenant).add_json(to_json(filter));
    statements[1].query = &queries::find_job;
    statements[1].params.add(id).add(tenant);
    auto connection = co_await pool_.acquire();
    const auto results = co_await connection->run_all(std::move(statements), call_limit);
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

asio::awaitable<std::optional<Job>> Jobs::find(std::int32_t tenant, Uuid id) {
    pg::Params params;
    params.add(id).add(tenant);
    const auto rows = co_await call(pool_, queries::find_job, std::move(params));
    co_return job_of(rows);
}

asio::awaitable<std::optional<Job>> Jobs::claim(Duration lease) {
    pg::Params params;
    params.add(lease);
    const auto rows = co_await call(pool_, queries::claim_job, std::move(params));
    co_return job_of(rows);
}

asio::awaitable<std::optional<Job>> Jobs::replay_batch(Job job, int limit, Duration lease) {
    std::vector<pg::Statement> statements(2);
    statements[0].query = &queries::replay_batch;
    statements[0].params.add(job.id).add(std::int32_t{limit}).add(lease);
    statements[1] = wake_workers(job.tenant.bucket);
    auto connection = co_await pool_.acquire();
    const auto results = co_await connection->run_all(std::move(statements), call_limit);
    co_return job_of(results[0]);
}

asio::awaitable<void> Jobs::fail(Uuid id, std::string error) {
    pg::Params params;
    params.add(id).add(std::string_view(error));
    co_await call(pool_, queries::fail_job, std::move(params));
}

}  // namespace pawl::store
