#include "store/repos/audit.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<void> Audit::note(AuditEntry entry) {
    pg::Params params;
    params.add(entry.tenant).add(std::string_view(entry.by)).add(entry.person);
    params.add(std::string_view(entry.action)).add(std::string_view(entry.target));
    params.add(entry.status).add(std::string_view(entry.door));
    params.add(some(entry.peer)).add(some(entry.request_id));
    co_await call(pool_, queries::note_audit, std::move(params));
}

asio::awaitable<std::vector<AuditEntry>> Audit::list(TenantId tenant, AuditFilter filter) {
    pg::Params params;
    params.add(tenant).add(filter.before).add(some(filter.by)).add(some(filter.action));
    params.add(filter.limit);
    const auto rows = co_await call_as(pool_, tenant, queries::list_audit, std::move(params));
    co_return pg::all_rows(rows, [tenant](const pg::Rows& found, int row) {
        AuditEntry entry;
        entry.tenant = tenant;
        pg::RowReader(found, row) >> entry.id >> entry.at >> entry.by >> entry.person >>
            entry.action >> entry.target >> entry.status >> entry.door >> entry.peer >>
            entry.request_id >> entry.by_name;
        return entry;
    });
}

asio::awaitable<std::int64_t> Audit::purge(Duration older_than, std::int32_t batch) {
    pg::Params params;
    params.add(older_than).add(batch);
    const auto rows = co_await call(pool_, queries::purge_audit, std::move(params));
    co_return rows.affected();
}

}  // namespace pawl::store
