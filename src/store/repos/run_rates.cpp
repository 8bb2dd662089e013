#include "store/repos/run_rates.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<std::vector<RunRate>> RunRates::read(TenantId tenant, RateRange range) {
    pg::Params params;
    params.add(tenant).add(range.from).add(range.until).add(range.step_minutes);
    params.add(some(range.workflow));
    const auto rows = co_await call_as(pool_, tenant, queries::run_rates, std::move(params));
    std::vector<RunRate> rates;
    for (int row = 0; row < rows.size(); ++row) {
        rates.push_back(
            {rows.instant(row, 0),
             rows.int8(row, 1),
             rows.int8(row, 2),
             rows.int8(row, 3),
             rows.int8(row, 4)}
        );
    }
    co_return rates;
}

}  // namespace pawl::store
