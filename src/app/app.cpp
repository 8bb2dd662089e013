#include "app/app.hpp"

namespace pawl::app {

App::App(
    asio::any_io_executor executor,
    pg::Pool& pool,
    Starter::Trip start,
    engine::KeeperOptions keeping
)
    : executor_(executor),
      repos_(pool),
      start_limits_(repos_.tenants),
      admission_(start_limits_),
      keeper_(executor, std::move(keeping)),
      programs_(executor, repos_.store, repos_.heads, repos_.versions),
      starter_(executor, std::move(start)),
      migrate_jobs_(repos_.jobs, programs_, repos_.versions),
      bulk_jobs_(repos_.store, repos_.jobs, programs_, starter_, migrate_jobs_, repos_.message_log),
      job_runner_(executor, repos_.jobs),
      audiences_(executor, repos_.jobs),
      audience_runner_(executor, repos_.jobs, JobRunner::Kind::audiences),
      publisher_(executor, repos_.store),
      matcher_(
          executor,
          repos_.store,
          repos_.inbox,
          start_limits_,
          [this](std::vector<engine::StartRequest> requests) {
              return starter_.start_all(std::move(requests));
          },
          [this](store::WorkflowId workflow, std::int32_t version) {
              return find_program(workflow, version);
          }
      ),
      hooks_(executor, repos_.accounts, repos_.messages),
      settler_(executor, repos_.message_log, runs),
      sealer_(executor, repos_.credential_inbox, connectors),
      address_sealer_(executor, repos_.hidden),
      runs{
          repos_.store,
          repos_.retries,
          repos_.idempotency,
          repos_.limits,
          repos_.tail,
          repos_.jobs,
          programs_,
          admission_,
          starter_,
          job_runner_,
          wake_,
          repos_.message_log,
          repos_.keys},
      tasks{repos_.human_tasks, wake_},
      versions{
          repos_.store,
          repos_.versions,
          repos_.jobs,
          programs_,
          job_runner_,
          check_programs_,
          repos_.drafts,
          audiences_,
          repos_.messages,
          repos_.actions},
      schedules{
          repos_.schedules,
          repos_.store,
          repos_.jobs,
          programs_,
          admission_,
          starter_,
          audiences_,
          audience_runner_},
      webhooks{repos_.outbox, repos_.store, repos_.vault, wake_},
      limits{repos_.limits, repos_.store, wake_},
      dead_letters{repos_.dead_letters, repos_.retries, repos_.jobs, job_runner_, wake_},
      events{publisher_, repos_.inbox},
      credentials{repos_.credentials, repos_.outbox, repos_.accounts, repos_.hidden, repos_.vault},
      jobs{repos_.jobs, audience_runner_},
      batches{executor, repos_.organizations, wake_},
      connectors{
          repos_.accounts,
          repos_.connectors,
          repos_.messages,
          repos_.vault,
          [this] { hooks_.forget(); }},
      templates{repos_.templates, repos_.persons, repos_.messages, repos_.accounts, repos_.hidden},
      messages{repos_.message_log, repos_.templates, repos_.persons, runs},
      people{repos_.persons, repos_.consent, repos_.message_log, repos_.store},
      consent{repos_.consent, repos_.messages, repos_.hidden, [this] { take_notice_of_facts(); }},
      funnels{repos_.funnels, versions},
      simulations{repos_.funnels, repos_.persons, versions, executor_},
      doctor{pool, repos_.store} {
    job_runner_.next_bulk_part = [this](store::Job job, Duration lease) {
        return bulk_jobs_.next_part(std::move(job), lease);
    };
    job_runner_.on_ready = [this] { wake_(); };
    audience_runner_.next_bulk_part = [this](store::Job job, Duration lease) {
        return audiences_.next_part(std::move(job), lease);
    };
    audience_runner_.on_ready = [this] { wake_(); };
    publisher_.on_published = [this] { matcher_.look(); };
    matcher_.on_delivered = [this] { wake_(); };
    hooks_.on_taken = [this] { take_notice_of_facts(); };
}

void App::start() {
    keeper_.keep("jobs", [this] { return job_runner_.run(); });
    keeper_.keep("audiences", [this] { return audience_runner_.run(); });
    keeper_.keep("matcher", [this] { return matcher_.run(); });
    keeper_.keep("settler", [this] { return settler_.run(); });
    keeper_.keep("sealer", [this] { return sealer_.run(); });
    keeper_.keep("address_sealer", [this] { return address_sealer_.run(); });
}

void App::read_audiences_by(steps::SqlSettings settings) {
    settings.tenant_name = [this](store::TenantId tenant) { return repos_.tenants.name(tenant); };
    audiences_.connect_by(std::move(settings));
}

asio::awaitable<void> App::stop() {
    keeper_.cancel();
    co_await keeper_.join();
    co_await programs_.stop();
    co_await starter_.stop();
    co_await publisher_.stop();
    co_await hooks_.stop();
}

// They may be events that runs wait for, and settle steps.
void App::take_notice_of_facts() {
    publisher_.on_published();
    settler_.look();
}

// Null: a version that cannot be read here is for other processes to start.
asio::awaitable<engine::ProgramPtr> App::find_program(
    store::WorkflowId workflow, std::int32_t version
) {
    auto program = co_await programs_.version(workflow, version);
    co_return program ? std::move(*program) : engine::ProgramPtr();
}

}  // namespace pawl::app
