#include "store/repos/run_rates.hpp"

#include "pg/row_reader.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

RunRate rate_of(const pg::Rows& rows, int row) {
    RunRate one;
    pg::RowReader(rows, row) >> one.at >> one.started >> one.completed >> one.failed >>
        one.cancelled;
    return one;
}

}  // namespace

asio::awaitable<std::vector<RunRate>> RunRates::read(TenantId tenant, RateRange range) {
    pg::Params params;
    params.add(tenant).add(range.from).add(range.until).add(range.step_minutes);
    params.add(some(range.workflow));
    const auto rows = co_await call_as(pool_, tenant, queries::run_rates, std::move(params));
    co_return pg::all_rows(rows, rate_of);
}

asio::awaitable<std::vector<WorkflowRates>> RunRates::by_workflow(
    TenantId tenant, RateRange range, std::int32_t limit
) {
    pg::Params params;
    params.add(tenant).add(range.from).add(range.until).add(range.step_minutes);
    params.add(std::string_view(range.workflow)).add(limit);
    const auto rows = co_await call_as(pool_, tenant, queries::workflow_rates, std::move(params));
    std::vector<WorkflowRates> all;
    for (int row = 0; row < rows.size(); ++row) {
        std::string workflow = rows.text(row, 0);
        if (all.empty() || all.back().workflow != workflow) {
            all.push_back({std::move(workflow), rows.int8(row, 1), {}});
        }
        if (rows.is_null(row, 2)) continue;
        all.back().pieces.push_back(
            {rows.instant(row, 2),
             rows.int8(row, 3),
             rows.int8(row, 4),
             rows.int8(row, 5),
             rows.int8(row, 6)}
        );
    }
    co_return all;
}

}  // namespace pawl::store
