#include "api/services.hpp"

namespace pawl::api {

Services::Services(asio::any_io_executor on, pg::Pool& pool, Starter::Trip start)
    : executor(on),
      store(pool),
      dead_letters(pool),
      executions(pool),
      heads(pool),
      idempotency(pool),
      jobs(pool),
      retries(pool),
      schedules(pool),
      tail(pool),
      tasks(on),
      programs(on, store, heads),
      starter(on, std::move(start)),
      run_watch(on, tail),
      feeds(on, tail, tasks),
      job_runner(on, jobs) {
    job_runner.on_ready = [this] { wake_workers(); };
}

void Services::start() {
    tasks.spawn(run_watch.run());
    tasks.spawn(job_runner.run());
}

asio::awaitable<void> Services::stop() {
    tasks.cancel();
    co_await tasks.join();
    co_await programs.stop();
    co_await starter.stop();
}

}  // namespace pawl::api
