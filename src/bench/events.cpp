#include "bench/backlog.hpp"
#include "bench/meter.hpp"
#include "bench/rig.hpp"
#include "bench/run_sync.hpp"
#include "bench/workload.hpp"
#include "store/queries.gen.hpp"

#include <algorithm>

namespace pawl::bench {

namespace {

constexpr int few = 1000;  // runs that wait, before there are many
constexpr int warm_up = 100;
constexpr int singles = 200;
constexpr int batches = 5;
constexpr int batch_size = 100;
constexpr std::int64_t used = warm_up + singles + batches * batch_size;

asio::awaitable<void> fill_waits(
    pg::ConnectOptions connect, std::int64_t first, std::int64_t runs
) {
    constexpr std::int64_t at_once = 50'000;
    const auto connection = co_await pg::Connection::connect(std::move(connect));
    for (std::int64_t done = 0; done < runs; done += at_once) {
        pg::Params params;
        params.add(static_cast<std::int32_t>(std::min(at_once, runs - done))).add(first + done);
        co_await connection->run(
            store::queries::bench_fill_waits, std::move(params), std::chrono::minutes(5)
        );
    }
}

struct Cost {
    double publish_ms = 0;  // one event; medians
    double match_ms = 0;
    double batch_ms = 0;  // matching of batch_size events
};

// Events for runs that wait: the keys are `step` apart, so that they lie all over the index.
class Sender {
public:
    Sender(store::PgStore& store, std::int64_t first, std::int64_t step)
        : store_(store), next_(first), step_(step) {}

    asio::awaitable<double> publish(int count) {
        std::vector<store::OutsideEvent> events(static_cast<std::size_t>(count));
        for (store::OutsideEvent& event : events) {
            event.key = "k" + std::to_string(next_);
            event.id = event.key;
            event.name = "bench.event";
            event.data = json::object{{"amount", 5}};
            next_ += step_;
        }
        const auto begun = Steady::now();
        co_await store_.publish_events(0, std::move(events));
        co_return since(begun);
    }

    asio::awaitable<double> match(int count) {
        const auto begun = Steady::now();
        const auto matched = co_await store_.match_inbox(0, few);
        const double took = since(begun);
        if (matched.delivered != count) {
            throw Failure(Error{Errc::internal, "an event was not delivered", {}});
        }
        co_return took;
    }

private:
    static double since(Steady::time_point begun) {
        return std::chrono::duration<double, std::milli>(Steady::now() - begun).count();
    }

    store::PgStore& store_;
    std::int64_t next_;
    std::int64_t step_;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

asio::awaitable<void> measure(
    pg::ConnectOptions connect, std::int64_t first, std::int64_t runs, Cost& cost
) {
    pg::Pool pool(co_await asio::this_coro::executor, {connect, 2, std::chrono::seconds(5)});
    store::PgStore store(pool);
    Sender sender(store, first, runs / used);
    std::vector<double> publish, match, batch;
    for (int i = 0; i < warm_up + singles; ++i) {
        const double published = co_await sender.publish(1);
        const double matched = co_await sender.match(1);
        if (i < warm_up) continue;
        publish.push_back(published);
        match.push_back(matched);
    }
    for (int i = 0; i < batches; ++i) {
        co_await sender.publish(batch_size);
        batch.push_back(co_await sender.match(batch_size));
    }
    cost = {median(publish), median(match), median(batch)};
}

}  // namespace

// What it costs to bring one event to the run that waits for it, with a thousand that wait, and
// with as many as are to be parked, as many timers beside them.
Reports run_events(WorkloadContext context) {
    const auto& connect = context.target.connect();
    const std::int64_t runs = context.options.parked_runs;
    std::int32_t workflow = 0;
    {
        Rig rig(connect);
        rig.start();
        rig.run(make_backlog_workflow(rig.thread(), workflow));
    }
    run_sync(fill_waits(connect, 1, few));
    Cost with_few, with_many;
    run_sync(measure(connect, 1, few, with_few));
    context.progress("events: writing " + std::to_string(runs) + " runs that wait");
    run_sync(fill_waits(connect, few + 1, runs));
    context.progress("events: writing " + std::to_string(runs) + " sleeping runs");
    const Instant tomorrow = wall_now() + std::chrono::hours(24);
    fill_backlog(connect, {.workflow = workflow, .runs = runs, .due_at = tomorrow});
    Meter meter(connect);
    run_sync(measure(connect, few + 1, runs, with_many));
    json::object report{
        {"workload", "events"},
        {"runs", runs},
        {"publish_ms_few", with_few.publish_ms},
        {"publish_ms_many", with_many.publish_ms},
        {"match_ms_few", with_few.match_ms},
        {"match_ms_many", with_many.match_ms},
        {"match_100_ms_few", with_few.batch_ms},
        {"match_100_ms_many", with_many.batch_ms},
        {"match_ratio", with_many.match_ms / with_few.match_ms}};
    meter.finish(report, 0);
    return {report};
}

}  // namespace pawl::bench
