#include "store/repos/organizations.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<Uuid> Organizations::id_of(Tenant tenant) {
    const auto rows = co_await call(pool_, queries::organization_of, params_of(tenant.id));
    co_return rows.uuid(0, 0);
}

asio::awaitable<bool> Organizations::enter(Tenant tenant, Duration at_most) {
    pg::Params params;
    params.add(tenant.id).add(std::int64_t{
        std::chrono::duration_cast<std::chrono::milliseconds>(at_most).count()});
    const auto rows = co_await call(pool_, queries::enter_organization, std::move(params));
    co_return rows.boolean(0, 0);
}

asio::awaitable<void> Organizations::leave(Tenant tenant, std::size_t batch_size) {
    pg::Params params;
    params.add(tenant.id).add(static_cast<std::int32_t>(batch_size));
    co_await call(pool_, queries::leave_organization, std::move(params));
}

asio::awaitable<bool> Organizations::has_workers() {
    const auto rows = co_await call(pool_, queries::has_workers, {});
    co_return rows.boolean(0, 0);
}

asio::awaitable<std::vector<RunId>> Organizations::to_do(Tenant tenant, int limit) {
    const auto rows =
        co_await call(pool_, queries::runs_to_do, params_of(tenant.bucket, tenant.id, limit));
    std::vector<RunId> runs;
    for (int row = 0; row < rows.size(); ++row) runs.push_back(RunId{rows.uuid(row, 0)});
    co_return runs;
}

asio::awaitable<std::vector<BatchRun>> Organizations::look(Tenant tenant, std::vector<RunId> runs) {
    pg::Array ids(pg::Type::uuid);
    ids.reserve(runs.size(), 16);
    for (const RunId run : runs) ids.add(run.uuid);
    const auto rows =
        co_await call(pool_, queries::runs_done, params_of(tenant.bucket, std::move(ids)));
    std::vector<BatchRun> found;
    for (int row = 0; row < rows.size(); ++row) {
        found.push_back(
            {RunId{rows.uuid(row, 0)},
             std::string(rows.text(row, 1)),
             rows.is_null(row, 2) ? std::string() : std::string(rows.text(row, 2)),
             rows.is_null(row, 3) ? 0 : rows.int4(row, 3)}
        );
    }
    co_return found;
}

asio::awaitable<std::vector<BatchMessage>> Organizations::messages(Tenant tenant, Duration within) {
    const auto rows =
        co_await call(pool_, queries::organization_messages, params_of(tenant.id, within));
    std::vector<BatchMessage> found;
    for (int row = 0; row < rows.size(); ++row) {
        BatchMessage message;
        message.state = rows.text(row, 0);
        message.execution = rows.is_null(row, 1) ? "" : rows.text(row, 1);
        message.problem = rows.is_null(row, 2) ? "" : rows.text(row, 2);
        found.push_back(std::move(message));
    }
    co_return found;
}

}  // namespace pawl::store
