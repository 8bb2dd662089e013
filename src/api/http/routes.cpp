#include "api/http/routes.hpp"

namespace pawl::api {

Router all_routes(Services& services) {
    Router router;
    add_service_routes(router, services);
    add_workflow_routes(router, services);
    add_delete_workflow_routes(router, services);
    add_version_routes(router, services);
    add_migrate_routes(router, services);
    add_start_routes(router, services);
    add_run_routes(router, services);
    add_again_routes(router, services);
    add_stream_routes(router, services);
    add_dead_letter_routes(router, services);
    add_job_routes(router, services);
    add_schedule_routes(router, services);
    add_limit_routes(router, services);
    add_event_routes(router, services);
    add_signal_routes(router, services);
    add_bulk_routes(router, services);
    add_task_routes(router, services);
    add_task_link_routes(router, services);
    add_callback_routes(router, services);
    add_credential_routes(router, services);
    add_webhook_routes(router, services);
    add_function_routes(router, services);
    add_workflow_run_routes(router, services);
    add_approve_routes(router, services);
    add_organization_routes(router, services);
    return router;
}

}  // namespace pawl::api
