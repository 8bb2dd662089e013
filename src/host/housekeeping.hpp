#pragma once

#include "base/clock.hpp"
#include "store/pg/pg_store.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

// What a process does beside its work, for as long as it lives. The stores outlive it.
namespace pawl::host {

namespace asio = boost::asio;

// Partitions of the weeks to come are made long before they are needed, and weeks beyond the
// retention are dropped whole; every process looks, the first one acts.
asio::awaitable<void> keep_partitions(
    store::PgStore& store, asio::any_io_executor executor, std::optional<Duration> retention
);

// Removes what is too old, batch by batch so that other work does not wait, while there is more.
asio::awaitable<void> keep_purging(
    asio::any_io_executor executor,
    std::string what,
    std::function<asio::awaitable<std::int64_t>(int batch)> purge,
    int batch = 1000
);

}  // namespace pawl::host
