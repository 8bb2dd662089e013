#include "store/pg/left_statements.hpp"

#include "base/error.hpp"
#include "store/queries.gen.hpp"

#include <fmt/core.h>

#include <utility>

namespace pawl::store {

namespace {

// A terminated backend ends at once, unless its machine is stuck.
constexpr Duration ask_limit = std::chrono::seconds(10);

}  // namespace

asio::awaitable<void> LeftStatements::end() {
    if (backends_->empty()) co_return;
    const auto connection = co_await pg::Connection::connect(pool_.options().connect);
    const std::vector<int> backends = *backends_;
    for (const int backend : backends) {
        std::vector<pg::Statement> statements(1);
        statements[0].query = &queries::end_backend;
        statements[0].params.add(std::int32_t{backend});
        // The first of its session, so that nothing that the login has made is called before.
        statements[0].own_transaction = true;
        const auto rows = co_await connection->run_all(std::move(statements), ask_limit);
        const bool gone = rows[0].size() == 0 || rows[0].boolean(0, 0);
        if (!gone) {
            const auto what = fmt::format("backend {} still runs a statement of a step", backend);
            throw Failure({Errc::unavailable, what, {}});
        }
        std::erase(*backends_, backend);
    }
}

}  // namespace pawl::store
