#pragma once

#include "api/http/router.hpp"

namespace pawl::app {
class App;
struct BatchUses;
struct ConsentUses;
struct CredentialUses;
struct DeadLetterUses;
struct EventUses;
struct FunnelUses;
struct JobUses;
struct LimitUses;
struct MessageUses;
struct PersonUses;
struct RunUses;
struct ScheduleUses;
struct SimulateUses;
struct TaskUses;
struct TemplateUses;
struct VersionUses;
struct WebhookUses;
}  // namespace pawl::app

namespace pawl::api {

struct Services;

// The groups of routes; each group is one file, and takes what its handlers use. That outlives the
// router.
void add_service_routes(Router& router, Services& services);
void add_session_routes(Router& router, Services& services);
void add_oidc_routes(Router& router, Services& services);
void add_access_routes(Router& router, Services& services);
void add_tenant_routes(Router& router, Services& services);
void add_operate_routes(Router& router, Services& services);
void add_workflow_routes(Router& router, app::VersionUses& uses);
void add_draft_routes(Router& router, app::VersionUses& uses);
void add_workflow_tests_routes(Router& router, app::VersionUses& uses);
void add_workflow_people_routes(Router& router, Services& services);
void add_delete_workflow_routes(Router& router, app::VersionUses& uses);
void add_version_routes(Router& router, app::VersionUses& uses);
void add_migrate_routes(Router& router, app::VersionUses& uses);
void add_start_routes(Router& router, Services& services);
void add_run_routes(Router& router, app::RunUses& uses);
void add_run_figures_routes(Router& router, Services& services);
void add_rerun_routes(Router& router, app::RunUses& uses);
void add_signal_routes(Router& router, app::RunUses& uses);
void add_bulk_routes(Router& router, app::RunUses& uses);
void add_stream_routes(Router& router, Services& services);
void add_dead_letter_routes(Router& router, app::DeadLetterUses& uses);
void add_job_routes(Router& router, app::JobUses& uses);
void add_schedule_routes(Router& router, app::ScheduleUses& uses);
void add_limit_routes(Router& router, app::LimitUses& uses);
void add_event_routes(Router& router, app::EventUses& uses);
void add_task_routes(Router& router, app::TaskUses& uses);
void add_task_link_routes(Router& router, Services& services);
void add_credential_routes(Router& router, app::CredentialUses& uses);
void add_webhook_routes(Router& router, app::WebhookUses& uses);
void add_delivery_routes(Router& router, app::WebhookUses& uses);
void add_callback_routes(Router& router, Services& services);
void add_connector_routes(Router& router, Services& services);
void add_hook_routes(Router& router, Services& services);
void add_message_routes(Router& router, app::MessageUses& uses);
void add_template_routes(Router& router, app::TemplateUses& uses);
void add_people_routes(Router& router, app::PersonUses& uses);
void add_number_routes(Router& router, app::FunnelUses& uses);
void add_simulate_routes(Router& router, app::SimulateUses& uses);
void add_consent_routes(Router& router, app::ConsentUses& uses);
void add_unsubscribe_routes(Router& router, Services& services);
void add_preference_routes(Router& router, Services& services);
void add_link_routes(Router& router, Services& services);
// Documents 000, 002, 003 and 004 (src/api/adapters).
void add_function_routes(Router& router, app::App& app);
void add_workflow_run_routes(Router& router, app::App& app);
void add_approve_routes(Router& router, app::App& app);
void add_journey_routes(Router& router, Services& services);
void add_organization_routes(Router& router, app::BatchUses& uses);

// All of the above.
Router all_routes(Services& services);

// A handler that is a coroutine function over what it uses.
template <class Uses, class Function>
CallHandler bound(Uses& uses, Function function) {
    return [&uses, function](Call call) { return function(uses, std::move(call)); };
}

}  // namespace pawl::api
