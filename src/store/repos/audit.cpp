#include "store/repos/audit.hpp"

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
    std::vector<AuditEntry> entries;
    for (int row = 0; row < rows.size(); ++row) {
        AuditEntry entry;
        entry.id = rows.int8(row, 0);
        entry.tenant = tenant;
        entry.at = rows.instant(row, 1);
        entry.by = rows.text(row, 2);
        entry.person = rows.boolean(row, 3);
        entry.action = rows.text(row, 4);
        entry.target = rows.text(row, 5);
        entry.status = rows.int4(row, 6);
        entry.door = rows.text(row, 7);
        entry.peer = rows.text(row, 8);
        entry.request_id = rows.text(row, 9);
        entries.push_back(std::move(entry));
    }
    co_return entries;
}

asio::awaitable<std::int64_t> Audit::purge(Duration older_than, std::int32_t batch) {
    pg::Params params;
    params.add(older_than).add(batch);
    const auto rows = co_await call(pool_, queries::purge_audit, std::move(params));
    co_return rows.affected();
}

}  // namespace pawl::store
