#include "store/repos/figure_counts.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<json::value> Figures::take(Bucket bucket, Duration every) {
    pg::Params params;
    params.add(bucket).add(every);
    const auto rows = co_await call(pool_, queries::take_figures, std::move(params));
    co_return rows.jsonb(0, 0);
}

}  // namespace pawl::store
