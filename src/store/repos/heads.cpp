#include "store/repos/heads.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/pg/version_rows.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<std::vector<Head>> Heads::find(
    std::int32_t tenant, std::vector<std::string> names
) {
    pg::Array array(pg::Type::text);
    for (const std::string& name : names) array.add(std::string_view(name));
    const auto rows =
        co_await call(pool_, queries::find_heads, params_of(tenant, std::move(array)));
    std::vector<Head> heads;
    for (int row = 0; row < rows.size(); ++row) {
        heads.push_back(
            {std::string(rows.text(row, 0)),
             rows.int4(row, 1),
             rows.int4(row, 2),
             rows.boolean(row, 3),
             shares_of(rows, row, 4),
             text_or_none(rows, row, 5),
             rows.int8(row, 6)}
        );
    }
    co_return heads;
}

}  // namespace pawl::store
