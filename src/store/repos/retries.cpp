#include "store/repos/retries.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<std::vector<Retried>> Retries::retry(Tenant tenant, std::vector<Retry> retries) {
    pg::Array old_runs(pg::Type::uuid), new_runs(pg::Type::uuid);
    for (const Retry& retry : retries) {
        old_runs.add(retry.run.uuid);
        new_runs.add(retry.new_run.uuid);
    }
    std::vector<pg::Statement> statements(2);
    statements[0].query = &queries::retry_runs;
    statements[0].params.add(tenant.bucket).add(tenant.id);
    statements[0].params.add(std::move(old_runs)).add(std::move(new_runs));
    statements[1] = wake_for_runs();
    const auto results = co_await call_all_as(pool_, tenant.id, std::move(statements));
    const pg::Rows& rows = results[0];
    std::vector<Retried> retried;
    bool found = false;
    for (int row = 0; row < rows.size(); ++row) {
        Retried& one = retried.emplace_back();
        pg::RowReader(rows, row) >> one.run >> one.status >> one.retried_as >> one.created;
    }
    if (found) co_await confirm_found(pool_);
    co_return retried;
}

asio::awaitable<std::optional<RunId>> Retries::rerun_from(Tenant tenant, Rerun rerun) {
    std::vector<pg::Statement> statements(2);
    statements[0].query = &queries::rerun_from;
    pg::Params& params = statements[0].params;
    params.add(tenant.bucket).add(tenant.id);
    params.add(rerun.run.uuid).add(rerun.new_run.uuid).add(rerun.before);
    if (rerun.input.is_null()) {
        params.add_null();
    } else {
        params.add_json(rerun.input);
    }
    if (rerun.released.empty()) {
        params.add_null();
    } else {
        params.add_json(json::value(std::move(rerun.released)));
    }
    if (rerun.key.empty()) {
        params.add_null();
    } else {
        params.add(std::string_view(rerun.key));
    }
    statements[1] = wake_for_runs();
    const auto results = co_await call_all_as(pool_, tenant.id, std::move(statements));
    if (results[0].is_null(0, 0)) co_return std::nullopt;
    const RunId made{results[0].uuid(0, 0)};
    if (made != rerun.new_run) co_await confirm_found(pool_);
    co_return made;
}

}  // namespace pawl::store
