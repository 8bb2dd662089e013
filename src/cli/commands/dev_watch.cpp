#include "cli/commands/dev_watch.hpp"

#include "base/log.hpp"
#include "cli/commands/definitions.hpp"
#include "cli/commands/folder_watch.hpp"
#include "pg/pool.hpp"
#include "store/pg/pg_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <set>
#include <thread>

namespace pawl::cli {

namespace asio = boost::asio;

namespace {

// Editors write a file in several steps: what comes within this time is one change.
constexpr Duration settle_time = std::chrono::milliseconds(100);

}  // namespace

struct DevWatch::Impl {
    Impl(std::string of, pg::ConnectOptions connect)
        : folder(std::move(of)),
          watch(folder),
          changes(loop, watch.descriptor()),
          pool(loop.get_executor(), {std::move(connect), 1}),
          store(pool) {}

    // Only what a definition may be in: others are not its business.
    asio::awaitable<void> publish(std::string file) {
        const auto known = definition_files_below(folder);
        if (!known || std::find(known->begin(), known->end(), file) == known->end()) co_return;
        const auto read = read_definitions({file});
        if (!read) {
            log::warn("not published", {log::field("error", read.error().message)});
            co_return;
        }
        for (const DefinitionFile& one : *read) {
            const auto applied = co_await store.apply_workflow(
                store::Author(store::default_tenant, "pawl dev"), one.definition
            );
            log::info(
                applied.changed ? "published" : "unchanged",
                {log::field("workflow", one.definition.name),
                 log::field("version", applied.version),
                 log::field("file", one.file)}
            );
        }
    }

    asio::awaitable<void> publish_all(std::set<std::string> files) {
        for (const std::string& file : files) {
            std::string failed;
            try {
                co_await publish(file);
            } catch (const std::exception& error) {
                failed = error.what();
            }
            if (failed.empty()) continue;
            log::warn("not published", {log::field("file", file), log::field("error", failed)});
        }
    }

    asio::awaitable<void> run() {
        std::array<char, 16 << 10> buffer{};
        asio::steady_timer timer(loop);
        for (;;) {
            std::set<std::string> files;
            std::size_t got =
                co_await changes.async_read_some(asio::buffer(buffer), asio::use_awaitable);
            watch.read(buffer.data(), got, files);
            timer.expires_after(settle_time);
            co_await timer.async_wait(asio::use_awaitable);
            boost::system::error_code none;
            changes.non_blocking(true);
            while ((got = changes.read_some(asio::buffer(buffer), none)) > 0 && !none) {
                watch.read(buffer.data(), got, files);
            }
            co_await publish_all(std::move(files));
        }
    }

    std::string folder;
    asio::io_context loop{1};
    FolderWatch watch;
    asio::posix::stream_descriptor changes;
    pg::Pool pool;
    store::PgStore store;
    std::thread thread;
};

DevWatch::DevWatch(std::string folder, pg::ConnectOptions connect)
    : impl_(std::make_unique<Impl>(std::move(folder), std::move(connect))) {
    asio::co_spawn(impl_->loop, impl_->run(), [](std::exception_ptr failed) {
        if (failed) log::error("the folder is not watched any more");
    });
    impl_->thread = std::thread([this] { impl_->loop.run(); });
}

DevWatch::~DevWatch() {
    impl_->loop.stop();
    impl_->thread.join();
}

}  // namespace pawl::cli
