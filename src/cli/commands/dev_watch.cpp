#include "cli/commands/dev_watch.hpp"

#include "base/log.hpp"
#include "cli/commands/definitions.hpp"
#include "pg/pool.hpp"
#include "store/pg/pg_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <set>
#include <thread>

namespace pawl::cli {

namespace asio = boost::asio;
namespace fs = std::filesystem;

namespace {

// Editors write a file in several steps: what comes within this time is one change.
constexpr Duration settle_time = std::chrono::milliseconds(100);

int watch_folder(const std::string& folder) {
    const int fd = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    constexpr std::uint32_t changes = IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR;
    if (fd >= 0 && ::inotify_add_watch(fd, folder.c_str(), changes) >= 0) return fd;
    const std::string why = std::strerror(errno);
    if (fd >= 0) ::close(fd);
    throw Failure(
        {Errc::invalid,
         fmt::format("cannot watch {}: {}", folder, why),
         {{"next", "--watch takes a folder with definitions"}}}
    );
}

// The names in what inotify has written.
void read_names(const char* begin, std::size_t size, std::set<std::string>& names) {
    for (std::size_t at = 0; at + sizeof(inotify_event) <= size;) {
        inotify_event event{};
        std::memcpy(&event, begin + at, sizeof(event));
        if (event.len > 0) names.insert(begin + at + sizeof(event));
        at += sizeof(event) + event.len;
    }
}

}  // namespace

struct DevWatch::Impl {
    Impl(std::string of, pg::ConnectOptions connect)
        : folder(std::move(of)),
          changes(loop, watch_folder(folder)),
          pool(loop.get_executor(), {std::move(connect), 1}),
          store(pool) {}

    // Only what a definition may be in (definition_files says): others are not its business.
    asio::awaitable<void> publish(std::string file) {
        const auto known = definition_files(folder);
        if (!known || std::find(known->begin(), known->end(), file) == known->end()) co_return;
        const auto read = read_definitions({file});
        if (!read) {
            log::warn("not published", {log::field("error", read.error().message)});
            co_return;
        }
        for (const DefinitionFile& one : *read) {
            const auto applied =
                co_await store.apply_workflow(store::default_tenant, one.definition);
            log::info(
                applied.changed ? "published" : "unchanged",
                {log::field("workflow", one.definition.name),
                 log::field("version", applied.version),
                 log::field("file", one.file)}
            );
        }
    }

    asio::awaitable<void> publish_all(std::set<std::string> names) {
        for (const std::string& name : names) {
            std::string failed;
            try {
                co_await publish((fs::path(folder) / name).string());
            } catch (const std::exception& error) {
                failed = error.what();
            }
            if (failed.empty()) continue;
            log::warn("not published", {log::field("file", name), log::field("error", failed)});
        }
    }

    asio::awaitable<void> run() {
        std::array<char, 16 << 10> buffer{};
        asio::steady_timer timer(loop);
        for (;;) {
            std::set<std::string> names;
            std::size_t got =
                co_await changes.async_read_some(asio::buffer(buffer), asio::use_awaitable);
            read_names(buffer.data(), got, names);
            timer.expires_after(settle_time);
            co_await timer.async_wait(asio::use_awaitable);
            boost::system::error_code none;
            changes.non_blocking(true);
            while ((got = changes.read_some(asio::buffer(buffer), none)) > 0 && !none) {
                read_names(buffer.data(), got, names);
            }
            co_await publish_all(std::move(names));
        }
    }

    std::string folder;
    asio::io_context loop{1};
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
