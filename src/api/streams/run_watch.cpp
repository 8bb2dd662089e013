#include "api/streams/run_watch.hpp"

#include <algorithm>
#include <unordered_map>

namespace pawl::api {

namespace {

using namespace std::chrono_literals;

constexpr auto look_every = 100ms;
constexpr int events_max = 2000;  // a look
// Events that wait for one reader: a slow one must not fill the memory.
constexpr std::size_t news_max = 500;

}  // namespace

std::shared_ptr<RunWatch::Reader> RunWatch::follow(
    RunId run, std::int32_t after, std::function<void()> wake
) {
    auto reader = std::make_shared<Reader>(Reader{run, after, {}, std::move(wake)});
    readers_.push_back(reader);
    gate_.open();
    return reader;
}

std::vector<std::shared_ptr<RunWatch::Reader>> RunWatch::present() {
    std::erase_if(readers_, [](const auto& reader) { return reader.expired(); });
    std::vector<std::shared_ptr<Reader>> found;
    for (const auto& known : readers_) {
        auto reader = known.lock();
        if (reader && reader->news.size() < news_max) found.push_back(std::move(reader));
    }
    return found;
}

asio::awaitable<void> RunWatch::read_news() {
    // A run that several watch is asked for once, from where the last of them stands.
    std::unordered_map<RunId, std::vector<std::weak_ptr<Reader>>> by_run;
    std::unordered_map<RunId, std::int32_t> positions;
    for (const auto& reader : present()) {
        by_run[reader->run].push_back(reader);
        const auto [at, added] = positions.emplace(reader->run, reader->seq);
        at->second = std::min(at->second, reader->seq);
    }
    if (positions.empty()) co_return;
    std::vector<store::ReadTo> asked;
    for (const auto& [run, seq] : positions) asked.push_back({run, seq});
    const auto rows = co_await tail_.events_after(0, std::move(asked), events_max);
    for (const store::LogRow& row : rows) {
        for (const auto& known : by_run[row.run]) {
            const auto reader = known.lock();
            if (!reader || row.event.seq <= reader->seq) continue;
            reader->seq = row.event.seq;
            reader->news.push_back(row.event);
            reader->wake();
        }
    }
}

asio::awaitable<void> RunWatch::run() {
    for (;;) {
        if (readers_.empty()) {
            co_await gate_.wait();
            continue;
        }
        const auto begun = Steady::now();
        try {
            co_await read_news();
            trouble_.fine();
        } catch (const Failure& failure) {
            trouble_.failed(failure.what());
        }
        // Looking takes at most a third of the time.
        const auto pause = std::max<Steady::duration>(look_every, 2 * (Steady::now() - begun));
        engine::Gate rest(gate_.executor());
        co_await rest.wait(Steady::now() + pause);
    }
}

}  // namespace pawl::api
