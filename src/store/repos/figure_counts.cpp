#include "store/repos/figure_counts.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<json::value> Figures::take(Bucket bucket, Duration every) {
    const auto rows = co_await call(pool_, queries::take_figures, params_of(bucket, every));
    co_return rows.jsonb(0, 0);
}

}  // namespace pawl::store
