#include "store/repos/persons.hpp"

#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

asio::awaitable<std::vector<std::optional<json::object>>> Persons::read(
    std::vector<PersonKey> keys
) {
    pg::Array tenant(pg::Type::int4), key(pg::Type::text);
    for (const PersonKey& one : keys) {
        tenant.add(one.tenant);
        key.add(std::string_view(one.key));
    }
    pg::Params params;
    params.add(std::move(tenant)).add(std::move(key));
    const auto rows = co_await call(pool_, queries::read_persons, std::move(params));
    std::vector<std::optional<json::object>> found(keys.size());
    for (int row = 0; row < rows.size(); ++row) {
        const auto place = static_cast<std::size_t>(rows.int4(row, 0)) - 1;
        json::value person = rows.jsonb(row, 1);
        if (place < found.size() && person.is_object()) {
            found[place] = std::move(person.get_object());
        }
    }
    co_return found;
}

}  // namespace pawl::store
