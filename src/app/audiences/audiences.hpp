#pragma once

#include "app/caller.hpp"
#include "model/definition.hpp"
#include "steps/sql_logins.hpp"
#include "store/repos/jobs.hpp"

#include <memory>
#include <optional>
#include <string>

namespace pawl::app {

// Whom a query gives, before it starts anything.
struct AudiencePreview {
    std::int64_t count = 0;
    json::array examples;  // of rows; ten at most, without the ends of long values
};

// Queries of users that say whom a workflow is started for: checks them, previews them, and carries
// out the jobs of their slots, which read all rows first and then start the runs. The queries run
// with the logins of sql steps, in transactions that can only read. What it refers to outlives it.
class Audiences {
public:
    Audiences(asio::any_io_executor executor, store::Jobs& jobs)
        : executor_(std::move(executor)), jobs_(jobs) {}

    // Until then no audience can be read here.
    void connect_by(steps::SqlSettings settings);

    // What is wrong with an audience of the definition; nothing, also where that cannot be told.
    asio::awaitable<std::optional<Error>> wrong_in(store::TenantId tenant, Definition definition);
    asio::awaitable<Result<AudiencePreview>> preview(store::TenantId tenant, std::string query);

    // The job as it is after the next part; none when it is gone.
    asio::awaitable<std::optional<store::Job>> next_part(store::Job job, Duration lease);

private:
    asio::awaitable<std::optional<store::Job>> read(store::Job job, Duration lease);
    asio::awaitable<Result<std::optional<store::Job>>> read_by(
        std::size_t rows, const store::Job& job, Duration lease
    );
    asio::awaitable<std::optional<store::Job>> fail(store::Job job, std::string why);
    asio::awaitable<void> keep_lease(Uuid job, Duration lease);

    asio::any_io_executor executor_;
    store::Jobs& jobs_;
    std::unique_ptr<steps::SqlLogins> logins_;
};

}  // namespace pawl::app
