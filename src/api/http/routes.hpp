#pragma once

#include "api/http/router.hpp"
#include "api/services.hpp"

namespace pawl::api {

// The groups of routes; each group is one file. The services outlive the router.
void add_service_routes(Router& router, Services& services);
void add_workflow_routes(Router& router, Services& services);
void add_delete_workflow_routes(Router& router, Services& services);
void add_version_routes(Router& router, Services& services);
void add_migrate_routes(Router& router, Services& services);
void add_start_routes(Router& router, Services& services);
void add_run_routes(Router& router, Services& services);
void add_again_routes(Router& router, Services& services);
void add_stream_routes(Router& router, Services& services);
void add_dead_letter_routes(Router& router, Services& services);
void add_job_routes(Router& router, Services& services);
void add_schedule_routes(Router& router, Services& services);
void add_limit_routes(Router& router, Services& services);
void add_event_routes(Router& router, Services& services);
void add_signal_routes(Router& router, Services& services);
void add_bulk_routes(Router& router, Services& services);
void add_task_routes(Router& router, Services& services);
void add_task_link_routes(Router& router, Services& services);
void add_credential_routes(Router& router, Services& services);
void add_webhook_routes(Router& router, Services& services);
void add_delivery_routes(Router& router, Services& services);
void add_callback_routes(Router& router, Services& services);
// Documents 000, 002 and 004 (src/api/adapters).
void add_function_routes(Router& router, Services& services);
void add_workflow_run_routes(Router& router, Services& services);
void add_approve_routes(Router& router, Services& services);
void add_organization_routes(Router& router, Services& services);

// All of the above.
Router all_routes(Services& services);

// A handler that is a coroutine function over the services.
template <class Function>
CallHandler bound(Services& services, Function function) {
    return [&services, function](Call call) { return function(services, std::move(call)); };
}

}  // namespace pawl::api
