#include "bench/bench_database.hpp"

#include "base/error.hpp"
#include "bench/run_sync.hpp"
#include "store/pg/migrate.hpp"

#include <unistd.h>

#include <filesystem>

namespace pawl::bench {

namespace {

asio::awaitable<void> migrate(pg::ConnectOptions options) {
    const auto connection = co_await pg::Connection::connect(std::move(options));
    co_await store::migrate_up(*connection);
}

std::filesystem::path fresh_directory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "pawl-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        throw Failure({Errc::unavailable, "cannot make a directory for the benchmark's cluster", {}}
        );
    }
    return pattern;
}

}  // namespace

BenchDatabase::BenchDatabase(const std::string& database_url) {
    connect_.conninfo = database_url;
    if (database_url.empty()) {
        own_ = std::make_unique<dev::PrivatePostgres>(fresh_directory());
        own_->start();
        connect_.conninfo = own_->local_url();
    }
    connect_.statement_timeout = std::chrono::minutes(10);
    connect_.round_trips = std::make_shared<std::atomic<std::uint64_t>>(0);
    run_sync(migrate(connect_));
}

BenchDatabase::~BenchDatabase() {
    if (!own_) return;
    own_->stop();
    own_->remove();
}

}  // namespace pawl::bench
