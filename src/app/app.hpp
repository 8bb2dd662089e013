#pragma once

#include "app/audiences/audiences.hpp"
#include "app/credentials/credential_uses.hpp"
#include "app/dead_letters/replay.hpp"
#include "app/doctor/doctor_uses.hpp"
#include "app/events/event_uses.hpp"
#include "app/jobs/bulk_jobs.hpp"
#include "app/jobs/job_uses.hpp"
#include "app/limits/limit_uses.hpp"
#include "app/messages/account_uses.hpp"
#include "app/messages/address_sealer.hpp"
#include "app/messages/consent_uses.hpp"
#include "app/messages/credential_sealer.hpp"
#include "app/messages/hook_desk.hpp"
#include "app/messages/message_uses.hpp"
#include "app/messages/person_uses.hpp"
#include "app/messages/settler.hpp"
#include "app/messages/template_uses.hpp"
#include "app/numbers/funnel.hpp"
#include "app/numbers/simulate.hpp"
#include "app/repositories.hpp"
#include "app/runs/run_uses.hpp"
#include "app/runs/work_off.hpp"
#include "app/schedules/schedule_uses.hpp"
#include "app/tasks/task_actions.hpp"
#include "app/versions/version_uses.hpp"
#include "app/webhooks/webhook_uses.hpp"
#include "engine/services/keeper.hpp"
#include "engine/services/matcher.hpp"

namespace pawl::app {

// What can be done with Pawl, put together: the repositories, what works in the background of the
// process, and for each topic what its use cases need. Lives on one thread; the pool outlives it.
// Await stop() before the executor ends.
class App {
    // Before all that use them.
    asio::any_io_executor executor_;
    Wake wake_ = [] {};
    CheckPrograms check_programs_;
    Repositories repos_;
    engine::StartLimits start_limits_;
    Admission admission_;
    engine::Keeper keeper_;
    Programs programs_;
    Starter starter_;
    MigrateJobs migrate_jobs_;
    BulkJobs bulk_jobs_;
    JobRunner job_runner_;
    Audiences audiences_;
    JobRunner audience_runner_;
    Publisher publisher_;
    engine::Matcher matcher_;
    HookDesk hooks_;
    MessageSettler settler_;
    CredentialSealer sealer_;
    AddressSealer address_sealer_;

public:
    App(asio::any_io_executor executor,
        pg::Pool& pool,
        Starter::Trip start,
        engine::KeeperOptions keeping);

    // The work in the background: jobs, events that start runs, messages that are settled.
    void start();
    asio::awaitable<void> stop();

    // Set by the process around it, before start().
    void wake_workers_by(Wake wake) { wake_ = std::move(wake); }
    void check_programs_by(CheckPrograms check) { check_programs_ = std::move(check); }
    void read_audiences_by(steps::SqlSettings settings);
    void encrypt_with(Vault vault) { repos_.vault = std::move(vault); }

    const asio::any_io_executor& executor() const { return executor_; }
    Repositories& repos() { return repos_; }
    engine::Keeper& keeper() { return keeper_; }
    // There may be a job.
    void look_for_jobs() {
        job_runner_.look();
        audience_runner_.look();
    }
    Publisher& publisher() { return publisher_; }
    engine::Matcher& matcher() { return matcher_; }
    HookDesk& hooks() { return hooks_; }
    const Wake& wake_workers() const { return wake_; }

    RunUses runs;
    TaskUses tasks;
    VersionUses versions;
    ScheduleUses schedules;
    WebhookUses webhooks;
    LimitUses limits;
    DeadLetterUses dead_letters;
    EventUses events;
    CredentialUses credentials;
    JobUses jobs;
    BatchUses batches;
    ConnectorUses connectors;
    TemplateUses templates;
    MessageUses messages;
    PersonUses people;
    ConsentUses consent;
    FunnelUses funnels;
    SimulateUses simulations;
    DoctorUses doctor;

private:
    void take_notice_of_facts();
    asio::awaitable<engine::ProgramPtr> find_program(
        store::WorkflowId workflow, std::int32_t version
    );
};

}  // namespace pawl::app
