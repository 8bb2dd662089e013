#pragma once

#include "pg/params.hpp"
#include "store/store.hpp"

namespace pawl::store {

// The parameters of project_runs for the projections of a batch.
pg::Params project_params(const CommitBatch& batch);
// The parameters of leave_places.
pg::Params leave_params(Bucket bucket, const std::vector<LeavePlace>& places);
// The parameters of put_off_runs.
pg::Params put_off_params(const CommitBatch& batch);
// The parameters of end_children.
pg::Params end_params(Bucket bucket, const std::vector<EndChild>& ends);
// The parameters of project_messages.
pg::Params message_params(Bucket bucket, const std::vector<MessageRow>& rows);
// The parameters of repin_runs.
pg::Params repin_params(Bucket bucket, const std::vector<Repin>& repinned);

}  // namespace pawl::store
