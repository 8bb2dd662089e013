#pragma once

#include "pg/pool.hpp"

#include <memory>
#include <vector>

namespace pawl::store {

namespace asio = boost::asio;

// Statements of users that the server goes on with after their connections were cut off: a
// statement can catch its own cancellation and turn off the server's look for its client. The step
// that used the connection ends them, from one more connection of the same login, before it gives
// its place back; where it could not, because it was cancelled itself, the next statement does so
// before it begins.
class LeftStatements {
public:
    explicit LeftStatements(pg::Pool& pool) : pool_(pool) {}

    // Remembers the backend of a connection that goes while the server is still at work.
    class Watch {
    public:
        Watch(const LeftStatements& left, pg::Connection& connection)
            : backends_(left.backends_), connection_(connection) {}
        ~Watch() {
            if (connection_.is_left_busy()) backends_->push_back(connection_.backend_pid());
        }
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

    private:
        // Shared: a coroutine that never ends goes after the pool.
        std::shared_ptr<std::vector<int>> backends_;
        pg::Connection& connection_;
    };

    // Throws when one of them goes on.
    asio::awaitable<void> end();

private:
    pg::Pool& pool_;
    std::shared_ptr<std::vector<int>> backends_ = std::make_shared<std::vector<int>>();
};

}  // namespace pawl::store
