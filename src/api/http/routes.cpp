#include "api/http/routes.hpp"

#include "api/services.hpp"

namespace pawl::api {

Router all_routes(Services& services) {
    app::App& app = services.app;
    Router router;
    add_service_routes(router, services);
    add_session_routes(router, services);
    add_oidc_routes(router, services);
    add_access_routes(router, services);
    add_tenant_routes(router, services);
    add_operate_routes(router, services);
    add_workflow_routes(router, app.versions);
    add_draft_routes(router, app.versions);
    add_workflow_tests_routes(router, app.versions);
    add_workflow_people_routes(router, services);
    add_delete_workflow_routes(router, app.versions);
    add_version_routes(router, app.versions);
    add_migrate_routes(router, app.versions);
    add_start_routes(router, services);
    add_run_routes(router, app.runs);
    add_run_figures_routes(router, services);
    add_rerun_routes(router, app.runs);
    add_stream_routes(router, services);
    add_dead_letter_routes(router, app.dead_letters);
    add_job_routes(router, app.jobs);
    add_schedule_routes(router, app.schedules);
    add_limit_routes(router, app.limits);
    add_event_routes(router, app.events);
    add_signal_routes(router, app.runs);
    add_bulk_routes(router, app.runs);
    add_task_routes(router, app.tasks);
    add_task_link_routes(router, services);
    add_callback_routes(router, services);
    add_credential_routes(router, app.credentials);
    add_webhook_routes(router, app.webhooks);
    add_connector_routes(router, services);
    add_hook_routes(router, services);
    add_message_routes(router, app.messages);
    add_template_routes(router, app.templates);
    add_people_routes(router, app.people);
    add_number_routes(router, app.funnels);
    add_simulate_routes(router, app.simulations);
    add_consent_routes(router, app.consent);
    add_unsubscribe_routes(router, services);
    add_preference_routes(router, services);
    add_link_routes(router, services);
    add_function_routes(router, app);
    add_workflow_run_routes(router, app);
    add_approve_routes(router, app);
    add_journey_routes(router, services);
    add_organization_routes(router, app.batches);
    return router;
}

}  // namespace pawl::api
