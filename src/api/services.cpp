#include "api/services.hpp"

#include "api/http/problem.hpp"

namespace pawl::api {

Services::Services(
    asio::any_io_executor on, pg::Pool& pool, Starter::Trip start, engine::KeeperOptions keeping
)
    : executor(on),
      store(pool),
      credentials(pool, vault),
      outbox(pool, vault),
      tenants(pool),
      start_limits(tenants),
      admission(start_limits),
      dead_letters(pool),
      executions(pool),
      heads(pool),
      idempotency(pool),
      jobs(pool),
      limits(pool),
      organizations(pool),
      retries(pool),
      schedules(pool),
      tail(pool),
      inbox(pool),
      callbacks(pool),
      human_tasks(pool),
      versions(pool),
      tasks(on),
      keeper(on, std::move(keeping)),
      programs(on, store, heads, versions),
      starter(on, std::move(start)),
      run_watch(on, tail),
      feeds(on, tail, keeper),
      migrate_jobs(jobs, programs, versions),
      bulk_jobs(store, jobs, programs, starter, migrate_jobs),
      job_runner(on, jobs),
      publisher(on, store),
      matcher(
          on,
          store,
          inbox,
          start_limits,
          [this](std::vector<engine::StartRequest> requests) {
              return starter.start_all(std::move(requests));
          },
          [this](store::WorkflowId workflow, std::int32_t version) {
              return find_program(workflow, version);
          }
      ) {
    job_runner.next_bulk_part = [this](store::Job job, Duration lease) {
        return bulk_jobs.next_part(std::move(job), lease);
    };
    job_runner.on_ready = [this] { wake_workers(); };
    publisher.on_published = [this] { matcher.look(); };
    matcher.on_delivered = [this] { wake_workers(); };
}

void Services::start() {
    keeper.keep("run_watch", [this] { return run_watch.run(); });
    keeper.keep("jobs", [this] { return job_runner.run(); });
    keeper.keep("matcher", [this] { return matcher.run(); });
}

// A version that cannot be read here is for others to start.
asio::awaitable<engine::ProgramPtr> Services::find_program(
    store::WorkflowId workflow, std::int32_t version
) {
    engine::ProgramPtr program;
    try {
        program = co_await programs.version(workflow, version);
    } catch (const Refused&) {
        program = nullptr;
    }
    co_return program;
}

asio::awaitable<void> Services::stop() {
    keeper.cancel();
    tasks.cancel();
    co_await keeper.join();
    co_await tasks.join();
    co_await programs.stop();
    co_await starter.stop();
    co_await publisher.stop();
}

}  // namespace pawl::api
