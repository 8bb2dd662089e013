#pragma once

#include <string_view>

namespace pawl::log {

// Whether lines call their fields as the orchestration engine's document does: run_id,
// workflow_type, workflow_version, step_name, attempts, worker_id. Set once at start.
void use_document_names(bool use);

}  // namespace pawl::log
