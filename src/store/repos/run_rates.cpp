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

}  // namespace pawl::store
